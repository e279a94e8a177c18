package io.holdpoint.histories;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.Caller;
import io.holdpoint.Decided;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.PendingInterrupt.Approval;
import io.holdpoint.RunRejectedException;
import io.holdpoint.RunResult;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.histories.Bank.Node;
import io.holdpoint.histories.Ledger.Form;
import io.holdpoint.histories.Ledger.Kept;
import io.holdpoint.histories.Ledger.Proposed;
import io.holdpoint.histories.Ledger.Voice;
import io.holdpoint.internal.Ids;
import io.holdpoint.people.IntendedCall;
import io.holdpoint.people.Plans;
import io.holdpoint.reach.LinkView;
import io.holdpoint.reach.Reach;
import io.holdpoint.store.Call;
import io.holdpoint.store.Grant;
import io.holdpoint.testing.RecordingSink;
import io.holdpoint.testing.StreamRules;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.BiFunction;

/** The people of a {@link Bank}: they approve, edit, deny and have remembered, in the application and by links, and the ledger hears of it. */
final class Answers {

    private static final int SUM = 100;

    private final Bank bank;
    private final Ledger ledger;
    private final Onlookers onlookers;
    private final Random chance;
    private final List<Link> links = new ArrayList<>();

    /** Why the last answer was refused. */
    private Optional<ErrorCode> refusal = Optional.empty();

    /** What became of an answer. */
    private enum Took {
        YES,
        NO,
        /** Something has failed, or something else has happened meanwhile. */
        PERHAPS
    }

    private record Link(String token, String person, PendingInterrupt question) {}

    /** An answer, the form that it approves, if any, the plan that was seen, and what is to be remembered. */
    private record Said(ResumeEntry answer, Optional<Form> form, String plan, Optional<Kept> kept) {}

    Answers(Bank bank, Onlookers onlookers) {
        this.bank = bank;
        this.ledger = bank.ledger;
        this.onlookers = onlookers;
        this.chance = bank.chance;
    }

    Caller anybody() {
        return bank.has(Bank.Feature.FOUR_EYES) && chance.nextInt(6) == 0
                ? Bank.ANN
                : Bank.PEOPLE.get(chance.nextInt(Bank.PEOPLE.size()));
    }

    // --- links

    Object link(Holdpoint agent) {
        Holdpoint grace = agent.as(Bank.PEOPLE.get(0));
        List<PendingInterrupt> open = grace.pending(bank.at);
        if (open.isEmpty()) {
            return "no link";
        }
        PendingInterrupt question = open.get(chance.nextInt(open.size()));
        String person = anybody().id();
        Optional<String> address =
                Reach.of(grace).link(bank.at, question.id(), person).map(URI::toString);
        address.ifPresent(made -> links.add(new Link(made.substring(made.lastIndexOf('/') + 1), person, question)));
        return "link for " + person + " to " + question.id() + " " + address.isPresent();
    }

    Object press(Node node) {
        if (links.isEmpty()) {
            return "no link to press";
        }
        List<Link> open = links.stream()
                .filter(each -> onlookers.open(each.question().id()).isPresent())
                .toList();
        List<Link> from = open.isEmpty() || chance.nextInt(3) == 0 ? links : open;
        Link link = from.get(chance.nextInt(from.size()));
        Caller person = Bank.person(link.person()).orElseThrow();
        Caller reader =
                switch (chance.nextInt(4)) {
                    case 0 -> Caller.ANONYMOUS;
                    case 1 -> anybody();
                    default -> person;
                };
        Reach reach = Reach.of(node.agent.as(reader));
        int before = bank.disturbances;
        LinkView view = reach.openLink(link.token());
        if (view.state() != LinkView.State.OPEN) {
            ResumeEntry answer = ResumeEntry.resolved(
                    link.question().interrupt(),
                    AguiCodec.mapper().createObjectNode().put("approved", true));
            return "presses a link that is " + view.state() + ": "
                    + reach.pressLink(link.token(), answer).state();
        }
        boolean isOthers = reader != Caller.ANONYMOUS && !reader.equals(person);
        ledger.wrongIf(isOthers, "a link is open to " + reader, link);
        ledger.wrongIf(
                before == bank.disturbances
                        && onlookers.open(link.question().id()).isEmpty(),
                "a link is open to what is decided",
                link);
        PendingInterrupt shown = view.question().orElseThrow();
        ledger.wrongIf(!shown.arguments().equals(link.question().arguments()), "a link shows another form", shown);
        return give(node, person, shown, (by, answer) -> {
            int then = bank.disturbances;
            LinkView after = reach.pressLink(link.token(), answer);
            bank.say("  the link is " + after.state() + ": " + after.sentence());
            return switch (after.state()) {
                case WAITS, DECIDED -> Took.YES;
                case REFUSED, FORBIDDEN -> then == bank.disturbances ? Took.NO : Took.PERHAPS;
                default -> Took.PERHAPS;
            };
        });
    }

