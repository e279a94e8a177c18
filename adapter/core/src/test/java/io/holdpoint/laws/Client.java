package io.holdpoint.laws;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.laws.Program.Input;
import io.holdpoint.laws.Program.Reply;
import io.holdpoint.laws.Program.Tweak;
import io.holdpoint.store.Call.Question;
import io.holdpoint.store.Grant;
import io.holdpoint.testing.Bench;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes inputs, and knows what is to come of each. */
final class Client {

    /** What has to be said about an input. */
    enum Expected {
        ACCEPTED,
        REFUSED,
        EITHER
    }

    /**
     * An input.
     *
     * @param permits effects that it allows
     * @param retries effects that it allows once more, by interrupt
     * @param remembers tools that need not be asked about for a while, by interrupt
     */
    record Sent(
            RunAgentInput input,
            List<String> permits,
            Map<String, String> retries,
            Map<String, String> remembers,
            Expected expected) {

        /** Only lets go of what is asked. */
        boolean cancels() {
            return !input.resume().isEmpty()
                    && input.resume().stream().allMatch(entry -> entry.status() == ResumeEntry.Status.CANCELLED);
        }

        Sent again() {
            return new Sent(input, permits, retries, remembers, Expected.EITHER);
        }
    }

    /** What the answers of an input allow. */
    private static final class Allowed {

        private final List<String> permits = new ArrayList<>();
        private final Map<String, String> retries = new HashMap<>();
        private final Map<String, String> remembers = new HashMap<>();

        void by(PendingInterrupt asked, ResumeEntry entry, Reply reply) {
            if (needsSeveral(asked)) {
                return; // who has approved is noted elsewhere
            }
            if (reply == Reply.REMEMBER && isApproval(asked)) {
                remembers.put(asked.id(), asked.toolName());
            }
            effect(asked, entry, reply).ifPresent(effect -> {
                if (outcomeUnknown(asked) || failed(asked)) {
                    retries.put(asked.id() + " " + effect, effect);
                } else if (asked.toolName().equals("book") && !ownQuestion(asked)) {
                    retries.put(asked.id() + " " + effect, LawTools.mayAsk(effect.substring("book ".length())));
                } else {
                    permits.add(effect);
                }
            });
        }

        Sent with(RunAgentInput input, Expected expected) {
            return new Sent(input, permits, retries, remembers, expected);
        }
    }

    private static final List<String> MALFORMED = List.of(
            "null",
            "true",
            "[]",
            "\"true\"",
            "{}",
            "{\"approved\":\"true\"}",
            "{\"approved\":1}",
            "{\"approved\":null}",
            "{\"__proto__\":{\"approved\":true}}",
            "{\"approved\":true,\"editedArgs\":[]}",
            "{\"approved\":true,\"editedArgs\":{\"evil\":1}}");

    private final World world;
    private final List<PendingInterrupt> everAsked = new ArrayList<>();
    private int runs;

    Client(World world) {
        this.world = world;
    }

    void seesInterrupts() {
        world.pending().stream().filter(asked -> !everAsked.contains(asked)).forEach(everAsked::add);
    }

    /** One input; the other kinds are made from the last one. */
    Sent make(Input input) {
        if (input instanceof Input.Answer answer) {
            return answer(answer);
        }
        if (input instanceof Input.Replace replace) {
            return replace(replace);
        }
        if (input instanceof Input.Stale stale && !everAsked.isEmpty()) {
            return stale(stale);
        }
        return input instanceof Input.Say ? say(List.of()) : sent(List.of(), List.of(), Expected.ACCEPTED);
    }

    /** Lets go of all that is open, with or without a new message. */
    Sent letGo(Message... messages) {
        List<ResumeEntry> cancels =
                world.pending().stream().map(PendingInterrupt::cancel).toList();
        return sent(cancels, List.of(messages), Expected.ACCEPTED);
    }

    Message newMessage() {
        String id = "u" + world.nextNumber();
        return Bench.user(id, id);
    }

    private Sent say(List<ResumeEntry> entries) {
        List<Question> open = world.questions();
        boolean mayTalk = open.stream().allMatch(question -> question.isExpired(world.clock.instant()));
        return sent(entries, List.of(newMessage()), mayTalk ? Expected.ACCEPTED : Expected.REFUSED);
    }

