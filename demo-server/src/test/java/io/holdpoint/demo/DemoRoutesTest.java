package io.holdpoint.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.javalin.Javalin;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the page shows beside the agent, as others ask for it. */
class DemoRoutesTest {

    @TempDir
    Path folder;

    private static String get(Javalin server, String path, String headers) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", server.port())) {
            socket.getOutputStream()
                    .write(("GET " + path + " HTTP/1.1\r\n" + headers + "\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void pagesOfOtherSitesSeeNothing() throws Exception {
        DemoSettings settings = DemoSettings.read(
                Map.of("PORT", "0", "HOSTS", "box.example", "JDBC_URL", "jdbc:sqlite:" + folder.resolve("demo.db")));
        Javalin server = DemoServer.start(settings, DemoDatabase.open(settings.database()));
        try {
            assertThat(get(server, "/demo/effects", "Host: evil.example"))
                    .startsWith("HTTP/1.1 403")
                    .contains("HOSTS=evil.example");
            assertThat(get(server, "/demo/effects", "Host: localhost\r\nOrigin: https://evil.example"))
                    .startsWith("HTTP/1.1 403");
            assertThat(get(server, "/demo/effects", "Host: localhost\r\nSec-Fetch-Site: cross-site"))
                    .startsWith("HTTP/1.1 403");
            assertThat(get(server, "/demo/effects", "Host: box.example")).startsWith("HTTP/1.1 200");
            assertThat(get(server, "/demo/effects", "Host: localhost")).startsWith("HTTP/1.1 200");
        } finally {
            server.stop();
        }
    }
}
