package io.holdpoint.oversight;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.Holdpoint;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.hook.Extension;
import io.holdpoint.hook.Guest;
import io.holdpoint.internal.run.AgentRuns;
import io.holdpoint.internal.run.Inside;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Predicate;

/**
 * Figures of the approvals that people were asked for in some time: how many, how fast, and what to do about it. A question counts for
 * the time, and the day in UTC, at which it was asked, whenever it was decided. Questions whether a call may run count ({@code tool_call}), also
 * those of an agent that works as a tool, under the name of that tool; what a tool asks itself, and questions about failures and unknown
 * outcomes, have no approval to count. Counts of two intervals that meet add up to those of both, except
 * for rows and times. Immutable.
 *
 * @param to the instant before which it ends
 * @param incompleteAfter the time of the last event that was read, if there were more than {@value #MAX_EVENTS}; empty if all were read
 * @param tools by their names
 * @param people who decided, by their ids, with each decision and each vote; empty without
 *     {@link #byPerson}
 * @param drills the outcome of planted calls, by their tools; they count nowhere else
 * @param drilledPeople the same by who answered; empty without {@link #byPerson}
 */
public record Figures(
        Instant from,
        Instant to,
        Optional<Instant> incompleteAfter,
        List<Tool> tools,
        SortedMap<String, Counts> people,
        SortedMap<String, Drilled> drills,
        SortedMap<String, Drilled> drilledPeople) {

    /** The most events of the audit trails that are read for figures. */
    public static final int MAX_EVENTS = 100_000;

    /**
     * Adds up what became of the approvals that an agent has asked people for in some time, over all threads and callers: for operators.
     * Reads the audit trails, at most {@link #MAX_EVENTS} events.
     *
     * @throws IllegalArgumentException unless {@code from} is before {@code to}
     */
    public static Figures of(Holdpoint agent, Instant from, Instant to) {
        AgentRuns<?> runs = Inside.of(agent).runs();
        Optional<Duration> byPerson = runs.guests.find(ByPerson.class).map(ByPerson::kept);
        Instant now = runs.config.clock.instant();
        Predicate<String> isDrill = runs.guests
                .find(Drills.Planting.class)
                .<Predicate<String>>map(planting -> planting.drills()::isDrill)
                .orElse(id -> false);
        return new FigureReader(runs.config.store, runs.config.name, isDrill).read(from, to, byPerson.map(now::minus));
    }

    /**
     * Counts the threads with an unfinished turn whose run has died, over all nodes on the store: its lease has ended and was not given
     * back. {@link Holdpoint#actOnTime} makes questions of the calls that such a run has cut off, so for meters and health more than 0 for
     * minutes means that nothing does it, that it fails, or that what was decided goes on only with the next input.
     *
     * @return how many; 1,000 if there may be more
     */
    public static int unfinished(Holdpoint agent) {
        return Inside.of(agent).runs().timekeeper.deserted();
    }

    /**
     * Adds the decisions of each person to the figures of an agent, as far back as this time: {@code builder.with(Figures.byPerson(kept))}.
     * It stores nothing: the trail has the names in any case. By default there are no figures about people.
     *
     * @throws IllegalArgumentException if the time is not positive
     */
    public static Extension byPerson(Duration kept) {
        if (kept.isNegative() || kept.isZero()) {
            throw new IllegalArgumentException("byPerson must be positive: " + kept);
        }
        return agent -> new ByPerson(kept);
    }

    /**
     * The outcome of {@link Drills}.
     *
     * @param planted the sum of caught, edited, missed, and those that nobody has answered
     * @param caught denied, or answered in the place of the tool
     * @param edited approved, but not as they were shown
     * @param missed approved as they were shown; these have not run either
     */
    public record Drilled(int planted, int caught, int edited, int missed) {

        private ObjectNode json() {
            return AguiCodec.mapper()
                    .createObjectNode()
                    .put("planted", planted)
                    .put("caught", caught)
                    .put("edited", edited)
                    .put("missed", missed);
        }
    }

    private record ByPerson(Duration kept) implements Guest {}

    /**
     * The figures of a tool.
     *
     * @param advice what to do about it, in sentences; empty with fewer than 20 questions
     */
    public record Tool(String name, Counts counts, SortedMap<LocalDate, Counts> days, List<String> advice) {}

    /**
     * Counts of questions.
     *
     * @param asked the sum of approved, denied and unanswered
     * @param approved as it was, or with edits. A call that somebody edited and others have to approve counts once, by what
     *     they decided
     * @param edited those of the approved that were edited
     * @param denied also those with an answer in place of the tool
     * @param unanswered expired, cancelled, or open still
     * @param quick decided faster than the question can be read, since it was asked, at 25 characters a second
     * @param longestRow the most approvals one after another, none of them edited, without a denial or an edit between them
     * @param opinions decided, with a second opinion that was not unknown
     * @param agreed those of them in which people approved what the opinion had no concern about, or denied or edited the rest
     * @param median half of the decisions came within this time; empty without a decision
     * @param p90 nine of ten decisions came within this time
     */
    public record Counts(
            int asked,
            int approved,
            int edited,
            int denied,
            int unanswered,
            int quick,
            int longestRow,
            int opinions,
            int agreed,
            Optional<Duration> median,
            Optional<Duration> p90) {

        private ObjectNode json(String name, String value) {
            ObjectNode json = AguiCodec.mapper().createObjectNode().put(name, value);
            json.put("asked", asked).put("approved", approved).put("edited", edited);
            json.put("denied", denied).put("unanswered", unanswered).put("quick", quick);
            json.put("longestRow", longestRow).put("opinions", opinions).put("agreed", agreed);
            median.ifPresent(time -> json.put("medianMillis", time.toMillis()));
            p90.ifPresent(time -> json.put("p90Millis", time.toMillis()));
            return json;
        }
    }

    /**
     * As {@code GET <agent>/figures} answers: {@code {"from", "to", "incompleteAfter"?, "tools": [{"tool", <counts>, "days": [{"day",
     * <counts>}], "advice": ["..."], "drills"?: {"planted", "caught", "edited", "missed"}}], "people": [{"person", <counts>, "drills"?}]}}. The counts have the names of {@link Counts}, with
     * {@code medianMillis} and {@code p90Millis}.
     */
    public ObjectNode toJson() {
        ObjectNode json = AguiCodec.mapper().createObjectNode();
        json.put("from", from.toString()).put("to", to.toString());
        incompleteAfter.ifPresent(last -> json.put("incompleteAfter", last.toString()));
        var list = json.putArray("tools");
        for (Tool tool : tools) {
            ObjectNode each = tool.counts.json("tool", tool.name);
            var days = each.putArray("days");
            tool.days.forEach((day, counts) -> days.add(counts.json("day", day.toString())));
            tool.advice.forEach(each.putArray("advice")::add);
            Optional.ofNullable(drills.get(tool.name)).ifPresent(drilled -> each.set("drills", drilled.json()));
            list.add(each);
        }
        var persons = json.putArray("people");
        for (Map.Entry<String, Counts> person : people.entrySet()) {
            ObjectNode each = person.getValue().json("person", person.getKey());
            Optional.ofNullable(drilledPeople.get(person.getKey()))
                    .ifPresent(drilled -> each.set("drills", drilled.json()));
            persons.add(each);
        }
        return json;
    }
}
