package io.holdpoint.tutorials.t17;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.javalin.Javalin;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tutorial 17: the page is served, and shows the same after a reload. Node.js runs what it is made of. */
@Timeout(60)
class DocumentPageIT {

    static final Path PAGE = Path.of("src/main/resources/io/holdpoint/tutorials/t17/page");

    private static final Path CHECK = Path.of("src/test/resources/io/holdpoint/tutorials/t17/check.mjs");

    private final Javalin server =
            Main.start(0, Duration.ZERO, new PrintStream(OutputStream.nullOutputStream(), true, UTF_8));
    private final String address = "http://127.0.0.1:" + server.port();

    @AfterEach
    void stop() {
        server.stop();
    }

    @Test
    void thePageIsServed() throws Exception {
        assertThat(got("/")).isEqualTo(Files.readString(PAGE.resolve("index.html")));
        assertThat(got("/document.mjs")).isEqualTo(Files.readString(PAGE.resolve("document.mjs")));
    }

    private String got(String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(address + path)).build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
    }

    @Test
    void aReloadShowsTheSame() throws Exception {
        String module = PAGE.resolve("document.mjs").toUri().toString();
        Process node;
        try {
            node = new ProcessBuilder("node", CHECK.toString(), module, address + "/agent")
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException missing) {
            String message = "NOT TESTED: the page of tutorial 17. It needs Node.js 20 or later on the PATH.";
            assertThat(System.getenv("CI")).as(message).isNotEqualTo("true");
            System.err.println(message);
            abort(message);
            return;
        }
        String printed = new String(node.getInputStream().readAllBytes(), UTF_8);

        assertThat(node.waitFor()).as(printed).isZero();
    }
}
