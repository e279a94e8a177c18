package io.holdpoint.histories;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.Caller;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.people.IntendedCall;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What is known outside of an agent of what its model has proposed and people have said, and what must be so because of that. It knows what people
 * saw and did, and nothing of how the agent keeps it.
 */
final class Ledger {

    /** The longest time for which the plan of a call is valid. */
    static final Duration VALID = Duration.ofMinutes(40);

    /** From this amount on, two managers have to approve a payment. */
    static final int LARGE = 100;

    /** The time in which the sum of what is bought counts. */
    static final Duration PER = Duration.ofHours(1);

    /** An amount that a second opinion has concerns about. */
    static final int DOUBTED = 20;

    /** Up to this amount nobody need be asked about a tip. */
    static final int SMALL = 50;

    private static final Set<String> BY_TWO = Set.of("pay", "drain", "risk");

    static final Set<String> WITH_EFFECT = Set.of("wire", "drain");

    /** The arguments of a call, which people edit. */
    record Form(int amount, String note, List<IntendedCall> calls) {

        Form(int amount, String note) {
            this(amount, note, List.of());
        }

        static Form of(List<IntendedCall> calls) {
            return new Form(0, "", calls);
        }

        static Form of(JsonNode arguments) {
            List<IntendedCall> calls = new ArrayList<>();
            arguments
                    .path("calls")
                    .forEach(each -> calls.add(new IntendedCall(
                            each.path("tool").asText(),
                            each.path("arguments").asText(),
                            each.path("times").asInt())));
            return new Form(
                    arguments.path("amount").asInt(), arguments.path("note").asText(), calls);
        }

        ObjectNode arguments() {
            ObjectNode all = AguiCodec.mapper().createObjectNode();
            if (calls.isEmpty()) {
                return all.put("amount", amount).put("note", note);
            }
            for (IntendedCall call : calls) {
                all.withArray("/calls")
                        .addObject()
                        .put("tool", call.tool())
                        .put("arguments", call.arguments())
                        .put("times", call.times());
            }
            return all;
        }

        @Override
        public String toString() {
            return arguments().toString();
        }
    }

    /** The yes of a person to a form, with the plan that they saw, of a question that was asked at a time. */
    record Voice(Caller person, Form form, String plan, Instant askedAt) {}

    /** What somebody has approved for later. */
    static final class Kept {

        final String tool;
        /** Any amount if there is a sum. */
        final Form form;

        final Optional<Integer> sum;
        final int count;
        final Instant until;
        boolean isOver;

        /** Who has; empty for somebody. */
        final String by;
        /** The only thread where it counts; empty for all. */
        final String thread;

        Kept(String by, String thread, String tool, Form form, Optional<Integer> sum, int count, Instant until) {
            this.by = by;
            this.thread = thread;
            this.tool = tool;
            this.form = form;
            this.sum = sum;
            this.count = count;
            this.until = until;
        }

        boolean covers(String at, String called, Form with) {
            return (thread.isEmpty() || thread.equals(at))
                    && tool.equals(called)
                    && (sum.isPresent() ? form.note().equals(with.note()) : form.equals(with));
        }

        @Override
        public String toString() {
            return tool + form + sum + " x" + count + " until " + until + (isOver ? " over" : "");
        }
    }

    /** A call that the model has made, and what is known of it outside. */
    final class Proposed {

        final String id;
        final String thread;
        final String tool;
        final Form form;
        /** Whether texts were read before that nobody vouches for. */
        boolean hasRead;

        final List<Voice> voices = new ArrayList<>();
        final Set<Form> ran = new LinkedHashSet<>();
        final Set<String> saidYes = new HashSet<>();
        final Set<String> saidNo = new HashSet<>();
        int entered;
        int retries;
        boolean denied;
        boolean cancelled;
        boolean isReported;
        String told = "";

        private Proposed(String id, String thread, String tool, Form form, boolean hasRead) {
            this.id = id;
            this.thread = thread;
            this.tool = tool;
            this.form = form;
            this.hasRead = hasRead;
        }

        @Override
        public String toString() {
            return id + " " + tool + form + " entered " + entered + " times, approved " + voices;
        }
    }

    final Map<String, Proposed> calls = new LinkedHashMap<>();
    final List<Kept> kept = new ArrayList<>();
    final Set<String> lookedAt = new HashSet<>();
    final List<String> wrong = new ArrayList<>();
    final List<String> log = new ArrayList<>();
    int balance = 1_000;
    boolean isPurging;
    boolean hasOpinions;
    /** The people who may decide at present, if that changes. */
    final Set<String> suspended = new HashSet<>();
    /** When the present step of the history began: nothing is older that is asked for in it. */
    Instant stepAt = Instant.MIN;

    private record Use(Instant at, String thread, String tool, Form form) {}

    private final List<Use> uses = new ArrayList<>();

    Proposed propose(String thread, String tool, Form form, boolean hasRead) {
        Proposed call = new Proposed("c" + (calls.size() + 1), thread, tool, form, hasRead);
        calls.put(call.id, call);
        return call;
    }

    Proposed call(PendingInterrupt question) {
        return calls.get(String.valueOf(question.interrupt().toolCallId()));
    }

    String plan(int amount) {
        return "leaves " + (balance - amount) + " of " + balance;
    }

