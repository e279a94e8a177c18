package io.holdpoint.demo.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PageExtension.class)
class ServersAnswerIT {

    private static final String FOUND = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfound";

    @Test
    void aConnectionThatTheServerClosedMeanwhileIsNoFaultOfTheTest(Chromium chromium) throws Exception {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                Page page = chromium.browser().newPage()) {
            start(() -> accept(server));
            page.route("**/*", route -> route.fulfill(new Route.FulfillOptions().setResponse(ServersAnswer.to(route))));
            String url = "http://127.0.0.1:" + server.getLocalPort() + "/";

            page.navigate(url + "first");
            page.navigate(url + "second");

            assertThat(page.content()).contains("found");
        }
    }

    private static void accept(ServerSocket server) {
        try {
            while (true) {
                Socket connection = server.accept();
                start(() -> answerOnce(connection));
            }
        } catch (IOException closed) {
            return; // the test is over
        }
    }

    /** Takes the second request as well, and hangs up. */
    private static void answerOnce(Socket connection) {
        try (connection) {
            BufferedReader requests = new BufferedReader(new InputStreamReader(connection.getInputStream()));
            if (isRead(requests)) {
                connection.getOutputStream().write(FOUND.getBytes(StandardCharsets.US_ASCII));
                isRead(requests);
            }
        } catch (IOException e) {
            return; // the browser went first
        }
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
    }

    private static boolean isRead(BufferedReader requests) throws IOException {
        String line = requests.readLine();
        while (line != null && !line.isEmpty()) {
            line = requests.readLine();
        }
        return line != null;
    }
}