    /** Of a message that is there; what becomes of it depends on what waits. */
    private Sent replace(Input.Replace replace) {
        List<Message> transcript = world.store.transcript(world.threadId);
        List<Integer> places = new ArrayList<>();
        for (int i = 0; i < transcript.size(); i++) {
            if (transcript.get(i) instanceof Message.User
                    ? replace.say()
                    : !replace.say() && transcript.get(i - 1) instanceof Message.User) {
                places.add(i);
            }
        }
        if (places.isEmpty()) {
            return say(List.of());
        }
        int place = places.get(replace.which() % places.size());
        List<Message> messages = new ArrayList<>(replace.named() ? List.of() : transcript.subList(0, place));
        if (replace.say()) {
            messages.add(newMessage());
        }
        Sent sent = sent(List.of(), messages, Expected.EITHER);
        ObjectNode forwarded = AguiCodec.mapper().createObjectNode();
        forwarded.putObject("holdpoint").put("replaces", transcript.get(place).id());
        return replace.named() ? new Allowed().with(sent.input().withForwardedProps(forwarded), Expected.EITHER) : sent;
    }

    private Sent stale(Input.Stale stale) {
        PendingInterrupt asked = everAsked.get(stale.which() % everAsked.size());
        ResumeEntry entry = entry(asked, stale.reply());
        Allowed allowed = new Allowed();
        allowed.by(asked, entry, stale.reply());
        return allowed.with(input(List.of(entry), List.of()), Expected.EITHER);
    }

    /** Answers one question, open or not, as somebody does who is not on the thread. */
    Optional<One> answersOne(int which, Reply reply) {
        List<PendingInterrupt> asked = which % 8 == 0 ? everAsked : world.pending();
        if (asked.isEmpty()) {
            return Optional.empty();
        }
        PendingInterrupt one = asked.get(which % asked.size());
        Reply said = reply == Reply.REMEMBER && needsSeveral(one) ? Reply.APPROVE : reply;
        ResumeEntry entry = entry(one, said);
        Allowed allowed = new Allowed();
        allowed.by(one, entry, said);
        Optional<String> voice = effect(one, entry, said).filter(effect -> needsSeveral(one));
        return Optional.of(new One(allowed.with(input(List.of(entry), List.of()), Expected.EITHER), voice));
    }

    /** An answer to one question; {@code voice} is the effect that needs several, if it approves one. */
    record One(Sent sent, Optional<String> voice) {}

    private static boolean needsSeveral(PendingInterrupt asked) {
        return asked.toolName().equals("pay") && isApproval(asked);
    }

    private Sent answer(Input.Answer answer) {
        List<Question> open = world.questions();
        if (open.isEmpty()) {
            return make(answer.say() ? new Input.Say() : new Input.Nothing());
        }
        List<ResumeEntry> entries = new ArrayList<>();
        Allowed allowed = new Allowed();
        boolean valid = answer.tweak() == Tweak.NOTHING;
        Instant now = world.clock.instant();
        for (int i = 0; i < open.size(); i++) {
            PendingInterrupt asked = PendingInterrupt.of(open.get(i).interrupt().copy());
            Reply reply = answer.replies().get(i % answer.replies().size());
            ResumeEntry entry = entry(asked, reply);
            entries.add(entry);
            boolean isLate = open.get(i).isExpired(now) && !(reply == Reply.DENY && isApproval(asked));
            valid &= reply == Reply.CANCEL || (reply != Reply.MALFORMED && !isLate && !notOffered(asked, reply));
            allowed.by(asked, entry, reply);
        }
        switch (answer.tweak()) {
            case NOTHING -> {
                // as it is
            }
            case PARTIAL -> entries.remove(entries.size() - 1);
            case TWICE -> entries.add(entries.get(0));
            case UNKNOWN -> entries.add(ResumeEntry.resolved("int_unknown", JsonNodeFactory.instance.objectNode()));
        }
        if (entries.isEmpty()) {
            return make(answer.say() ? new Input.Say() : new Input.Nothing());
        }
        Expected expected = valid ? Expected.ACCEPTED : Expected.REFUSED;
        List<Message> messages = answer.say() ? List.of(newMessage()) : List.of();
        return allowed.with(input(entries, messages), expected);
    }

