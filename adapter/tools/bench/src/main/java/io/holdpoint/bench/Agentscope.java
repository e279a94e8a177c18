package io.holdpoint.bench;

import io.agentscope.core.ReActAgent;
import io.agentscope.core.agent.RuntimeContext;
import io.agentscope.core.event.ConfirmResult;
import io.agentscope.core.message.GenerateReason;
import io.agentscope.core.message.Msg;
import io.agentscope.core.message.MsgRole;
import io.agentscope.core.message.TextBlock;
import io.agentscope.core.message.ToolUseBlock;
import io.agentscope.core.model.ChatResponse;
import io.agentscope.core.model.GenerateOptions;
import io.agentscope.core.model.Model;
import io.agentscope.core.model.ToolSchema;
import io.agentscope.core.permission.PermissionBehavior;
import io.agentscope.core.permission.PermissionContextState;
import io.agentscope.core.permission.PermissionRule;
import io.agentscope.core.state.InMemoryAgentStateStore;
import io.agentscope.core.tool.Tool;
import io.agentscope.core.tool.ToolParam;
import io.agentscope.core.tool.Toolkit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.publisher.Flux;

/** The cycle of {@link InProcess} with agentscope: one agent, a session for each thread, and a rule that asks about the tool. */
final class Agentscope {

    private static final Map<String, Object> MAIL =
            Map.of("to", "ada@example.com", "subject", "Hello", "body", "See you on Friday.");

    /** The same tool as {@link BenchTools.Gated}. */
    public static final class Mail {

        /** Sends nothing. */
        @Tool(name = "sendEmail", description = "Send an email")
        public String sendEmail(
                @ToolParam(name = "to") String to,
                @ToolParam(name = "subject") String subject,
                @ToolParam(name = "body") String body) {
            return "sent";
        }
    }

    /** Proposes a mail to each message of the user, and says that it was sent. */
    private static final class ProposingModel implements Model {

        private final AtomicInteger calls = new AtomicInteger();

        @Override
        public Flux<ChatResponse> stream(List<Msg> messages, List<ToolSchema> tools, GenerateOptions options) {
            boolean proposes = messages.get(messages.size() - 1).getRole() == MsgRole.USER;
            return Flux.just(ChatResponse.builder()
                    .id("answer")
                    .content(List.of(
                            proposes
                                    ? ToolUseBlock.builder()
                                            .id("call-" + calls.incrementAndGet())
                                            .name("sendEmail")
                                            .input(MAIL)
                                            .content(BenchTools.Gated.ARGUMENTS)
                                            .build()
                                    : TextBlock.builder().text("Sent.").build()))
                    .finishReason(proposes ? "tool_calls" : "stop")
                    .build());
        }

        @Override
        public String getModelName() {
            return "bench";
        }
    }

    private final ReActAgent agent;
    private final InMemoryAgentStateStore states = new InMemoryAgentStateStore();
    private int threads;

    Agentscope() {
        Toolkit tools = new Toolkit();
        tools.registerTool(new Mail());
        agent = ReActAgent.builder()
                .name("bench")
                .sysPrompt("You write mails.")
                .model(new ProposingModel())
                .toolkit(tools)
                .stateStore(states)
                .permissionContext(PermissionContextState.builder()
                        .addAskRule("sendEmail", new PermissionRule("sendEmail", null, PermissionBehavior.ASK, "bench"))
                        .build())
                .build();
    }

    void cycles(int count) {
        for (int i = 0; i < count; i++) {
            RuntimeContext session = RuntimeContext.builder()
                    .userId("ada")
                    .sessionId("thread-" + ++threads)
                    .build();
            Msg held =
                    agent.call(List.of(user("Write to Ada", Map.of())), session).block();
            if (held == null || held.getGenerateReason() != GenerateReason.PERMISSION_ASKING) {
                throw new IllegalStateException("not held: " + held);
            }
            ToolUseBlock call = held.getContentBlocks(ToolUseBlock.class).get(0);
            Map<String, Object> approval = Map.of(Msg.METADATA_CONFIRM_RESULTS, List.of(new ConfirmResult(true, call)));
            Msg done = agent.call(List.of(user("", approval)), session).block();
            if (done == null || !"Sent.".equals(done.getTextContent())) {
                throw new IllegalStateException("not done: " + done);
            }
            states.delete("ada", session.getSessionId());
        }
    }

    private static Msg user(String text, Map<String, Object> metadata) {
        return Msg.builder()
                .name("ada")
                .role(MsgRole.USER)
                .textContent(text)
                .metadata(metadata)
                .build();
    }
}
