package io.holdpoint.demo.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the Dockerfile copies is there, and what it starts runs, without an engine that would build the image. */
class DockerfileIT {

    private static final Path ROOT = Path.of("..");

    @TempDir
    private Path image;

    @Test
    void theFilesThatItCopiesExistAndItsCommandServesThePage() throws Exception {
        List<String> command = new ArrayList<>();
        Map<String, String> environment = new HashMap<>();
        for (String line : Files.readAllLines(ROOT.resolve("Dockerfile"))) {
            String[] words = line.split(" ");
            switch (words[0]) {
                case "COPY" -> Files.copy(ROOT.resolve(words[1]), image.resolve(words[2]));
                case "ENV" -> environment.put(words[1].split("=")[0], words[1].split("=")[1]);
                case "ENTRYPOINT" ->
                    Json.elements(Json.parse(line.substring(words[0].length())))
                            .forEach(word -> command.add(word.asText()));
                default -> {}
            }
        }
        command.set(0, DemoProcess.java());

        try (DemoProcess demo = DemoProcess.start(command, image, environment)) {
            URI asked = URI.create("http://localhost:" + demo.url().getPort() + "/");
            assertThat(HttpClient.newHttpClient()
                            .send(HttpRequest.newBuilder(asked).build(), BodyHandlers.ofString())
                            .body())
                    .contains("An agent whose tools wait for you");
        }
    }
}