    // --- answers

    /** Somebody answers a question that they have before them. */
    Object answer(Node node, Caller person, PendingInterrupt question) {
        return give(node, person, question, (by, answer) -> give(node.agent.as(by), answer));
    }

    private Took give(
            Node node, Caller person, PendingInterrupt question, BiFunction<Caller, ResumeEntry, Took> giving) {
        Proposed call = ledger.call(question);
        boolean isOver = bank.isCalm() && !bank.clock.instant().isBefore(end(question.interrupt()));
        if (bank.happens(20) || isOver) {
            return cancel(call, person, question, giving);
        }
        if (!(question instanceof Approval asked)) {
            ResumeEntry answer = other(call, question);
            call.saidYes.add(person.id());
            bank.say(node.name + ": " + person.id() + " says " + answer.payload() + " of " + call.id);
            return giving.apply(person, answer);
        }
        Said said = said(node.agent.as(person), person, call, asked);
        Form shown = Form.of(asked.arguments());
        Optional<Call.Question> stored = onlookers.open(asked.id());
        Instant now = bank.clock.instant();
        boolean isLate =
                stored.filter(each -> !now.isBefore(end(each.interrupt()))).isPresent();
        Optional<Voice> voice = said.form()
                .map(form -> new Voice(
                        person,
                        form,
                        said.plan(),
                        stored.map(Call.Question::askedAt).orElse(now)));
        List<Voice> before = List.copyOf(call.voices);
        voice.ifPresent(call.voices::add);
        said.kept().ifPresent(ledger.kept::add);
        (voice.isPresent() ? call.saidYes : call.saidNo).add(person.id());
        bank.say(node.name + ": " + person.id() + " says " + said.answer().payload() + " to " + call.id + " " + shown);
        int disturbances = bank.disturbances;
        Took took = giving.apply(person, said.answer());
        boolean isQuiet = disturbances == bank.disturbances;
        if (took == Took.NO) {
            voice.ifPresent(each -> call.voices.removeIf(other -> other == each));
            said.kept().ifPresent(ledger.kept::remove);
        } else if (took == Took.YES && voice.isEmpty()) {
            call.denied = true;
            ledger.kept.stream()
                    .filter(kept -> isQuiet && kept.covers(call.thread, call.tool, shown))
                    .forEach(kept -> kept.isOver = true);
        } else if (took == Took.YES && isQuiet) {
            ledger.wrongIf(isLate, "taken though it had expired", call);
            if (!said.form().equals(Optional.of(shown))) {
                call.voices.subList(0, before.size()).clear();
            }
        }
        JsonNode mayDecide = asked.interrupt().metadata().at("/langchain4j/mayDecide");
        boolean hasVoted = before.stream().anyMatch(each -> each.person().equals(person));
        boolean asIs =
                isQuiet && !isLate && !hasVoted && said.form().equals(Optional.of(shown)) && mayDecide.isBoolean();
        ledger.wrongIf(asIs && took == Took.YES && !mayDecide.booleanValue(), "taken though shown as others'", call);
        ledger.wrongIf(
                asIs
                        && took == Took.NO
                        && mayDecide.booleanValue()
                        && refusal.equals(Optional.of(ErrorCode.INTERRUPT_FORBIDDEN)),
                "offered to " + person.id() + " and forbidden",
                call);
        return took;
    }

    private static Instant end(Interrupt interrupt) {
        return Optional.ofNullable(interrupt.expiresAt()).orElse(Instant.MAX);
    }

    private Took cancel(
            Proposed call, Caller person, PendingInterrupt question, BiFunction<Caller, ResumeEntry, Took> giving) {
        bank.say("  " + person.id() + " cancels the question about " + call.id);
        int before = bank.disturbances;
        boolean isFirst = call.entered == 0;
        Took took = giving.apply(person, question.cancel());
        call.cancelled |= took == Took.YES && isFirst && before == bank.disturbances; // it is no error to come too late
        return took;
    }

    private ResumeEntry other(Proposed call, PendingInterrupt question) {
        if (question instanceof PendingInterrupt.UnknownOutcome unknown) {
            int how = chance.nextInt(3);
            call.retries += how == 0 ? 1 : 0;
            call.isReported |= how > 0;
            return how == 0 ? unknown.retry() : how == 1 ? unknown.done() : unknown.notDone();
        } else if (question instanceof PendingInterrupt.Failure failed) {
            boolean again = chance.nextBoolean();
            call.retries += again ? 1 : 0;
            return again ? failed.retry() : failed.giveUp();
        }
        call.retries++;
        return ((PendingInterrupt.Input) question).answer(true);
    }

