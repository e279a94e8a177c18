package io.holdpoint.store;

import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;

/** The tokens that models have used for a caller on a day: a fact of the agent, in which an agent that works as a tool is counted with itself. */
public final class DailyTokens {

    private static final String KIND = "TOKENS";

    /** The days for which those of a day are kept: clocks of nodes differ, and so do their zones. */
    private static final int KEPT = 2;

    private DailyTokens() {}

    /**
     * Counts more of them.
     *
     * @param caller id of the caller that the thread belongs to
     */
    public static Commit spent(String caller, LocalDate day, long tokens) {
        Fact more = new Fact(
                new Fact.Key(KIND, place(caller), day.toString()),
                Optional.of(day.plusDays(KEPT).atStartOfDay(ZoneOffset.UTC).toInstant()),
                Long.toString(tokens));
        return Commit.empty().change(List.of(new Fact.Change(Fact.How.ADD, more)));
    }

    /** Reads how many they are; 0 if nothing is known of that day. */
    public static long of(Store store, String caller, LocalDate day) {
        return store.facts(KIND, place(caller)).stream()
                .filter(fact -> fact.key().name().equals(day.toString()))
                .mapToLong(fact -> Long.parseLong(fact.value()))
                .sum();
    }

    /** Adds up those that a commit counts. */
    public static long in(Commit commit) {
        return commit.facts().stream()
                .map(Fact.Change::fact)
                .filter(fact -> fact.key().kind().equals(KIND))
                .mapToLong(fact -> Long.parseLong(fact.value()))
                .sum();
    }

    private static String place(String caller) {
        return Fact.AGENT + caller;
    }
}
