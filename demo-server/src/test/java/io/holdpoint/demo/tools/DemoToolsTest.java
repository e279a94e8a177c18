package io.holdpoint.demo.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.agent.tool.ToolSpecifications;
import io.holdpoint.ApprovalVerdict;
import io.holdpoint.Caller;
import io.holdpoint.ProposedCall;
import io.holdpoint.ToolCallContext;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DemoToolsTest {

    private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");

    private final DemoEffects effects = new DemoEffects(Clock.fixed(NOW, ZoneOffset.UTC));
    private final ToolCallContext call = ToolCallContext.of("thread", "run", "call_1", "key_1");

    @Test
    void everyToolWritesDownWhatItDid() {
        new ContactTools(effects).searchContacts("ada", call);
        new MailTools(effects).sendEmail("ada@example.com", "Hi", "Hello", call);
        new BankTools(effects).transferMoney(new BigDecimal("20.00"), "Bob", call);
        new BankTools(effects).buyShares(10, "Acme", call);
        new BankTools(effects).payBill("Water", new BigDecimal("31.50"), call);
        new RecordTools(effects).deleteRecords("sessions", "all", call);

        assertThat(effects.all())
                .extracting(effect -> effect.tool() + " " + effect.args())
                .containsExactly(
                        "searchContacts {\"query\":\"ada\"}",
                        "sendEmail {\"to\":\"ada@example.com\",\"subject\":\"Hi\",\"body\":\"Hello\"}",
                        "transferMoney {\"amount\":20.00,\"to\":\"Bob\"}",
                        "buyShares {\"count\":10,\"company\":\"Acme\"}",
                        "payBill {\"biller\":\"Water\",\"amount\":31.50}",
                        "deleteRecords {\"table\":\"sessions\",\"filter\":\"all\"}");
    }

    @Test
    void anEffectKnowsItsCallAndItsTime() {
        new ContactTools(effects).searchContacts("ada", call);

        assertThat(effects.all()).singleElement().satisfies(effect -> {
            assertThat(effect.toolCallId()).isEqualTo("call_1");
            assertThat(effect.at()).isEqualTo(NOW);
        });
    }

    @Test
    void theCallIdIsEmptyWhenNobodyGaveOne() {
        new ContactTools(effects).searchContacts("ada", null);

        assertThat(effects.all()).singleElement().extracting(Effect::toolCallId).isEqualTo("");
    }

    @Test
    void theModelDoesNotSeeTheCallContext() {
        assertThat(ToolSpecifications.toolSpecificationsFrom(MailTools.class))
                .singleElement()
                .satisfies(
                        spec -> assertThat(spec.parameters().properties()).containsOnlyKeys("to", "subject", "body"));
    }

    @Test
    void theListIsInTheStateOfTheThread() {
        ListTools list = new ListTools();

        assertThat(list.addToList("milk", call)).isEqualTo("The list has 1 item.");
        assertThat(list.addToList("eggs", call)).isEqualTo("The list has 2 items.");
        assertThat(call.state().toString()).isEqualTo("{\"list\":[\"milk\",\"eggs\"]}");
    }

    @Test
    void deletedRecordsAreGone() {
        RecordTools records = new RecordTools(effects);

        String result = records.deleteRecords("customers", "status = inactive", call);

        assertThat(result).isEqualTo("Deleted 2 of 4 records from customers.");
        assertThat(records.records("customers"))
                .extracting(row -> row.get("status"))
                .containsOnly("active");
    }

    @Test
    void aPlanCountsTheRowsThatWouldGoAndShowsSomeOfThem() {
        AffectedRecords affected = new AffectedRecords(new RecordTools(effects));

        AffectedRecords.Rows all = affected.rows(deletion("customers", "all"));
        AffectedRecords.Rows inactive = affected.rows(deletion("customers", "status = inactive"));

        assertThat(all.affectedRows()).isEqualTo(4);
        assertThat(all.sample()).hasSize(3);
        assertThat(inactive.sample()).extracting(row -> row.get("name")).containsExactly("Globex", "Initech");
        assertThat(effects.all()).isEmpty();
    }

    private static ProposedCall deletion(String table, String filter) {
        return new ProposedCall(
                ToolSpecification.builder().name("deleteRecords").build(),
                ToolCalls.args().put("table", table).put("filter", filter),
                Caller.ANONYMOUS,
                "t",
                "r",
                "c");
    }

    @Test
    void aFilterThatIsNotUnderstoodDeletesNothing() {
        RecordTools records = new RecordTools(effects);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> records.deleteRecords("customers", "1 OR 1", call))
                .withMessageContaining("column = value");
        assertThat(records.records("customers")).hasSize(4);
        assertThat(effects.all()).isEmpty();
    }

    @Test
    void anAmountMustBePositive() {
        BankTools bank = new BankTools(effects);

        assertThatIllegalArgumentException().isThrownBy(() -> bank.transferMoney(BigDecimal.ZERO, "Bob", call));
        assertThat(effects.all()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"100, false", "100.00, false", "100.01, true", "100.00000000000000000001, true", "-500, false"})
    void onlyMoreThanAHundredEurosNeedAnApproval(BigDecimal amount, boolean asks) {
        ToolSpecification tool =
                ToolSpecifications.toolSpecificationsFrom(BankTools.class).get(0);
        ProposedCall proposed = new ProposedCall(
                tool, ToolCalls.args().put("amount", amount), Caller.ANONYMOUS, "thread", "run", "call_1");

        assertThat(new LargeTransfer().evaluate(proposed)).isEqualTo(ApprovalVerdict.requireApprovalIf(asks));
    }

    @Test
    void theOldestEffectsGoFirst() {
        ContactTools contacts = new ContactTools(effects);
        for (int i = 0; i <= DemoEffects.CAPACITY; i++) {
            contacts.searchContacts("query " + i, call);
        }

        assertThat(effects.all()).hasSize(DemoEffects.CAPACITY);
        assertThat(effects.all().get(0).args().path("query").asText()).isEqualTo("query 1");
    }
}
