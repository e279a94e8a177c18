package io.holdpoint.demo.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;

/** To ask the user something, and to say what they answered. */
sealed interface QuestionTask extends Task {

    /** The call that asks. */
    Call call();

    /** What the answer was, as a sentence; empty if the result is no such answer. */
    Optional<String> said(JsonNode answer);

    @Override
    default Step next(Turn turn) {
        Call call = call();
        return turn.outcome(call)
                .filter(Outcome::succeeded)
                .flatMap(outcome -> said(Call.parsed(outcome.toolText())))
                .<Step>map(Step.Answered::new)
                .orElseGet(() -> turn.step(call));
    }

    private static Call asking(String tool, ObjectNode args, String todo) {
        return new Call(tool, args, todo, "asked you", "question");
    }

    /** To ask anything. */
    record AskUser(String question, List<String> options) implements QuestionTask {

        @Override
        public Call call() {
            ObjectNode args = Call.noArgs().put("question", question);
            options.forEach(args.putArray("options")::add);
            return asking("askUser", args, "ask you");
        }

        @Override
        public Optional<String> said(JsonNode answer) {
            return Optional.of(answer.path("answer"))
                    .filter(JsonNode::isTextual)
                    .map(text -> text.textValue().isEmpty()
                            ? "You left the answer empty."
                            : "You answered: \u201c" + text.textValue() + "\u201d.");
        }
    }

    /** To ask for a yes or a no. */
    record Confirm(String question) implements QuestionTask {

        @Override
        public Call call() {
            return asking("confirm", Call.noArgs().put("question", question), "ask you to confirm");
        }

        @Override
        public Optional<String> said(JsonNode answer) {
            return Optional.of(answer)
                    .filter(JsonNode::isBoolean)
                    .map(yes -> yes.booleanValue() ? "You said yes." : "You said no, so I left it.");
        }
    }

    /** To file something with the tax office, for which details are needed. */
    record FileTaxes(String what) implements QuestionTask {

        @Override
        public Call call() {
            return asking(
                    "requestFilingDetails",
                    Call.noArgs().put("note", "For the " + what + "."),
                    "ask you for the details");
        }

        @Override
        public Optional<String> said(JsonNode answer) {
            return answer.path("quarter").isTextual()
                    ? Optional.of("I have what the " + what + " needs: "
                            + answer.path("quarter").textValue() + " " + answer.path("year") + ", revenue "
                            + answer.path("revenue") + ". This is a demo, so I file nothing.")
                    : Optional.empty();
        }
    }
}