    private static boolean notOffered(PendingInterrupt asked, Reply reply) {
        boolean edits = reply == Reply.EDIT && asked.toolName().equals("delete");
        boolean remembers = reply == Reply.REMEMBER && !asked.toolName().equals("send");
        return (edits || remembers) && isApproval(asked);
    }

    private static boolean isApproval(PendingInterrupt asked) {
        return asked.reason().equals("tool_call");
    }

    private static boolean outcomeUnknown(PendingInterrupt asked) {
        return asked.reason().equals("langchain4j:outcome_unknown");
    }

    private static boolean failed(PendingInterrupt asked) {
        return asked.reason().equals("langchain4j:tool_error");
    }

    private static boolean ownQuestion(PendingInterrupt asked) {
        return asked.reason().equals(LawTools.QUESTION);
    }

    /** What an answer allows. */
    private static Optional<String> effect(PendingInterrupt asked, ResumeEntry entry, Reply reply) {
        String n = asked.arguments().path("n").asText();
        if (ownQuestion(asked)) {
            return reply == Reply.APPROVE || reply == Reply.EDIT || reply == Reply.REMEMBER
                    ? Optional.of(LawTools.effect(asked.toolName(), n))
                    : Optional.empty();
        }
        if (reply == Reply.EDIT && !outcomeUnknown(asked) && entry.payload() != null) {
            n = entry.payload().path("editedArgs").path("n").asText();
        } else if (reply != Reply.APPROVE && reply != Reply.REMEMBER) {
            return Optional.empty();
        }
        return Optional.of(LawTools.effect(asked.toolName(), n));
    }

    private ResumeEntry entry(PendingInterrupt asked, Reply reply) {
        if (ownQuestion(asked) && reply == Reply.DENY && world.nextNumber() % 2 == 0) {
            return asked.asInput().respond("done by hand");
        }
        if (ownQuestion(asked) && reply != Reply.CANCEL && reply != Reply.MALFORMED) {
            return resolved(
                    asked,
                    reply == Reply.APPROVE || reply == Reply.REMEMBER
                            ? "\"yes\""
                            : reply == Reply.EDIT ? "\"fine\"" : "\"no\"");
        }
        if (failed(asked) && reply != Reply.CANCEL && reply != Reply.MALFORMED) {
            return switch (reply) {
                case APPROVE, REMEMBER -> asked.asFailure().retry();
                case EDIT -> asked.asFailure().retryWith(Map.of("n", "e" + world.nextNumber()));
                default -> asked.asFailure().giveUp("no");
            };
        }
        return switch (reply) {
            case APPROVE ->
                outcomeUnknown(asked)
                        ? resolved(asked, "{\"action\":\"retry\"}")
                        : asked.asApproval().approve();
            case REMEMBER ->
                outcomeUnknown(asked)
                        ? resolved(asked, "{\"action\":\"retry\"}")
                        : asked.asApproval().approveAndRemember(Grant.Scope.TOOL);
            case EDIT ->
                outcomeUnknown(asked)
                        ? resolved(asked, "{\"action\":\"done\",\"note\":\"checked\"}")
                        : asked.asApproval().approveWith(Map.of("n", "e" + world.nextNumber()));
            case DENY ->
                outcomeUnknown(asked)
                        ? resolved(asked, "{\"action\":\"not_done\"}")
                        : asked.asApproval().deny("no");
            case CANCEL -> asked.cancel();
            case MALFORMED -> resolved(asked, MALFORMED.get(world.nextNumber() % MALFORMED.size()));
        };
    }

    private static ResumeEntry resolved(PendingInterrupt asked, String payload) {
        return ResumeEntry.resolved(asked.id(), json(payload));
    }

    private Sent sent(List<ResumeEntry> entries, List<Message> messages, Expected expected) {
        return new Allowed().with(input(entries, messages), expected);
    }

    private RunAgentInput input(List<ResumeEntry> entries, List<Message> messages) {
        return RunAgentInput.of(world.threadId, "run-" + ++runs, messages).withResume(List.copyOf(entries));
    }

    private static JsonNode json(String text) {
        try {
            return AguiCodec.mapper().readTree(text);
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    /** What a call proposes to do. */
    static String effect(String tool, String arguments) {
        JsonNode tree = json(arguments);
        return LawTools.effect(
                tool, tree instanceof ObjectNode object ? object.path("n").asText() : "");
    }
}
