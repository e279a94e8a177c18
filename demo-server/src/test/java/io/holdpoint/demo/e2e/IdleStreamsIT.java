package io.holdpoint.demo.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Many streams whose model is silent: they cost no thread, and all of them end. {@code -Dholdpoint.streams=2000} for as many as
 * a small machine should carry.
 */
class IdleStreamsIT {

    private static final int DEFAULT_STREAMS = 100;
    private static final int STREAMS = Integer.getInteger("holdpoint.streams", DEFAULT_STREAMS);

    /** Of pools that have nothing to do with how many streams there are. */
    private static final int OTHER_THREADS = 60;

    @Test
    @Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void idleStreamsKeepNoThreadsAndAllOfThemEnd() throws Exception {
        List<Socket> clients = new ArrayList<>();
        List<HttpExchange> asked = new ArrayList<>();
        try (SilentProvider provider = new SilentProvider();
                DemoProcess demo = DemoProcess.start(with(provider.environment(), "JAVA_TOOL_OPTIONS", "-Xmx512m"))) {
            open(demo.url(), clients, "warm-up");
            asked.add(provider.next());
            String before = describe(demo.pid());
            int threadsBefore = threads(demo.pid());
            while (clients.size() < STREAMS) {
                open(demo.url(), clients, "thread-" + clients.size());
                asked.add(provider.next());
            }

            int threads = threads(demo.pid());
            String figures = STREAMS + " idle streams: " + threadsBefore + " -> " + threads + " threads" + before
                    + " -> " + describe(demo.pid());
            if (STREAMS > DEFAULT_STREAMS) {
                System.out.println(figures);
            }

            assertThat(threads - threadsBefore).as(figures).isLessThan(OTHER_THREADS);
            for (HttpExchange each : asked) {
                SilentProvider.answer(each);
            }
            for (Socket client : clients) {
                assertThat(readBody(client)).contains("RUN_STARTED", "At last.", "RUN_FINISHED");
            }
        } finally {
            for (Socket client : clients) {
                client.close();
            }
        }
    }

    private static Map<String, String> with(Map<String, String> environment, String name, String value) {
        Map<String, String> more = new HashMap<>(environment);
        more.put(name, value);
        return more;
    }

    private static void open(URI demo, List<Socket> clients, String threadId) throws IOException {
        Socket client = new Socket(demo.getHost(), demo.getPort());
        clients.add(client);
        String body = "{\"threadId\":\"" + threadId + "\",\"runId\":\"r\",\"messages\":[{\"id\":\"m-" + threadId
                + "\",\"role\":\"user\",\"content\":\"Think\"}]}";
        client.getOutputStream()
                .write(("POST /agent HTTP/1.1\r\n"
                                + "Host: localhost\r\n"
                                + "Content-Type: application/json\r\n"
                                + "Connection:"
                                + " close\r\n"
                                + "Content-Length:"
                                + " " + body.length() + "\r\n\r\n" + body)
                        .getBytes(StandardCharsets.US_ASCII));
    }

    private static String readBody(Socket client) throws IOException {
        try (InputStream in = client.getInputStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static int threads(long pid) throws Exception {
        return (int) jcmd(pid, "Thread.print")
                .lines()
                .filter(line -> line.startsWith("\""))
                .count();
    }

    /** What is used of the heap. */
    private static String describe(long pid) throws Exception {
        jcmd(pid, "GC.run");
        return jcmd(pid, "GC.heap_info")
                .lines()
                .filter(line -> line.contains("used"))
                .findFirst()
                .orElse("");
    }

    private static String jcmd(long pid, String command) throws Exception {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        Process process = new ProcessBuilder(jcmd.toString(), Long.toString(pid), command)
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}
