package io.holdpoint.oversight;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.internal.gate.ApprovalForm;
import io.holdpoint.internal.question.QuestionKind;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.Fed;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/** Adds up what became of the questions of a time, from the feed, and stores nothing. Thread-safe. */
final class FigureReader {

    private static final int PAGE = 1_000;

    /**
     * Events are in the order in which they were stored, by clocks that differ less. Those of a server whose clock differs more stand among
     * others, so the beginning and the end are where a whole page is before or after them.
     */
    private static final Duration CLOCKS = Duration.ofHours(1);

    private final Store store;
    private final Predicate<String> isDrill;

    FigureReader(Store store, String agent, Predicate<String> isDrill) {
        this.store = store.of(agent);
        this.isDrill = isDrill;
    }

    /** Reads until every question of that time has its end, or there are no more events. */
    Figures read(Instant from, Instant to, Optional<Instant> peopleSince) {
        if (!from.isBefore(to)) {
            throw new IllegalArgumentException("from: must be before to, which is " + to + ", but is " + from);
        }
        Sum sum = new Sum(from, to, peopleSince, isDrill);
        long position = before(from.minus(CLOCKS));
        int left = Figures.MAX_EVENTS;
        Optional<Instant> last = Optional.empty();
        List<Fed> page;
        do {
            page = store.feed(position, Math.min(PAGE, left));
            for (Fed fed : page) {
                sum.add(fed.event());
                position = fed.position();
                last = Optional.of(fed.event().at());
            }
            if (sum.open.isEmpty()
                    && sum.openDrills.isEmpty()
                    && page.size() == PAGE
                    && page.stream().allMatch(fed -> fed.event().at().isAfter(to.plus(CLOCKS)))) {
                return sum.figures(Optional.empty());
            }
            left -= page.size();
        } while (!page.isEmpty() && left > 0);
        boolean isAll = page.isEmpty() || store.feed(position, 1).isEmpty();
        return sum.figures(isAll ? Optional.empty() : last);
    }

