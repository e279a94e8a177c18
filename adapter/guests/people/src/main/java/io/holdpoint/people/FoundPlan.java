package io.holdpoint.people;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.ProposedCall;
import io.holdpoint.internal.LogText;
import io.holdpoint.internal.gate.ApprovalForm;
import io.holdpoint.internal.gate.Edits;
import io.holdpoint.internal.gate.ModelTexts;
import io.holdpoint.internal.gate.ToolArguments;
import io.holdpoint.rule.Answering;
import io.holdpoint.rule.Approved;
import io.holdpoint.rule.Say;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The plan of a call as it was found at one moment, or why there was none. */
record FoundPlan(String toolName, ObjectNode plan, Optional<Why> failed) {

    private static final Logger LOG = LoggerFactory.getLogger(FoundPlan.class);

    /** A number with more zeros at its end is written with an exponent. */
    private static final int MOST_ZEROS = 30;

    /** The fingerprint of the plan and its facts: a section without it has no plan. */
    private static final String SEEN = "fingerprint";

    private static final int NAMED = 3;
    private static final int LONGEST_NAMED = 100;

    /** Why a question is asked again, or has no plan. */
    enum Why {
        FAILED("What it would do could not be found out. The reason is in the server's log."),
        LATE("What it would do was not found out in time."),
        LARGE("What it would do is too much to be shown: more than " + Effect.MAX_LENGTH + " characters, or more than "
                + Effect.MOST_FACTS + " facts of " + Effect.MAX_FACT_LENGTH + " characters."),
        UNSEEN("What it would do was not shown before."),
        EDITED("It would do something else with the edited arguments."),
        EXPIRED("What was shown is too old by now."),
        CHANGED("What was shown no longer holds.");

        private final String sentence;

        Why(String sentence) {
            this.sentence = sentence;
        }

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Makes the plan, and waits for it no longer than it may take. */
    static FoundPlan of(Effect effect, ProposedCall call) {
        FutureTask<FoundPlan> task = new FutureTask<>(() -> made(effect, call));
        long began = System.nanoTime();
        long most = Long.MAX_VALUE;
        try {
            Thread thread = new Thread(task, "holdpoint-effect");
            thread.setDaemon(true);
            thread.start();
            most = effect.within().toMillis();
            return task.get(most, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("the run was stopped while it waited for a plan", e);
        } catch (Throwable e) { // no thread, or what the effect has thrown: not every language checks exceptions
            if (TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began) >= most) {
                return failed(call, Why.LATE); // what ends it because it is late may be heard of first
            }
            Throwable cause = e instanceof ExecutionException ? e.getCause() : e;
            LOG.warn(
                    "The plan of a call of {} could not be made; a person is told so: {}",
                    call.toolName(),
                    LogText.of(cause));
            return failed(call, cause instanceof Written.TooLongException ? Why.LARGE : Why.FAILED);
        } finally {
            task.cancel(true);
        }
    }

    private static FoundPlan made(Effect effect, ProposedCall call) throws Exception {
        ObjectNode plan = (ObjectNode) Written.asStored(effect.plan(call).written());
        if (plan.path("plan").isNull()) {
            throw new IllegalArgumentException("the plan shows null");
        }
        JsonNode facts = plain(plan.path("facts"));
        boolean isLarge = facts.size() > Effect.MOST_FACTS
                || facts.properties().stream()
                        .anyMatch(fact -> fact.getKey().length()
                                        + fact.getValue().toString().length()
                                > Effect.MAX_FACT_LENGTH);
        plan.set("facts", facts);
        return isLarge ? failed(call, Why.LARGE) : new FoundPlan(call.toolName(), plan, Optional.empty());
    }

    private static FoundPlan failed(ProposedCall call, Why why) {
        return new FoundPlan(call.toolName(), JsonNodeFactory.instance.objectNode(), Optional.of(why));
    }

    /** The same JSON with equal numbers for numbers that are as large, whichever type or store they come from. */
    private static JsonNode plain(JsonNode value) {
        if (value.isNumber()) {
            BigDecimal number = value.decimalValue().stripTrailingZeros();
            return DecimalNode.valueOf(
                    number.scale() < 0 && number.scale() > -MOST_ZEROS ? number.setScale(0) : number);
        } else if (value.isObject()) {
            ObjectNode plain = JsonNodeFactory.instance.objectNode();
            value.properties().forEach(member -> plain.set(member.getKey(), plain(member.getValue())));
            return plain;
        } else if (value.isArray()) {
            ArrayNode plain = JsonNodeFactory.instance.arrayNode();
            value.forEach(each -> plain.add(plain(each)));
            return plain;
        }
        return value;
    }

    /** The section of a question about the call, in the place of one with a section. */
    ObjectNode shown(JsonNode before) {
        ObjectNode section = section(before);
        failed.ifPresent(why -> told(section, why));
        return section;
    }

    /** Where there is no plan, the question says so in its place. Whoever edits the call: how often it was asked for which reason goes on. */
    private ObjectNode section(JsonNode before) {
        ObjectNode section = plan.deepCopy();
        if (before.path("times") instanceof ObjectNode counted) {
            section.set("times", counted.deepCopy());
        }
        if (failed.isPresent()) {
            return section.put("plan", failed.get().sentence);
        }
        ObjectNode facts = (ObjectNode) plan.path("facts");
        ObjectNode all = JsonNodeFactory.instance.objectNode();
        all.set("facts", facts);
        all.set("plan", plain(section.path("plan")));
        section.put(SEEN, ToolArguments.sha256(ToolArguments.write(ToolArguments.canonical(all))));
        if (facts.isEmpty()) {
            section.remove("facts");
        }
        return section;
    }

