package io.holdpoint.javalin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.service.UserMessage;
import io.holdpoint.Holdpoint;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.Threads;
import io.javalin.Javalin;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A run takes longer than the server lets a request take. Once the server has given a request up, it uses its connection
 * and its objects for the next one.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AsyncTimeoutTest {

    private static final long TIMEOUT_MILLIS = 1_000;
    private static final String LAST_CHUNK = "\r\n0\r\n\r\n";
    private static final String SLOW = "the-text-of-the-slow-run";
    private static final String NEXT = "the-text-of-the-next-run";

    interface Assistant {
        String chat(@UserMessage List<Content> message);
    }

    private final CountDownLatch slowMayAnswer = new CountDownLatch(1);
    private final CountDownLatch slowHasEnded = new CountDownLatch(1);
    private final Threads threads = new Threads();
    private final ScriptedModel model = new ScriptedModel();
    private final Holdpoint agent = Holdpoint.builder(Assistant.class)
            .chatModel(model)
            .executor(this::execute)
            .build();
    private final Javalin server = Javalin.create(config -> {
                config.startup.showJavalinBanner = false;
                config.http.asyncTimeout = TIMEOUT_MILLIS;
                config.registerPlugin(new AgUiPlugin(agui -> agui.agent(agent)));
                config.routes.get("/never", ctx -> ctx.future(CompletableFuture::new));
            })
            .start("127.0.0.1", 0);

    private Socket connection;
    private CompletableFuture<String> slow;

    /** The first run to end is the slow one: the next waits for its end. */
    private void execute(Runnable run) {
        threads.execute(() -> {
            run.run();
            slowHasEnded.countDown();
        });
    }

    @BeforeEach
    void outlastTheTimeout() throws IOException {
        model.answers(request -> {
                    await(slowMayAnswer);
                    return AiMessage.from(SLOW);
                })
                .answers(request -> {
                    slowMayAnswer.countDown();
                    await(slowHasEnded);
                    return AiMessage.from(NEXT);
                });
        connection = connect();
        post(connection, "slow");
        String begun = readTo("RUN_STARTED", connection);
        slow = CompletableFuture.supplyAsync(() -> begun + readTo(LAST_CHUNK, connection), threads);
        timeOutALaterRequest();
    }

    @AfterEach
    void stop() throws IOException {
        slowMayAnswer.countDown();
        connection.close();
        threads.close();
        server.stop();
    }

    @Test
    @Logs("Uncaught exception")
    void theClientGetsTheWholeRun() {
        slowMayAnswer.countDown();

        assertThat(slow.join()).contains(SLOW, "RUN_FINISHED");
    }

    @Test
    @Logs("Uncaught exception")
    void nothingOfTheRunIsWrittenIntoAnotherResponse() throws IOException {
        Socket free = slow.isDone() ? connection : connect();

        post(free, "next");
        String response = readTo("RUN_FINISHED", free);

        assertThat(response).contains(NEXT, "RUN_FINISHED").doesNotContain(SLOW, "\"threadId\":\"slow\"");
    }

    /** A request that nobody answers was sent after the slow one: when it has timed out, the slow one had its time. */
    private void timeOutALaterRequest() throws IOException {
        try (Socket other = connect()) {
            write(other, "GET /never HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
            readTo("never to be found", other);
        }
    }

    private Socket connect() throws IOException {
        return new Socket("127.0.0.1", server.port());
    }

    private static void post(Socket connection, String thread) throws IOException {
        String body = "{\"threadId\":\"" + thread + "\",\"runId\":\"r\",\"messages\":[{\"id\":\"m-" + thread
                + "\",\"role\":\"user\",\"content\":\"Hi\"}]}";
        write(
                connection,
                "POST /agent HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "
                        + body.length() + "\r\n\r\n" + body);
    }

    private static void write(Socket connection, String request) throws IOException {
        connection.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
        connection.getOutputStream().flush();
    }

    /** Reads up to a text, or to the end of the connection. */
    private static String readTo(String end, Socket connection) {
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        try {
            InputStream in = connection.getInputStream();
            int next = in.read();
            while (next >= 0) {
                read.write(next);
                if (read.toString(StandardCharsets.UTF_8).endsWith(end)) {
                    break;
                }
                next = in.read();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return read.toString(StandardCharsets.UTF_8);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
