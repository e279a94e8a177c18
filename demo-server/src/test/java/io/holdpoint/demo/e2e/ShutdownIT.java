package io.holdpoint.demo.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packaged server, told to end (SIGTERM) while a run is active. */
class ShutdownIT {

    private final OpenAiReply.Stalled stalled =
            new OpenAiReply.Stalled(OpenAiReply.text("Once upon a time there was a model that talked for ever."));

    @TempDir
    private Path directory;

    private FakeOpenAiServer openAi;

    @BeforeEach
    void start() throws Exception {
        openAi = FakeOpenAiServer.start(7);
        openAi.then(stalled, OpenAiReply.text("A story."));
    }

    @AfterEach
    void stop() {
        openAi.close();
    }

    private DemoProcess demo(String grace) throws Exception {
        return DemoProcess.start(Map.of(
                "OPENAI_API_KEY",
                "test",
                "OPENAI_BASE_URL",
                openAi.baseUrl(),
                "OPENAI_MODEL",
                "gpt-test",
                "JDBC_URL",
                "jdbc:sqlite:" + directory.resolve("demo.db"),
                "SHUTDOWN_GRACE",
                grace));
    }

    private CompletableFuture<AguiRun> tellAStory(AguiTestClient thread) throws Exception {
        CompletableFuture<AguiRun> run = CompletableFuture.supplyAsync(() -> {
            try {
                return thread.say("Tell me a story");
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        while (openAi.requests().isEmpty()) {
            assertThat(run).isNotDone();
            Thread.onSpinWait();
        }
        return run;
    }

    @Test
    void aRunThatDoesNotEndIsStoppedWithATerminalEventAndGoesOnAfterTheRestart() throws Exception {
        AguiTestClient thread;
        try (DemoProcess demo = demo("0")) {
            thread = new AguiTestClient(demo.url());
            CompletableFuture<AguiRun> run = tellAStory(thread);

            demo.terminate();

            assertThat(run.get().end().path("type").asText()).as(demo.output()).isEqualTo("RUN_ERROR");
            assertThat(run.get().end().path("code").asText()).isEqualTo("SHUTTING_DOWN");
        }

        try (DemoProcess next = demo("0")) {
            thread.moveTo(next.url());

            assertThat(thread.resume().outcome()).as("its lease was released").isEqualTo("success");
        }
    }

    @Test
    void aRunMayComeToItsEndAndNoOtherOneStarts() throws Exception {
        try (DemoProcess demo = demo("600")) {
            CompletableFuture<AguiRun> run = tellAStory(new AguiTestClient(demo.url()));
            CompletableFuture<Void> ended = CompletableFuture.runAsync(demo::terminate);
            String refusal = refusalOfAnother(demo);

            stalled.goOn().countDown();

            assertThat(run.get().outcome()).as(demo.output()).isEqualTo("success");
            assertThat(refusal).contains("503", "SHUTTING_DOWN");
            ended.get();
        }
    }

    /** The first time that a run is refused. */
    private static String refusalOfAnother(DemoProcess demo) throws Exception {
        while (true) {
            try {
                new AguiTestClient(demo.url()).resume();
            } catch (java.io.IOException e) {
                return String.valueOf(e.getMessage());
            }
        }
    }
}
