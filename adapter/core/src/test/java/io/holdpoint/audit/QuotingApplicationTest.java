package io.holdpoint.audit;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Approvals;
import io.holdpoint.Audience;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.PendingInterrupt.Approval;
import io.holdpoint.ProposedCall;
import io.holdpoint.RunResult;
import io.holdpoint.ToolPolicy;
import io.holdpoint.agui.Event;
import io.holdpoint.hook.Interceptor;
import io.holdpoint.hook.ObservedWork;
import io.holdpoint.hook.RunObserver;
import io.holdpoint.rule.Answering;
import io.holdpoint.rule.Proposal;
import io.holdpoint.rule.Rule;
import io.holdpoint.rule.Say;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.jdbc.JdbcStore;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.test.VirtualClock;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.TestDatabase;
import io.holdpoint.testing.TestLog;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The application's own code is given arguments, and quotes them when it throws. Neither the log nor a table beside the record has
 * them then.
 */
class QuotingApplicationTest {

    static final String SECRET = "SECRET-4711";

    /** The tables whose rows are the record itself: what is asked and runs. */
    static final Set<String> RECORD = Set.of("holdpoint_batch", "holdpoint_call", "holdpoint_message");

    private static IllegalStateException quoting(Object what) {
        return new IllegalStateException(
                "cannot deal with " + what + " " + SECRET, new IllegalArgumentException("no account " + SECRET));
    }

    static <T> T fail(Object what) {
        throw quoting(what);
    }

    /** Pays. */
    static final class Tools {

        private final Place place;

        Tools(Place place) {
            this.place = place;
        }

        @Tool
        String pay(String iban) {
            return place == Place.TOOL ? fail(iban) : "paid";
        }
    }

    /** Fails at every event. */
    private static final class Broken implements RunObserver, ObservedWork {

        @Override
        public ObservedWork started(Run run) {
            return this;
        }

        @Override
        public ObservedWork started(Part part) {
            return fail(part);
        }

        @Override
        public void decided(Decided what) {
            fail(what);
        }
    }

    /** Fails at one moment. */
    private record Quoting(Place place) implements Rule {

        @Override
        public String name() {
            return "quoting";
        }

        @Override
        public Say onProposal(Proposal proposal) {
            return place == Place.RULE_ON_PROPOSAL ? fail(proposal) : Say.NOTHING;
        }

        @Override
        public Optional<String> onAnswer(Answering answer) {
            return place == Place.RULE_ON_ANSWER ? fail(answer) : Optional.empty();
        }

        @Override
        public Optional<String> beforeBody(ProposedCall call) {
            return place == Place.RULE_BEFORE_BODY ? fail(call) : Optional.empty();
        }
    }

    /** Authorizes everything, until it fails. */
    private static final class Failing implements ApprovalAuthorizer {

        private final Place place;
        private int asked;

        Failing(Place place) {
            this.place = place;
        }

        @Override
        public boolean mayAccess(Caller caller, String threadId, String ownerId) {
            return place != Place.ACCESS || caller.id().equals("grace") || QuotingApplicationTest.<Boolean>fail(caller);
        }

        @Override
        public boolean mayDecide(Request request) {
            if (place == Place.AUTHORIZER
                    || place == Place.AUTHORIZER_AT_THE_END && request.approves() && ++asked > 4) {
                fail(request.arguments());
            }
            return true;
        }
    }

    enum Place {
        NOWHERE,
        AUTHORIZER,
        AUTHORIZER_AT_THE_END,
        ACCESS,
        PEOPLE,
        CONDITION,
        RULE_ON_PROPOSAL,
        RULE_ON_ANSWER,
        RULE_BEFORE_BODY,
        REDACTOR,
        LISTENER,
        OBSERVER,
        TOOL,
        SCOPE,
        SCOPE_AT_ITS_END,
        INPUT_HOOK,
        INTERCEPTOR,
        MODEL;

