package io.holdpoint.internal.turn;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.internal.LogText;
import io.holdpoint.internal.gate.Gate;
import io.holdpoint.internal.lease.Scheduler;
import io.holdpoint.rule.Proposal;
import io.holdpoint.rule.Rule;
import io.holdpoint.rule.Say;
import io.holdpoint.store.Call;
import io.holdpoint.store.Call.Question;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hears what rules say about the calls of a message: those that take their time all at once. Thread-safe. */
final class Hearing {

    private static final Logger LOG = LoggerFactory.getLogger(Hearing.class);

    private final Scheduler timer;
    private final Consumer<Say> spend;
    private final Set<FutureTask<Say>> waitedFor = ConcurrentHashMap.newKeySet();
    private volatile boolean stopped;

    /** Is told what was said in time, for the tokens that it took. */
    Hearing(Scheduler timer, Consumer<Say> spend) {
        this.timer = timer;
        this.spend = spend;
    }

    /** The word of one rule, at once or later. */
    private record Pending(
            Rule rule, Proposal proposal, @Nullable FutureTask<Say> later, Say now) {}

    /** Asks the rules about a call; {@code await} of what is returned waits for those who take their time. */
    Asked about(List<Rule> rules, Supplier<Proposal> proposal) {
        List<Pending> pending = new ArrayList<>();
        for (Rule rule : rules) {
            Proposal own = proposal.get();
            pending.add(rule.within().isZero() ? new Pending(rule, own, null, now(rule, own)) : later(rule, own));
        }
        return new Asked(pending);
    }

    private Say now(Rule rule, Proposal proposal) {
        Say say;
        try {
            say = rule.onProposal(proposal);
        } catch (Throwable e) { // a missing class too has not said that nobody need be asked
            return failed(rule, proposal, e);
        }
        spend.accept(say);
        return say;
    }

    private Pending later(Rule rule, Proposal proposal) {
        FutureTask<Say> task = new FutureTask<>(() -> rule.onProposal(proposal));
        waitedFor.add(task);
        if (stopped) {
            task.cancel(true);
        }
        timer.aside(task);
        return new Pending(rule, proposal, task, Say.ASK);
    }

    private static Say failed(Rule rule, Proposal proposal, Throwable e) {
        LOG.warn(
                "The rule \"{}\" failed on {}; a person is asked",
                rule.name(),
                proposal.call().toolName(),
                LogText.silent(e));
        return unsaid(rule, "failed");
    }

    /** A rule that has not said anything makes a person be asked. */
    private static Say unsaid(Rule rule, String why) {
        Say say;
        try {
            say = rule.unsaid(why);
        } catch (Throwable e) {
            LOG.warn("The rule \"{}\" failed once more", rule.name(), LogText.silent(e));
            return Say.ASK;
        }
        return say.kind() == Say.Kind.NOTHING ? new Say(Say.Kind.ASK, say.section(), null, say.usage()) : say;
    }

    /** The question to the rules about one call. */
    final class Asked {

        private final List<Pending> pending;

        private Asked(List<Pending> pending) {
            this.pending = pending;
        }

        /** Waits until each rule has had its time since {@code began}, a time of {@link System#nanoTime}. */
        Said await(long began) {
            Say.Kind kind = Say.Kind.NOTHING;
            List<String> why = new ArrayList<>();
            Map<String, ObjectNode> sections = new LinkedHashMap<>();
            for (Pending each : pending) {
                Say say = each.later() == null ? each.now() : await(each, each.later(), began);
                if (say.kind().compareTo(kind) > 0) {
                    kind = say.kind();
                    why.clear();
                }
                if (say.kind() == kind && say.why() != null) {
                    why.add(say.why());
                }
                say.said().ifPresent(section -> sections.put(each.rule().name(), section));
            }
            return new Said(kind, why, sections);
        }

        private Say await(Pending each, FutureTask<Say> later, long began) {
            long within = TimeUnit.NANOSECONDS.convert(each.rule().within());
            try {
                Say say = later.get(Math.max(0, began + within - System.nanoTime()), TimeUnit.NANOSECONDS);
                spend.accept(say);
                return say;
            } catch (TimeoutException e) {
                return unsaid(each.rule(), "took longer than " + TimeUnit.NANOSECONDS.toMillis(within) + " ms");
            } catch (ExecutionException e) {
                return failed(each.rule(), each.proposal(), e);
            } catch (CancellationException e) {
                throw new IllegalStateException("the run was stopped while it waited for a rule", e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return unsaid(each.rule(), "was interrupted");
            }
        }
    }

    /** The word of all rules on a call together: the strictest, and their sections by their names. */
    record Said(Say.Kind kind, List<String> why, Map<String, ObjectNode> sections) {

        Question on(Question question) {
            Question told = Gate.because(question, why);
            return sections.isEmpty() ? told : Gate.annotated(told, metadata -> sections.forEach(metadata::set));
        }

        Call on(Call unasked) {
            Call remarked = unasked;
            for (Map.Entry<String, ObjectNode> section : sections.entrySet()) {
                remarked = remarked.remarked(section.getKey(), section.getValue());
            }
            return remarked;
        }
    }

    /** No longer waits: the run is stopped. */
    void stop() {
        stopped = true;
        end();
    }

    /** Ends what has not come back. */
    void end() {
        for (FutureTask<Say> task : waitedFor) {
            task.cancel(true);
        }
        waitedFor.clear();
    }
}