    /** The plan that a question or a preview shows; empty if there is none. */
    static String plan(JsonNode effect) {
        return effect.has("fingerprint")
                ? effect.path("plan").asText() + " of "
                        + effect.at("/facts/balance").asText()
                : "";
    }

    void wrongIf(boolean is, String what, Object about) {
        if (is) {
            wrong.add(what + ": " + about);
            log.add("WRONG " + what + ": " + about);
        }
    }

    /** A body is entered. */
    void enter(Proposed call, Form form, Instant now) {
        call.entered++;
        boolean again = call.entered > 1;
        wrongIf(call.denied, "entered though it was denied", call);
        wrongIf(call.cancelled && !again, "entered though it was cancelled", call);
        wrongIf(!call.told.isEmpty() && !again, "entered though the model was told " + call.told, call);
        wrongIf(call.entered > 1 + call.retries && !call.tool.equals("book"), "entered again", call);
        boolean asItWas = again && call.ran.contains(form);
        boolean isApproved = isEnough(call, form);
        if (!asItWas && !isApproved) {
            boolean isAllowed = !again && isAllowed(call, form);
            wrongIf(!isAllowed, "entered without approval with " + form + " when " + plan(form.amount()), call);
        }
        call.ran.add(form);
        for (IntendedCall each : form.calls()) {
            Form like = new Form(
                    Integer.parseInt(each.arguments().replaceAll("\\D+", "")),
                    each.arguments().contains("rent") ? "rent" : "food");
            if (each.tool().equals("order")) { // which lets approvals be remembered
                kept.add(new Kept("", call.thread, "order", like, Optional.empty(), each.times(), now.plus(Bank.KEPT)));
            }
        }
    }

    private boolean isEnough(Proposed call, Form form) {
        Set<Caller> people = call.voices.stream()
                .filter(voice -> voice.form().equals(form))
                .filter(voice -> !suspended.contains(voice.person().id()))
                .filter(voice -> !WITH_EFFECT.contains(call.tool)
                        || voice.plan().equals(plan(form.amount()))
                                && stepAt.isBefore(voice.askedAt().plus(VALID)))
                .map(Voice::person)
                .collect(Collectors.toSet());
        boolean byManagers = call.tool.equals("pay") && form.amount() >= LARGE;
        return people.size() >= (BY_TWO.contains(call.tool) ? 2 : 1)
                && (!byManagers
                        || people.stream()
                                        .filter(person -> person.roles().contains("manager"))
                                        .count()
                                >= 2);
    }

    /** Nobody was asked. */
    private boolean isAllowed(Proposed call, Form form) {
        if (!form.equals(call.form)) {
            return false;
        }
        if (call.tool.equals("look") || call.tool.equals("fetch")) {
            return true;
        }
        if (call.hasRead) {
            return false;
        }
        if (call.tool.equals("tip")) {
            return form.amount() <= SMALL && (form.amount() != DOUBTED || !hasOpinions);
        }
        List<Kept> covering = kept.stream()
                .filter(each -> each.covers(call.thread, call.tool, form))
                .filter(each -> !each.isOver && stepAt.isBefore(each.until) && !suspended.contains(each.by))
                .toList();
        List<Use> like = uses.stream()
                .filter(use -> covering.stream().anyMatch(each -> each.covers(use.thread(), use.tool(), use.form())))
                .toList();
        uses.add(new Use(stepAt, call.thread, call.tool, form));
        List<Kept> all = kept.stream()
                .filter(each -> each.covers(call.thread, call.tool, form))
                .toList();
        boolean isCounted =
                like.size() < all.stream().mapToInt(each -> each.count).sum();
        int spent = form.amount()
                + like.stream()
                        .filter(use -> use.at().isAfter(stepAt.minus(PER)))
                        .mapToInt(use -> use.form().amount())
                        .sum();
        boolean isWithin = covering.stream().anyMatch(each -> each.sum.isEmpty())
                || spent <= all.stream().mapToInt(each -> each.sum.orElse(0)).sum();
        return !covering.isEmpty() && isCounted && isWithin && (form.amount() != DOUBTED || !hasOpinions);
    }

    /** The model is told what came of a call. */
    void tell(Proposed call, String text) {
        boolean isNothing = text.contains("was not executed") || text.contains("had no effect");
        boolean ran = call.entered > 0 && !text.contains("as a person has confirmed");
        wrongIf(isNothing && ran, "told that nothing has run: " + text, call);
        boolean isEffect = text.contains("is there");
        wrongIf(
                isEffect && call.ran.stream().noneMatch(form -> text.endsWith(effect(call, form))),
                "told of an effect: " + text,
                call);
        wrongIf(text.contains("A person declined") && call.saidNo.isEmpty(), "told that somebody has declined", call);
        wrongIf(text.contains("Nobody was asked") && lookedAt.contains(call.id), "told that nobody was asked", call);
        boolean hasEnd = Set.of("mail", "note", "confer").contains(call.tool);
        wrongIf(text.contains("it expired") && !hasEnd && !isPurging, "told that it has expired", call);
        if (!call.told.isEmpty()) {
            wrongIf(!call.told.equals(text) && isNothing, "told " + text + " after " + call.told, call);
        }
        if (isNothing) {
            call.told = text;
        }
    }

    static String effect(Proposed call, Form form) {
        return "effect of " + call.id + " with " + form + " is there";
    }
}