    /** The word on whether the call may run, after what was shown. */
    Say comparedWith(Approved approved) {
        ObjectNode section = section(approved.shown());
        if (approved.shown().has(SEEN) && failed.isEmpty()) {
            addChanged(section, approved.shown());
        }
        Why why = why(section, approved).orElse(null);
        if (why == null) {
            return Say.NOTHING;
        }
        int times = section.path("times").path(why.word()).asInt();
        if (times >= Effect.MOST_TIMES) {
            return Say.deny("it was asked about " + times
                    + " times for this reason, and once more this was found before it ran: " + why.sentence
                    + " Somebody who looks after the tool has to see to it");
        }
        told(section, why);
        return Say.ask(section.path("reason").asText(), section);
    }

    private Optional<Why> why(JsonNode section, Approved approved) {
        JsonNode before = approved.shown();
        boolean isChanged = section.has("changed");
        if (failed.isPresent()) {
            return failed;
        } else if (approved.said().isTextual() && !approved.said().equals(before.path(SEEN))) {
            // it names the plan of its own edit, as it was shown while that was made
            return approved.said().equals(section.path(SEEN)) ? expired(section, approved) : Optional.of(Why.CHANGED);
        } else if (!before.has(SEEN)) {
            return Optional.of(Why.UNSEEN);
        } else if (approved.edited()
                && (isChanged || !plain(before.path("plan")).equals(plain(section.path("plan"))))) {
            return Optional.of(Why.EDITED);
        }
        return isChanged ? Optional.of(Why.CHANGED) : expired(before, approved);
    }

    /** An approval of what was shown names another plan than the question has; so does one with edits that change nothing. */
    static boolean isOfAnother(Answering answer) {
        JsonNode named = answer.payload().path("effect");
        JsonNode metadata = Objects.requireNonNullElseGet(
                answer.question().interrupt().metadata(), JsonNodeFactory.instance::objectNode);
        return named.isTextual()
                && !named.equals(metadata.at("/langchain4j/effect/" + SEEN))
                && ApprovalForm.sentEdits(answer.payload())
                        .filter(edits -> !Edits.isSame(edits, metadata.at("/langchain4j/args")))
                        .isEmpty();
    }

    private static Optional<Why> expired(JsonNode shown, Approved approved) {
        boolean isOld = shown.has("validFor")
                && !approved.now()
                        .isBefore(approved.askedAt()
                                .plus(Duration.parse(shown.path("validFor").asText())));
        return isOld ? Optional.of(Why.EXPIRED) : Optional.empty();
    }

    /** The facts that are others now: as they were and as they are; one that is not there any more, or was not, is on one side only. */
    private void addChanged(ObjectNode section, JsonNode before) {
        JsonNode was = plain(before.path("facts"));
        JsonNode is = plan.path("facts");
        for (String name : names(was, is)) {
            if (!was.path(name).equals(is.path(name))
                    && !Tolerance.allows(before.path("within").path(name), was.path(name), is.path(name))) {
                ObjectNode old = section.withObject("/changed/was");
                ObjectNode present = section.withObject("/changed/is");
                Optional.ofNullable(was.get(name)).ifPresent(value -> old.set(name, value));
                Optional.ofNullable(is.get(name)).ifPresent(value -> present.set(name, value));
            }
        }
    }

    private static Set<String> names(JsonNode one, JsonNode other) {
        Set<String> names = new TreeSet<>();
        one.fieldNames().forEachRemaining(names::add);
        other.fieldNames().forEachRemaining(names::add);
        return names;
    }

    private void told(ObjectNode section, Why why) {
        int times = section.path("times").path(why.word()).asInt() + 1;
        section.withObjectProperty("times").put(why.word(), times);
        String reason = why.sentence;
        List<String> named = new ArrayList<>();
        differences("", section.at("/changed/was"), section.at("/changed/is"), named);
        if (!named.isEmpty()) {
            String more = named.size() > NAMED ? "; and " + (named.size() - NAMED) + " more" : "";
            reason += " " + named.stream().limit(NAMED).collect(Collectors.joining("; ")) + more + ".";
        }
        if (times >= Effect.MOST_TIMES) {
            reason += " It was asked for this reason " + times
                    + " times, and does not run if it happens again: deny it, and tell who looks after \"" + toolName
                    + "\".";
        }
        section.put("why", why.word()).put("reason", ModelTexts.shown(reason));
    }

    /** Names what differs: of a row the columns, of a row that is not there any more all that it had. */
    private static void differences(String of, JsonNode was, JsonNode is, List<String> named) {
        for (String name : names(was, is)) {
            JsonNode old = was.path(name);
            JsonNode present = is.path(name);
            if (old.isObject() && present.isObject()) {
                differences(" of " + name + of, old, present, named);
            } else if (!old.equals(present)) {
                named.add(name + of + " was " + value(old) + " and is " + value(present));
            }
        }
    }

    private static String value(JsonNode value) {
        String text = value.isMissingNode() ? "not there" : value.toString();
        if (value.isObject()) {
            text = value.properties().stream()
                    .map(member -> member.getKey() + " " + value(member.getValue()))
                    .collect(Collectors.joining(", "));
        }
        return text.length() <= LONGEST_NAMED ? text : text.substring(0, LONGEST_NAMED) + "…";
    }
}