        HoldpointBuilder<Bench.Assistant> in(HoldpointBuilder<Bench.Assistant> builder, ScriptedModel model) {
            ToolPolicy policy =
                    ToolPolicy.named("pay").approvals(Approvals.of(2).by(Audience.role("r")));
            builder.approvalAuthorizer(new Failing(this));
            return switch (this) {
                case NOWHERE, TOOL, AUTHORIZER, AUTHORIZER_AT_THE_END, ACCESS -> builder.toolPolicies(policy);
                case PEOPLE -> builder.toolPolicies(policy).people(QuotingApplicationTest::fail);
                case CONDITION -> builder.toolPolicies(policy.when(QuotingApplicationTest::fail));
                case RULE_ON_PROPOSAL, RULE_ON_ANSWER, RULE_BEFORE_BODY ->
                    builder.toolPolicies(policy).rules(new Quoting(this));
                case REDACTOR -> builder.toolPolicies(policy).argumentRedactor((tool, all) -> fail(all));
                case LISTENER ->
                    builder.toolPolicies(policy).observers(RunObserver.ofTrail(QuotingApplicationTest::fail));
                case OBSERVER -> builder.toolPolicies(policy).observers(new Broken());
                case SCOPE ->
                    builder.toolPolicies(policy).interceptors(Interceptor.ofTools(QuotingApplicationTest::fail));
                case SCOPE_AT_ITS_END ->
                    builder.toolPolicies(policy)
                            .interceptors(Interceptor.ofTools(call -> () -> fail(call.toolCallId())));
                case INPUT_HOOK ->
                    builder.toolPolicies(policy)
                            .interceptors(Interceptor.ofInput(
                                    (caller, input) -> input.resume().isEmpty() ? input : fail(input)));
                case INTERCEPTOR ->
                    builder.toolPolicies(policy)
                            .interceptors(Interceptor.ofEvents((run, event) ->
                                    event.type().startsWith("TOOL_CALL") ? fail(event) : List.<Event>of(event)));
                case MODEL -> {
                    model.fails(quoting("the request"));
                    yield builder.toolPolicies(policy);
                }
            };
        }
    }

    @ParameterizedTest
    @EnumSource
    void neitherTheLogNorATableBesideTheRecordHasWhatTheApplicationQuotes(Place place) throws SQLException {
        ScriptedModel model = new ScriptedModel();
        VirtualClock clock = new VirtualClock();
        model.calls(call("c1", "pay", "{\"iban\":\"" + SECRET + "\"}"));
        try (TestDatabase database = TestDatabase.sqlite()) {
            Holdpoint agent = place.in(
                            Holdpoint.builder(Bench.Assistant.class)
                                    .streamingChatModel(model)
                                    .tools(new Tools(place))
                                    .clock(clock)
                                    .argumentRedactor(
                                            (tool, all) -> all.deepCopy().removeAll())
                                    .store(JdbcStore.create(database.dataSource())),
                            model)
                    .build();
            model.says("Well.");
            RunResult held = agent.as(Caller.of("ada", "r")).send("t", "Pay");
            clock.advance(Duration.ofMinutes(1));
            agent.actOnTime();
            for (Approval question : held.approvals()) {
                agent.as(Caller.of("grace", "r")).decide("t", question.approve());
                agent.as(Caller.of("heidi", "r")).decide("t", question.approve());
            }
            agent.actOnTime();
            List<AuditEvent> trail = agent.auditTrail("t", 0, 100);
            agent.close();

            assertThat(printed(TestLog.release())).doesNotContain(SECRET);
            assertThat(trail.toString()).doesNotContain(SECRET);
            assertThat(tablesWith(SECRET, database)).isSubsetOf(RECORD);
        }
    }

    static String printed(List<TestLog.Line> lines) {
        StringWriter all = new StringWriter();
        for (TestLog.Line line : lines) {
            all.append(line.toString()).append('\n');
            line.cause().ifPresent(cause -> cause.printStackTrace(new PrintWriter(all, true)));
        }
        return all.toString();
    }

    static Set<String> tablesWith(String text, TestDatabase database) throws SQLException {
        Set<String> found = new TreeSet<>();
        try (Connection connection = database.dataSource().getConnection();
                Statement sql = connection.createStatement()) {
            List<String> tables = new ArrayList<>();
            try (ResultSet names = sql.executeQuery("SELECT name FROM sqlite_master WHERE type = 'table'")) {
                while (names.next()) {
                    tables.add(names.getString(1));
                }
            }
            for (String table : tables) {
                try (ResultSet rows = sql.executeQuery("SELECT * FROM " + table)) {
                    while (rows.next()) {
                        for (int column = 1; column <= rows.getMetaData().getColumnCount(); column++) {
                            Optional.ofNullable(rows.getString(column))
                                    .filter(value -> value.contains(text))
                                    .ifPresent(value -> found.add(table));
                        }
                    }
                }
            }
        }
        return found;
    }
}