    private Said said(Holdpoint agent, Caller person, Proposed call, Approval asked) {
        Form shown = Form.of(asked.arguments());
        String plan = Ledger.plan(asked.interrupt().metadata().at("/langchain4j/effect"));
        int how = bank.isCalm() ? 0 : chance.nextInt(12);
        if (how > 9) {
            return new Said(asked.deny(), Optional.empty(), plan, Optional.empty());
        }
        ResumeEntry answer = asked.approve();
        Form form = shown;
        if (how > 7 && asked.interrupt().edits().isPresent()) {
            form = edited(shown);
            answer = asked.approveWith(form.arguments());
            Optional<ObjectNode> preview = Ledger.WITH_EFFECT.contains(call.tool) && chance.nextBoolean()
                    ? preview(agent, answer)
                    : Optional.empty();
            if (preview.filter(section -> section.has("fingerprint")).isPresent()) {
                plan = Ledger.plan(preview.get());
                answer = asked.with(
                        answer, "effect", preview.get().path("fingerprint").asText());
            }
        }
        JsonNode fields = asked.interrupt().responseSchema().path("properties");
        if (fields.has("confirm")) {
            answer = asked.with(answer, "confirm", bank.happens(5) ? "something" : form.note());
        }
        Optional<Kept> kept = Optional.empty();
        if (form.equals(shown) && fields.has("remember") && bank.happens(2)) {
            Instant until = bank.clock.instant().plus(Bank.KEPT);
            boolean isBounded = call.tool.equals("buy");
            kept = Optional.of(new Kept(
                    person.id(),
                    isBounded && bank.has(Bank.Feature.OWNER) ? "" : call.thread,
                    call.tool,
                    form,
                    isBounded ? Optional.of(SUM) : Optional.empty(),
                    isBounded ? Bank.MOST_BOUGHT : 1_000,
                    until));
            answer = isBounded
                    ? asked.approveWithin(Map.of("amount", SUM))
                    : asked.approveAndRemember(Grant.Scope.SAME_CALL);
        }
        return new Said(answer, Optional.of(form), plan, kept);
    }

    private Form edited(Form shown) {
        if (!shown.calls().isEmpty()) {
            List<IntendedCall> calls = new ArrayList<>(shown.calls());
            IntendedCall first = calls.remove(0);
            calls.add(new IntendedCall(first.tool(), first.arguments(), first.times() + 1));
            return Form.of(calls);
        }
        return chance.nextBoolean()
                ? new Form(shown.amount(), shown.note() + "!")
                : new Form(List.of(5, 60, 150).get(chance.nextInt(3)), shown.note());
    }

    private Optional<ObjectNode> preview(Holdpoint agent, ResumeEntry answer) {
        try {
            return Plans.of(agent).shown(bank.at, answer);
        } catch (RunRejectedException e) {
            return Optional.empty();
        }
    }

    private Took give(Holdpoint agent, ResumeEntry answer) {
        int before = bank.disturbances;
        refusal = Optional.empty();
        if (chance.nextInt(3) == 0 && agent.pending(bank.at).size() == 1) {
            RunResult result = run(agent, answers(answer));
            bank.say("  " + result);
            refusal = result.failure().map(RunResult.Failed::code);
            return refusal.isEmpty()
                    ? Took.YES
                    : before == bank.disturbances && isRefusal(refusal.get()) ? Took.NO : Took.PERHAPS;
        }
        Decided decided = agent.decide(bank.at, answer);
        if (decided instanceof Decided.Refused refused) {
            refusal = Optional.of(refused.code());
            bank.say("  " + refused);
            return before == bank.disturbances ? Took.NO : Took.PERHAPS;
        }
        bank.say("  "
                + (decided instanceof Decided.Runs runs
                        ? "runs: " + runs.result().join()
                        : decided));
        return Took.YES;
    }

    private static boolean isRefusal(ErrorCode code) {
        return code.name().startsWith("INTERRUPT_") || code == ErrorCode.AGENT_HALTED;
    }

    // --- inputs

    /** The text of a message begins with the thread, by which the model knows it. */
    RunAgentInput said(String text) {
        Message.User message = new Message.User(Ids.message(), MessageContent.text(bank.at + ": " + text));
        return RunAgentInput.of(bank.at, Ids.run(), List.of(message));
    }

    RunAgentInput answers(ResumeEntry... answers) {
        return RunAgentInput.of(bank.at, Ids.run(), List.of()).withResume(List.of(answers));
    }

    RunResult run(Holdpoint agent, RunAgentInput input) {
        RecordingSink sink = new RecordingSink();
        try {
            RunResult result = agent.run(input, sink).join();
            if (bank.has(Bank.Feature.FAULTS)) {
                StreamRules.checkWithAbandoned(sink.events());
            } else {
                StreamRules.check(sink.events());
            }
            return result;
        } catch (RunRejectedException e) {
            return new RunResult.Failed(e.code(), String.valueOf(e.getMessage()), Optional.of(e));
        }
    }
}
