package io.holdpoint.laws;

import io.holdpoint.Caller;
import io.holdpoint.laws.Program.Arguments;
import io.holdpoint.laws.Program.Id;
import io.holdpoint.laws.Program.Input;
import io.holdpoint.laws.Program.Proposed;
import io.holdpoint.laws.Program.Reply;
import io.holdpoint.laws.Program.Said;
import io.holdpoint.laws.Program.Tweak;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Draws what happens in a history from its seed. */
final class Chance {

    private static final List<String> TOOLS = List.of(
            "send", "send", "send", "search", "search", "put", "delete", "explode", "look", "fail", "ask", "book",
            "flaky");
    private static final List<Reply> REPLIES = List.of(
            Reply.APPROVE,
            Reply.APPROVE,
            Reply.APPROVE,
            Reply.APPROVE,
            Reply.REMEMBER,
            Reply.REMEMBER,
            Reply.REMEMBER,
            Reply.EDIT,
            Reply.DENY,
            Reply.CANCEL,
            Reply.MALFORMED);

    private static final List<Caller> PEOPLE = List.of(
            Caller.of("grace", "approver"),
            Caller.of("heidi", "approver"),
            Caller.of("iris", "approver"),
            Caller.of("mallory"));

    /** Several people answer, time acts more often, and clocks differ. The other seeds give the histories that they gave before. */
    final boolean isCrowded;

    private final Random random;
    private final List<String> tools;

    Chance(long seed) {
        random = new Random(seed);
        isCrowded = seed < 0;
        tools = isCrowded
                ? Stream.concat(TOOLS.stream(), Stream.generate(() -> "pay").limit(6))
                        .toList()
                : TOOLS;
    }

    /** Who answers a question; not everybody may. */
    Caller person() {
        return of(PEOPLE);
    }

    Reply reply() {
        return of(REPLIES);
    }

    /** What a node's clock says more, or less, than the others: up to an hour. */
    Duration skew() {
        return isCrowded ? Duration.ofSeconds(below(3_600)).minusMinutes(30) : Duration.ZERO;
    }

    /** Whether something happens that happens so often in a thousand times. */
    boolean perMille(int often) {
        return random.nextInt(1_000) < often;
    }

    int below(int bound) {
        return random.nextInt(bound);
    }

    <T> T of(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    private <T> List<T> some(int most, Supplier<T> each) {
        return Stream.generate(each).limit(1 + random.nextInt(most)).toList();
    }

    List<Said> script() {
        return some(8, this::said);
    }

    private Said said() {
        int kind = random.nextInt(10);
        if (kind == 0) {
            return new Said.Down();
        }
        return kind < 3 ? new Said.Text() : new Said.Calls(some(4, this::proposed), random.nextBoolean());
    }

    private Proposed proposed() {
        Id id = perMille(800) ? Id.OWN : of(List.of(Id.values()));
        Arguments arguments = perMille(900) ? Arguments.VALID : of(List.of(Arguments.values()));
        return new Proposed(of(tools), id, arguments);
    }

    Input input() {
        int kind = random.nextInt(16);
        if (kind < 3) {
            return new Input.Say();
        }
        if (kind < 4) {
            return new Input.Nothing();
        }
        if (kind < 6) {
            return new Input.Again();
        }
        if (kind < 7) {
            return new Input.Stale(random.nextInt(10), of(REPLIES));
        }
        Tweak tweak = perMille(850) ? Tweak.NOTHING : of(List.of(Tweak.values()));
        return new Input.Answer(some(4, () -> of(REPLIES)), tweak, perMille(150));
    }
}
