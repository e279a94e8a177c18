package io.holdpoint.internal.aiservice;

import dev.langchain4j.agent.tool.ReturnBehavior;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.service.IllegalConfigurationException;
import dev.langchain4j.service.Result;
import dev.langchain4j.service.TokenStream;
import dev.langchain4j.service.UserMessage;
import io.holdpoint.Holdpoint;
import io.holdpoint.RequiresApproval;
import io.holdpoint.test.ScriptedModel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** A model proposes a gated tool in each way that an AI Service has, and nobody has approved it. In a class loader of its own. */
public final class GatedStory implements Callable<String> {

    private final List<String> ran = new ArrayList<>();

    interface Blocking {

        Result<String> say(@UserMessage String text);
    }

    interface Streaming {

        TokenStream say(@UserMessage String text);
    }

    public final class Tools {

        @Tool
        @RequiresApproval
        public String pay(int amount) {
            ran.add("pay");
            return "paid " + amount;
        }

        @Tool(returnBehavior = ReturnBehavior.IMMEDIATE)
        @RequiresApproval
        public String move(int amount) {
            ran.add("move");
            return "moved " + amount;
        }

        @Tool
        public String look() {
            return "seen";
        }
    }

    /** Tells how it ended: {@code refused} when it was built, {@code failed} later, {@code held}, or what has run unasked. */
    @Override
    public String call() {
        boolean failed = false;
        for (Class<?> service : List.of(Blocking.class, Streaming.class)) {
            for (boolean concurrent : List.of(false, true)) {
                for (String tool : List.of("pay", "move")) {
                    try {
                        hold(service, concurrent, tool);
                    } catch (IllegalConfigurationException e) {
                        return String.valueOf(e.getMessage()).contains("cannot gate this LangChain4j")
                                ? "refused"
                                : "failed";
                    } catch (RuntimeException | LinkageError e) {
                        failed = true;
                    }
                }
            }
        }
        return ran.isEmpty() ? failed ? "failed" : "held" : "ran unasked: " + ran;
    }

    private void hold(Class<?> service, boolean concurrent, String tool) {
        ScriptedModel model = new ScriptedModel();
        model.calls(ScriptedModel.call("1", "look", "{}"), ScriptedModel.call("2", tool, "{\"amount\": 5}"))
                .says("done");
        try (Holdpoint agent = Holdpoint.builder(service)
                .chatModel(model)
                .streamingChatModel(model)
                .aiService(custom -> {
                    if (concurrent) {
                        custom.executeToolsConcurrently();
                    }
                })
                .tools(new Tools())
                .build()) {
            agent.send("t", "go");
        }
    }
}
