package io.holdpoint.tutorials.t02;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.javalin.Javalin;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tutorial 2 and 9: the bodies that the text posts are understood, and the page is served. */
class OverHttpTest {

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final Javalin server = Main.start(0, new PrintStream(printed, true, UTF_8));

    @AfterEach
    void stop() {
        server.stop();
    }

    @Test
    void theRequestsOfTheText() throws Exception {
        List<String> bodies = bodies();

        String held = post(bodies.get(0));
        assertThat(held).contains("Cancel booking \\\"MS-777\\\"?");
        assertThat(printed.toString(UTF_8)).isEmpty();
        Matcher id =
                Pattern.compile("\"interrupts\":\\[\\{\"id\":\"(int_\\w+)\"").matcher(held);
        assertThat(id.find()).isTrue();

        assertThat(post(bodies.get(1).replace("int_...", id.group(1)))).contains("booking MS-777 is cancelled");
        assertThat(printed.toString(UTF_8).strip()).isEqualTo("(cancelBooking runs: MS-777)");
    }

    @Test
    void whatTheTextAsksToChange() throws Exception {
        List<String> bodies = bodies();
        Matcher id =
                Pattern.compile("\"interrupts\":\\[\\{\"id\":\"(int_\\w+)\"").matcher(post(bodies.get(0)));
        assertThat(id.find()).isTrue();
        String answer = bodies.get(1).replace("int_...", id.group(1));

        assertThat(post(answer.replace("{\"approved\": true}", "{\"approved\": \"yes\"}")))
                .contains("INTERRUPT_PAYLOAD_INVALID");
        assertThat(printed.toString(UTF_8)).isEmpty();

        String edited = "{\"approved\": true, \"editedArgs\": {\"number\": \"MS-778\"}}";
        assertThat(post(answer.replace("{\"approved\": true}", edited))).contains("booking MS-778 is cancelled");
        assertThat(printed.toString(UTF_8).strip()).isEqualTo("(cancelBooking runs: MS-778)");
    }

    private static List<String> bodies() throws IOException {
        return Pattern.compile("-d '(.*?)'", Pattern.DOTALL)
                .matcher(Files.readString(Path.of("02-over-http.md")))
                .results()
                .map(body -> body.group(1))
                .toList();
    }

    @Test
    void thePageIsServed() throws Exception {
        HttpRequest page = HttpRequest.newBuilder(address("/")).build();

        assertThat(HttpClient.newHttpClient()
                        .send(page, BodyHandlers.ofString())
                        .body())
                .contains("fetch(\"/agent\"");
    }

    private URI address(String path) {
        return URI.create("http://127.0.0.1:" + server.port() + path);
    }

    private String post(String body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(address("/agent"))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body))
                .build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
    }
}