    /** A position behind which all events are that happened at that time or later. */
    private long before(Instant time) {
        long low = 0;
        long high = store.feedEnd();
        while (low < high) {
            long middle = low + (high - low) / 2;
            List<Fed> next = store.feed(middle, PAGE);
            if (next.size() == PAGE
                    && next.stream().allMatch(fed -> fed.event().at().isBefore(time))) {
                low = next.get(PAGE - 1).position();
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** A question that has no end yet. */
    private record Asked(
            String tool, LocalDate day, Instant at, int characters, String editor, Optional<Boolean> concern) {

        boolean isOfEdit() {
            return !editor.isEmpty();
        }
    }

    private static final class Sum {

        private final Instant from;
        private final Instant to;
        private final Optional<Instant> peopleSince;
        private final Map<String, Asked> open = new HashMap<>();
        private final Map<String, Asked> edits = new HashMap<>();
        private final SortedMap<String, Tally> tools = new TreeMap<>();
        private final Map<String, SortedMap<LocalDate, Tally>> days = new HashMap<>();
        private final SortedMap<String, Tally> people = new TreeMap<>();
        private final Predicate<String> isDrill;
        private final Map<String, String> openDrills = new HashMap<>();
        private final SortedMap<String, Figures.Drilled> drills = new TreeMap<>();
        private final SortedMap<String, Figures.Drilled> drilledPeople = new TreeMap<>();

        Sum(Instant from, Instant to, Optional<Instant> peopleSince, Predicate<String> isDrill) {
            this.isDrill = isDrill;
            this.from = from;
            this.to = to;
            this.peopleSince = peopleSince;
        }

        void add(AuditEvent event) {
            String id = event.interruptId().orElse("");
            if (event.toolCallId().filter(isDrill).isPresent()) {
                drill(event);
                return;
            }
            switch (event.kind()) {
                case HELD -> asked(event, id);
                case VOTED ->
                    Optional.ofNullable(open.get(id))
                            .filter(asked -> !asked.editor.equals(event.caller())) // the edit counts, and is one press
                            .ifPresent(asked -> byPerson(event, asked));
                case DECIDED -> Optional.ofNullable(open.remove(id)).ifPresent(asked -> decided(event, asked));
                case EXPIRED, EXECUTED, FAILED, NOT_EXECUTED -> {
                    open.remove(id);
                    edits.remove(callOf(event));
                }
                default -> {}
            }
        }

        /** A drill counts once, by what was decided first: an edit may be asked about again. */
        private void drill(AuditEvent event) {
            String call = callOf(event);
            if (event.kind() == AuditEvent.Kind.PROPOSED && isInTime(event)) {
                String tool = event.toolName().orElse("");
                openDrills.put(call, tool);
                tools.computeIfAbsent(tool, name -> new Tally());
                drills.merge(tool, new Figures.Drilled(1, 0, 0, 0), FigureReader::sum);
            } else if (event.kind() == AuditEvent.Kind.DECIDED
                    && event.detail().path("how").asText().equals("RESOLVED")) {
                Optional.ofNullable(openDrills.remove(call)).ifPresent(tool -> drilled(event, tool));
            }
        }

        private void drilled(AuditEvent event, String tool) {
            boolean isApproved = ApprovalForm.approves(event.detail().path("payload"));
            boolean isEdited = event.detail().path("edited").asBoolean();
            Figures.Drilled end = new Figures.Drilled(
                    0, isApproved ? 0 : 1, isApproved && isEdited ? 1 : 0, isApproved && !isEdited ? 1 : 0);
            drills.merge(tool, end, FigureReader::sum);
            if (peopleSince.filter(since -> !event.at().isBefore(since)).isPresent()) {
                people.computeIfAbsent(event.caller(), id -> new Tally());
                drilledPeople.merge(event.caller(), sum(end, new Figures.Drilled(1, 0, 0, 0)), FigureReader::sum);
            }
        }

        private boolean isInTime(AuditEvent event) {
            return !event.at().isBefore(from) && event.at().isBefore(to);
        }

        private void asked(AuditEvent event, String id) {
            ObjectNode detail = event.detail();
            Asked edit = edits.remove(callOf(event));
            if (edit != null && detail.has("editedBy")) {
                ofTool(edit).askedAgain();
                ofDay(edit).askedAgain();
            }
            if (!detail.path("reason").asText().equals("tool_call") || !isInTime(event)) {
                return;
            }
            Asked asked = new Asked(
                    event.toolName().orElse(""),
                    LocalDate.ofInstant(event.at(), ZoneOffset.UTC),
                    event.at(),
                    detail.path("characters").asInt(),
                    detail.path("editedBy").asText(),
                    switch (detail.path("secondOpinion").path("concern").asText()) {
                        case "none" -> Optional.of(false);
                        case "some", "serious" -> Optional.of(true);
                        default -> Optional.empty();
                    });
            open.put(id, asked);
            ofTool(asked).asked++;
            ofDay(asked).asked++;
        }

        private static String callOf(AuditEvent event) {
            return event.threadId() + " " + event.toolCallId().orElse("");
        }

        private Tally ofTool(Asked asked) {
            return tools.computeIfAbsent(asked.tool, name -> new Tally());
        }

        private Tally ofDay(Asked asked) {
            return days.computeIfAbsent(asked.tool, name -> new TreeMap<>())
                    .computeIfAbsent(asked.day, day -> new Tally());
        }

        private void decided(AuditEvent event, Asked asked) {
            ObjectNode detail = event.detail();
            if (detail.path("how").asText().equals("RESOLVED")) {
                boolean isEdit = detail.path("edited").asBoolean();
                if (isEdit) {
                    edits.put(callOf(event), asked);
                }
                ofTool(asked).decided(event, asked, isEdit || asked.isOfEdit());
                ofDay(asked).decided(event, asked, isEdit || asked.isOfEdit());
                byPerson(event, asked);
            }
        }

        private void byPerson(AuditEvent event, Asked asked) {
            if (peopleSince.filter(since -> !event.at().isBefore(since)).isPresent()) {
                Tally person = people.computeIfAbsent(event.caller(), id -> new Tally());
                person.asked++;
                person.decided(event, asked, event.detail().path("edited").asBoolean());
            }
        }

        Figures figures(Optional<Instant> incompleteAfter) {
            List<Figures.Tool> all = new ArrayList<>();
            tools.forEach((name, tally) -> {
                Figures.Counts counts = tally.counts();
                all.add(new Figures.Tool(
                        name, counts, counts(days.getOrDefault(name, new TreeMap<>())), Advice.on(name, counts)));
            });
            return new Figures(from, to, incompleteAfter, List.copyOf(all), counts(people), drills, drilledPeople);
        }

        private static <K> SortedMap<K, Figures.Counts> counts(Map<K, Tally> tallies) {
            SortedMap<K, Figures.Counts> counts = new TreeMap<>();
            tallies.forEach((key, tally) -> counts.put(key, tally.counts()));
            return counts;
        }
    }

    private static Figures.Drilled sum(Figures.Drilled one, Figures.Drilled other) {
        return new Figures.Drilled(
                one.planted() + other.planted(),
                one.caught() + other.caught(),
                one.edited() + other.edited(),
                one.missed() + other.missed());
    }

    /** Counts while events are read. */
    private static final class Tally {

        private int asked;
        private int approved;
        private int edited;
        private int denied;
        private int quick;
        private int row;
        private int longestRow;
        private int opinions;
        private int agreed;
        private final List<Duration> waits = new ArrayList<>();

        /** Takes an edit back that was asked about again: the question about it counts in its place. */
        void askedAgain() {
            asked--;
            approved--;
            edited--;
        }

        void decided(AuditEvent event, Asked question, boolean isOfEdit) {
            boolean isApproved = ApprovalForm.approves(event.detail().path("payload"));
            boolean isEdited = isApproved && isOfEdit;
            approved += isApproved ? 1 : 0;
            edited += isEdited ? 1 : 0;
            denied += isApproved ? 0 : 1;
            row = isApproved && !isEdited ? row + 1 : 0;
            longestRow = Math.max(longestRow, row);
            if (question.concern.isPresent()) {
                opinions++;
                agreed += question.concern.get() == (!isApproved || isEdited) ? 1 : 0;
            }
            Duration waited = Duration.between(question.at, event.at());
            waits.add(waited.isNegative() ? Duration.ZERO : waited);
            quick += QuestionKind.isTooShortToRead(question.characters, waited) ? 1 : 0;
        }

        Figures.Counts counts() {
            waits.sort(null);
            int unanswered = asked - approved - denied;
            return new Figures.Counts(
                    asked,
                    approved,
                    edited,
                    denied,
                    unanswered,
                    quick,
                    longestRow,
                    opinions,
                    agreed,
                    within(50),
                    within(90));
        }

        private Optional<Duration> within(int percent) {
            int rank = (waits.size() * percent + 99) / 100;
            return waits.isEmpty() ? Optional.empty() : Optional.of(waits.get(rank - 1));
        }
    }

    /** Remedies for what figures show. */
    private static final class Advice {

        private static final int ENOUGH = 20;

        static List<String> on(String tool, Figures.Counts counts) {
            List<String> advice = new ArrayList<>();
            int decided = counts.approved() + counts.denied();
            if (decided >= ENOUGH && counts.approved() - counts.edited() == decided) {
                advice.add(sentence(tool, "was approved", decided, decided, "give it a condition or a bound"));
            }
            if (decided >= ENOUGH && counts.quick() * 2 >= decided) {
                String remedy = "ask several people, or let one argument be typed";
                advice.add(
                        sentence(tool, "was decided in less time than reading takes", counts.quick(), decided, remedy));
            }
            if (decided >= ENOUGH && counts.edited() * 4 >= decided) {
                String remedy = "say in its description what its arguments have to be";
                advice.add(sentence(tool, "was edited", counts.edited(), decided, remedy));
            }
            if (counts.asked() >= ENOUGH && counts.unanswered() * 4 >= counts.asked()) {
                String remedy = "remind people with a timeline, or ask more of them";
                advice.add(sentence(tool, "was not decided", counts.unanswered(), counts.asked(), remedy));
            }
            int disagreed = counts.opinions() - counts.agreed();
            if (counts.opinions() >= ENOUGH && disagreed * 2 >= counts.opinions()) {
                String remedy = "read its reasons, or do without it";
                advice.add(
                        sentence(tool, "was decided against the second opinion", disagreed, counts.opinions(), remedy));
            }
            return List.copyOf(advice);
        }

        private static String sentence(String tool, String what, int times, int of, String remedy) {
            return "`" + tool + "` " + what + " " + times + " times of " + of + ": " + remedy + ".";
        }
    }
}
