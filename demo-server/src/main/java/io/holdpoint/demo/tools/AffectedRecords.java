package io.holdpoint.demo.tools;

import io.holdpoint.ProposedCall;
import io.holdpoint.people.Effect;
import io.holdpoint.people.Plan;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a deletion would affect, for who has to approve it: how many rows, which must not change until it runs, and some of them. Thread-safe. */
public final class AffectedRecords implements Effect {

    private static final int SAMPLE = 3;

    private final RecordTools records;

    /**
     * Looks at tables.
     *
     * @param records the tables
     */
    public AffectedRecords(RecordTools records) {
        this.records = records;
    }

    /**
     * The rows that match.
     *
     * @param affectedRows how many there are
     * @param sample the first of them
     */
    public record Rows(int affectedRows, List<Map<String, String>> sample) {}

    @Override
    public Plan plan(ProposedCall call) {
        Rows rows = rows(call);
        return Plan.of(rows).holds("affectedRows", rows.affectedRows());
    }

    Rows rows(ProposedCall call) {
        String table = call.argument("table", String.class).orElseThrow();
        String filter = call.argument("filter", String.class).orElseThrow();
        List<Map<String, String>> rows = records.affected(table, filter);
        List<Map<String, String>> sample = rows.stream()
                .limit(SAMPLE)
                .<Map<String, String>>map(TreeMap::new)
                .toList();
        return new Rows(rows.size(), sample);
    }
}
