package io.holdpoint.service;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.data.message.Content;
import dev.langchain4j.model.moderation.Moderation;
import dev.langchain4j.model.moderation.ModerationModel;
import dev.langchain4j.model.moderation.ModerationRequest;
import dev.langchain4j.model.moderation.ModerationResponse;
import dev.langchain4j.service.Moderate;
import dev.langchain4j.service.ModerationException;
import dev.langchain4j.service.TokenStream;
import dev.langchain4j.service.UserMessage;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.RunResult;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.OfficeTools;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Nobody is asked about what is flagged, and what passed is not moderated again. */
class ModerationTest {

    interface Blocking {
        @Moderate
        String chat(@UserMessage List<Content> message);
    }

    interface Streaming {
        @Moderate
        TokenStream chat(@UserMessage List<Content> message);
    }

    private final ScriptedModel model = new ScriptedModel();
    private final OfficeTools tools = new OfficeTools();
    private final AtomicInteger asked = new AtomicInteger();

    private ModerationModel moderation(Moderation outcome) {
        return new ModerationModel() {
            @Override
            public ModerationResponse doModerate(ModerationRequest request) {
                asked.incrementAndGet();
                return ModerationResponse.builder().moderation(outcome).build();
            }
        };
    }

    private Holdpoint agent(HoldpointBuilder<?> builder, Moderation outcome) {
        return builder.chatModel(model)
                .streamingChatModel(model)
                .aiService(service -> service.moderationModel(moderation(outcome)))
                .tools(tools)
                .build();
    }

    private void flaggedMessagesAreNotHeld(HoldpointBuilder<?> builder) {
        model.calls(call("c1", "deleteRecords", "{\"table\":\"users\"}"));
        Holdpoint agent = agent(builder, Moderation.flagged("Go"));

        RunResult result = agent.send("t", "Go");

        assertThat(result).isInstanceOfSatisfying(RunResult.Failed.class, failed -> assertThat(failed.cause())
                .containsInstanceOf(ModerationException.class));
        assertThat(result.failure().orElseThrow().code()).isEqualTo(ErrorCode.MODERATION);
        assertThat(agent.pending("t")).isEmpty();
        assertThat(tools.effects()).isEmpty();
    }

    private void whatPassedIsModeratedOnce(HoldpointBuilder<?> builder) {
        model.calls(call("c1", "deleteRecords", "{\"table\":\"users\"}")).says("Done.");
        Holdpoint agent = agent(builder, Moderation.notFlagged());

        agent.send("t", "Go");
        RunResult done =
                agent.resume("t", agent.pending("t").get(0).asApproval().approve());

        assertThat(done).isInstanceOf(RunResult.Completed.class);
        assertThat(tools.effects()).containsExactly("deleteRecords users");
        assertThat(asked).hasValue(1);
    }

    @Test
    @Logs("Run * on thread * failed")
    void aFlaggedMessageIsNotHeldByABlockingService() {
        flaggedMessagesAreNotHeld(Holdpoint.builder(Blocking.class));
    }

    @Test
    @Logs("Run * on thread * failed")
    void aFlaggedMessageIsNotHeldByAStreamingService() {
        flaggedMessagesAreNotHeld(Holdpoint.builder(Streaming.class));
    }

    @Test
    @Logs("Run * on thread * failed")
    void anAnswerToAFlaggedMessageIsNotReturned() {
        model.says("Hello.");

        RunResult result = agent(Holdpoint.builder(Blocking.class), Moderation.flagged("Go"))
                .send("t", "Go");

        assertThat(result.failure().orElseThrow().code()).isEqualTo(ErrorCode.MODERATION);
    }

    @Test
    void whatPassedIsModeratedOnceByABlockingService() {
        whatPassedIsModeratedOnce(Holdpoint.builder(Blocking.class));
    }

    @Test
    void whatPassedIsModeratedOnceByAStreamingService() {
        whatPassedIsModeratedOnce(Holdpoint.builder(Streaming.class));
    }
}
