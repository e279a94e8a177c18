package io.holdpoint.people;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Approvals;
import io.holdpoint.Caller;
import io.holdpoint.Decided;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.PendingInterrupt.Approval;
import io.holdpoint.RunRejectedException;
import io.holdpoint.ToolPolicy;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Random histories of calls with an effect: people vote and edit, with and without having looked at what an edit would do, on two servers, while the
 * world and time go on, plans fail and bodies fail. Whatever happens, the body is entered only if as many people as have to have approved just this
 * plan with just these facts, and none of them too long ago.
 */
@Logs({"The plan of a call of pay could not be made*", "Tool 'pay' execution failed*"})
class EffectHistoriesTest {

    private static final Duration VALID = Duration.ofHours(4);
    private static final List<Caller> PEOPLE =
            List.of(Caller.of("grace", "approver"), Caller.of("henry", "approver"), Caller.of("iris", "approver"));

    private final Map<String, Instant> askedAt = new HashMap<>();
    private final Map<String, Seen> seen = new HashMap<>();
    private final List<String> wrong = new ArrayList<>();
    private Bench bench = new Bench();
    private Random random = new Random(0);
    private int needed;
    private int balance;
    private int entered;
    private boolean isBroken;
    private boolean fails;

    /** A plan that somebody has approved, and when it was asked about. */
    private record Seen(String plan, int balance, Instant at) {}

    /** Pays. */
    final class Bank {

        @Tool
        String pay(int amount, String note) {
            entered++;
            Seen now = new Seen("leaves " + (balance - amount), balance, bench.clock.instant());
            long approved = seen.values().stream()
                    .filter(each -> each.plan().equals(now.plan())
                            && each.balance() == now.balance()
                            && now.at().isBefore(each.at().plus(VALID)))
                    .count();
            if (approved < (entered > 1 ? 1 : needed)) { // one of them lets it be tried again
                wrong.add(now + " was approved by " + approved + " of " + needed + ": " + seen);
            }
            if (fails) {
                fails = false;
                throw new IllegalStateException("no line");
            }
            return "paid";
        }
    }

    private final Effect effect = call -> {
        if (isBroken) {
            throw new IllegalStateException("no line");
        }
        int amount = call.argument("amount", Integer.class).orElseThrow();
        return Plan.of("leaves " + (balance - amount)).holds("balance", balance).validFor(VALID);
    };

    private Holdpoint server() {
        return bench.another(builder -> builder.tools(new Bank())
                .approvalAuthorizer(ApprovalAuthorizer.role("approver"))
                .toolPolicies(ToolPolicy.named("pay")
                        .approvals(Approvals.of(needed))
                        .askOnFailure()
                        .rules(effect)));
    }

    @ParameterizedTest
    @CsvSource({"1, 100", "2, 100", "3, 60"})
    void nothingRunsButWhatWasSeen(int people, int trials) {
        needed = people;
        int ran = 0;
        for (int trial = 0; trial < trials; trial++) {
            random = new Random(43 * people + trial);
            bench = new Bench();
            seen.clear();
            balance = 100;
            entered = 0;
            history(THREAD, List.of(server(), server()));
            assertThat(wrong).as("trial %d of %d", trial, people).isEmpty();
            ran += entered;
        }
        assertThat(ran).isGreaterThan(trials / 10);
    }

    private void history(String thread, List<Holdpoint> servers) {
        bench.model.calls(call("p", "pay", "{\"amount\":5,\"note\":\"lunch\"}"));
        servers.get(0).send(thread, "Pay");
        bench.model.says("Done.");
        for (int step = 0; step < 25; step++) {
            List<PendingInterrupt> open = servers.get(0).as(PEOPLE.get(0)).pending(thread);
            if (open.isEmpty()) {
                break;
            }
            askedAt.putIfAbsent(open.get(0).id(), bench.clock.instant());
            isBroken = random.nextInt(12) == 0;
            fails = random.nextInt(4) == 0;
            switch (random.nextInt(10)) {
                case 0 -> balance = 100 - 10 * random.nextInt(2);
                case 1 -> bench.clock.advance(Duration.ofMinutes(random.nextInt(150)));
                default ->
                    answer(
                            servers.get(random.nextInt(2)),
                            thread,
                            PEOPLE.get(random.nextInt(PEOPLE.size())),
                            open.get(0));
            }
        }
        servers.get(0).cancel(thread);
    }

    private void answer(Holdpoint server, String thread, Caller by, PendingInterrupt open) {
        ResumeEntry answer;
        Optional<Seen> own = seen(open.interrupt().metadata().at("/langchain4j/effect"), open);
        if (open instanceof Approval asked) {
            answer = asked.approve();
            if (random.nextInt(3) == 0) {
                answer = random.nextBoolean()
                        ? asked.edit("amount", 5 + random.nextInt(3))
                        : asked.edit("note", "n" + random.nextInt(3));
                if (random.nextBoolean()) {
                    JsonNode plan = plan(server.as(by), thread, answer);
                    if (plan.has("fingerprint")) {
                        own = seen(plan, open);
                        answer = asked.with(
                                answer, "effect", plan.path("fingerprint").asText());
                    }
                    if (random.nextInt(4) == 0) {
                        balance = 100 - 10 * random.nextInt(2);
                    }
                }
            } else if (random.nextInt(20) == 0) {
                answer = asked.deny();
            }
        } else {
            answer = random.nextInt(3) == 0
                    ? open.asFailure().retryWith(Map.of("amount", 5 + random.nextInt(3), "note", "again"))
                    : open.asFailure().retry();
        }
        Map<String, Seen> before = new HashMap<>(seen);
        own.ifPresent(found -> seen.put(by.id(), found));
        Decided decided = server.as(by).decide(thread, answer);
        if (decided instanceof Decided.Refused) {
            seen.clear();
            seen.putAll(before);
        } else if (decided instanceof Decided.Runs runs) {
            runs.result().join();
        }
    }

    private static JsonNode plan(Holdpoint by, String thread, ResumeEntry edit) {
        try {
            return Plans.of(by).shown(thread, edit).orElseThrow();
        } catch (RunRejectedException e) { // they have voted
            return MissingNode.getInstance();
        }
    }

    private Optional<Seen> seen(JsonNode section, PendingInterrupt open) {
        return section.has("fingerprint")
                ? Optional.of(new Seen(
                        section.path("plan").asText(),
                        section.at("/facts/balance").asInt(),
                        askedAt.get(open.id())))
                : Optional.empty();
    }
}
