package io.holdpoint.service;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.ReturnBehavior;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolMemoryId;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.guardrail.InputGuardrail;
import dev.langchain4j.guardrail.InputGuardrailResult;
import dev.langchain4j.guardrail.OutputGuardrail;
import dev.langchain4j.guardrail.OutputGuardrailResult;
import io.holdpoint.service.DropIn.Report;
import java.util.List;
import java.util.function.Consumer;

/** Tools and guardrails of the services, which say what they were called with. */
final class DropInTools {

    private DropInTools() {}

    public static final class Tools {

        private final Consumer<String> note;

        Tools(Consumer<String> note) {
            this.note = note;
        }

        @Tool
        public int add(@P("a") int a, @P("b") int b) {
            note.accept("add " + a + " " + b);
            return a + b;
        }

        @Tool
        public String note(@P("text") String text, @ToolMemoryId String id) {
            note.accept("note " + text + " of " + id);
            return "noted " + text;
        }

        @Tool
        public void forget(@P(value = "what", required = false) String what) {
            note.accept("forget " + what);
        }

        @Tool
        public String fail(@P("why") String why) {
            note.accept("fail " + why);
            throw new IllegalStateException("failed because of " + why);
        }

        @Tool
        public Report weather(@P("city") String city) {
            note.accept("weather " + city);
            return new Report(city, 20);
        }

        @Tool
        public String send(@P("to") List<String> to, @P("report") Report report) {
            note.accept("send " + to + " " + report);
            return "";
        }
    }

    public static final class AtOnce {

        private final Consumer<String> note;

        AtOnce(Consumer<String> note) {
            this.note = note;
        }

        @Tool(returnBehavior = ReturnBehavior.IMMEDIATE)
        public String now(@P("text") String text) {
            note.accept("now " + text);
            return "now " + text;
        }
    }

    record Rewriting(Consumer<String> note) implements InputGuardrail {

        @Override
        public InputGuardrailResult validate(UserMessage message) {
            String text = message.singleText();
            note.accept("guards " + text);
            return text.contains("rewrite")
                    ? successWith("Rewritten.")
                    : text.contains("forbidden") ? fatal("no") : success();
        }
    }

    record Polite(Consumer<String> note) implements OutputGuardrail {

        @Override
        public OutputGuardrailResult validate(AiMessage message) {
            note.accept("reads " + message.text());
            String text = String.valueOf(message.text());
            return text.contains("rude")
                    ? reprompt("It is rude.", "Be polite.")
                    : text.contains("odd") ? retry("odd") : success();
        }
    }
}
