package io.holdpoint.validation;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.service.IllegalConfigurationException;
import io.holdpoint.Holdpoint;
import io.holdpoint.RequiresApproval;
import io.holdpoint.agui.RunEvent;
import io.holdpoint.agui.ToolCallEvent;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.RecordingSink;
import jakarta.validation.constraints.AssertTrue;
import jakarta.validation.constraints.Email;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.Size;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Jakarta Validation annotations hold for what the model proposes and for what a person makes of it. */
@Logs({
    "A call of the tool * was refused to the model because of its arguments",
    "The call * of the tool * is not executed: it was proposed to another tool of this name"
})
class ParameterConstraintTest {

    private static final String INVITATION =
            "{\"to\":\"ada@example.com\",\"room\":{\"name\":\"Blue\"},\"note\":\"Hello\"}";

    private final List<String> effects = new CopyOnWriteArrayList<>();
    private final Bench bench = new Bench(builder -> builder.tools(new Tools()));

    public record Room(@NotBlank @Size(max = 10) String name) {}

    /** What a tool implements counts as well. */
    public interface Ledger {
        String book(@Positive BigDecimal amount);
    }

    public final class Tools implements Ledger {

        @Tool("Invites")
        @RequiresApproval
        public String invite(
                @Email String to, Room room, @P(value = "note", required = false) @Size(max = 5) String note) {
            effects.add("invite " + to + "|" + room.name() + "|" + note);
            return "invited";
        }

        @Tool("Looks")
        public String look(@Max(3) int depth) {
            effects.add("look " + depth);
            return "seen";
        }

        @Override
        @Tool("Books")
        @RequiresApproval
        public String book(BigDecimal amount) {
            effects.add("book " + amount);
            return "booked";
        }
    }

    private ObjectNode editedArgs() {
        return (ObjectNode) Objects.requireNonNull(bench.pending(0).interrupt().responseSchema())
                .at("/properties/editedArgs");
    }

    @Test
    void theyAreInTheSchemaOfEdits() {
        bench.model.calls(call("c1", "invite", INVITATION));
        bench.say("Invite Ada");

        assertThat(editedArgs().at("/properties/to/format").asText()).isEqualTo("email");
        assertThat(editedArgs().at("/properties/to/pattern").isTextual()).isTrue();
        assertThat(editedArgs().at("/properties/note/maxLength").asInt()).isEqualTo(5);
        assertThat(editedArgs().at("/properties/room/properties/name/maxLength").asInt())
                .isEqualTo(10);
        assertThat(editedArgs().at("/properties/room/required/0").asText()).isEqualTo("name");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"to\":\"ada\",\"room\":{\"name\":\"Blue\"}}",
                "{\"to\":\"ada@example.com\",\"room\":{\"name\":\" \"}}",
                "{\"to\":\"ada@example.com\",\"room\":{}}",
                "{\"to\":\"ada@example.com\",\"room\":{\"name\":\"Blue\"},\"note\":\"Hello, Ada\"}",
                "{\"to\":[\"ada\"],\"room\":{\"name\":\"Blue\"}}",
            })
    void aProposalThatBreaksThemIsRefusedToTheModelAndNobodyIsAsked(String arguments) {
        bench.model.calls(call("c1", "invite", arguments)).says("I see.");

        RecordingSink sink = bench.say("Invite Ada");

        assertThat(bench.pending()).isEmpty();
        assertThat(effects).isEmpty();
        assertThat(bench.model.lastResult("c1"))
                .contains("was not executed", "constraints", "Nobody was asked")
                .containsPattern("/(to|room|note)");
        assertThat(sink.all(ToolCallEvent.Result.class)).hasSize(1);
    }

    @Test
    void toolsThatNobodyIsAskedAboutKeepToThemAsWell() {
        bench.model
                .calls(call("c1", "look", "{\"depth\":4}"), call("c2", "look", "{\"depth\":3}"))
                .says("I see.");

        bench.say("Look");

        assertThat(effects).containsExactly("look 3");
        assertThat(bench.model.lastResult("c1")).contains("/depth");
    }

    @Test
    void whatAnInterfaceSaysCountsForWhatImplementsIt() {
        bench.model.calls(call("c1", "book", "{\"amount\":0}")).says("I see.");

        bench.say("Book");

        assertThat(bench.pending()).isEmpty();
        assertThat(bench.model.lastResult("c1")).contains("/amount");
    }

    @Test
    void anEditThatBreaksThemIsRefusedWithItsPathAndCanBeCorrected() {
        bench.model.calls(call("c1", "invite", INVITATION));
        bench.say("Invite Ada");
        Bench.Everything before = bench.everything();

        RecordingSink sink = bench.resume(bench.pending(0)
                .asApproval()
                .approveWith(Map.of("to", "bob@example.com", "room", Map.of("name", "A very large room"))));

        assertThat(sink.all(RunEvent.Error.class).get(0).code()).isEqualTo("INTERRUPT_PAYLOAD_INVALID");
        assertThat(sink.detail()).contains("payload/editedArgs/room/name: ");
        assertThat(bench.everything()).isEqualTo(before);
        bench.model.says("Done.");
        bench.resume(bench.pending(0)
                .asApproval()
                .approveWith(Map.of("to", "bob@example.com", "room", Map.of("name", "Red"), "note", "Hi")));
        assertThat(effects).containsExactly("invite bob@example.com|Red|Hi");
    }

    @Test
    void aNumberThatKeepsToThemKeepsItsDigits() {
        bench.model.calls(call("c1", "book", "{\"amount\":12345678901234567890.01}"));
        bench.say("Book");
        assertThat(editedArgs().at("/properties/amount/exclusiveMinimum").asInt())
                .isZero();
        bench.model.says("Done.");

        bench.resume(bench.pending(0).asApproval().approve());

        assertThat(effects).containsExactly("book 12345678901234567890.01");
    }

    public static final class Before {
        @Tool
        @RequiresApproval
        public String pay(@Max(100) int amount) {
            return "paid";
        }
    }

    public final class After {
        @Tool
        @RequiresApproval
        public String pay(@Max(50) int amount) {
            effects.add("pay " + amount);
            return "paid";
        }
    }

    @Test
    void whatWasApprovedUnderOtherConstraintsIsNotExecuted() {
        Holdpoint before = bench.another(builder -> builder.tools(new Before()));
        Holdpoint after = bench.another(builder -> builder.tools(new After()));
        bench.model.calls(call("c1", "pay", "{\"amount\":80}")).says("I see.");
        before.send(Bench.THREAD, "Pay");

        after.resume(Bench.THREAD, bench.pending(0).asApproval().approve());

        assertThat(effects).isEmpty();
        assertThat(bench.model.lastResult("c1")).contains("tool has changed");
    }

    public static final class Misused {
        @Tool
        public String pay(@Pattern(regexp = "(") String iban) {
            return "paid";
        }
    }

    @Test
    void aConstraintThatMakesNoSenseIsFoundWhenTheAgentIsBuilt() {
        assertThatThrownBy(() -> bench.another(builder -> builder.tools(new Misused())))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("Misused.pay()");
    }

    public record Order(@Min(1) int quantity, @AssertTrue boolean paid) {}

    public record Contact(
            @JsonAlias("mail") @Email String email,
            @Nullable @AssertTrue Boolean known) {}

    public final class MoreTools {

        @Tool("Orders")
        public String order(Order order) {
            effects.add("order " + order.quantity());
            return "ordered";
        }

        @Tool("Adds")
        public String add(Contact contact) {
            effects.add("add " + contact.email());
            return "added";
        }

        @Tool("Repeats")
        @RequiresApproval
        public String repeat(
                String what,
                @P(value = "times", defaultValue = "2") @Min(1) int times,
                @NotNull @P(value = "by", defaultValue = "Ada") String by) {
            effects.add("repeat " + what + times + by);
            return "repeated";
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"order\":{\"paid\":true}}",
                "{\"order\":{\"quantity\":null,\"paid\":true}}",
                "{\"order\":{\"quantity\":1}}",
            })
    void whatIsLeftOutOfAPrimitiveIsNotZeroInPassing(String arguments) {
        Bench more = new Bench(builder -> builder.tools(new MoreTools()));
        more.model.calls(call("c1", "order", arguments)).says("I see.");

        more.say("Order");

        assertThat(effects).isEmpty();
        assertThat(more.model.lastResult("c1")).contains("constraints", "/order");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"contact\":{\"mail\":\"ada\"}}",
                "{\"contact\":{\"email\":\"ada@example.com\",\"mail\":\"ada\"}}"
            })
    void anotherNameOfAFieldIsNoWayAround(String arguments) {
        Bench more = new Bench(builder -> builder.tools(new MoreTools()));
        more.model
                .calls(call("c1", "add", arguments), call("c2", "add", "{\"contact\":{\"mail\":\"ada@example.com\"}}"))
                .says("I see.");

        more.say("Add Ada");

        assertThat(effects).containsExactly("add ada@example.com");
        assertThat(more.model.lastResult("c1")).contains("/contact/mail: must be an email address");
    }

    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    public record Account(
            @NotBlank String holderName,
            @Pattern(regexp = "DE[0-9]+") String accountNumber,
            List<Account> subAccounts) {}

    public record Holder(
            @JsonProperty("full") @NotBlank @Size(max = 5) String name) {}

    public final class RenamedTools {

        @Tool("Opens")
        @RequiresApproval
        public String open(Account account) {
            effects.add("open " + account.accountNumber());
            return "opened";
        }

        @Tool("Greets")
        @RequiresApproval
        public String greet(Map<String, List<Holder>> holders) {
            effects.add("greet " + holders.get("a").get(0).name);
            return "greeted";
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', textBlock = """
            open;  {"account":{"holder_name":"Ada","account_number":"FR1","sub_accounts":[]}}; /account/account_number
            open;  {"account":{"holder_name":" ","account_number":"DE1","sub_accounts":[]}};   /account/holder_name
            open;  {"account":{"holder_name":"Ada","account_number":"DE1","sub_accounts":[{"holder_name":"Bob","account_number":"FR1"}]}}; /account/sub_accounts/0/account_number
            greet; {"holders":{"a":[{"full":"Adalbert"}]}}; /holders/a/0/full
            greet; {"holders":{"a":[{"full":null}]}};       /holders/a/0/full
            """)
    void aFieldIsHeldToThemByTheNameByWhichItIsRead(String tool, String arguments, String said) {
        Bench renamed = new Bench(builder -> builder.tools(new RenamedTools()));
        renamed.model.calls(call("c1", tool, arguments)).says("I see.");

        assertThat(renamed.say("Go").interrupts()).isEmpty();
        assertThat(renamed.model.lastResult("c1")).contains(said + ":");
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', textBlock = """
            open;  {"account":{"holder_name":"Ada","account_number":"DE1","sub_accounts":[]}}; /account/properties/account_number/pattern
            greet; {"holders":{"a":[{"full":"Ada"}]}}; ``
            """)
    void aFieldOfAnotherNameThatKeepsToThemIsAskedAbout(String tool, String arguments, String said) {
        Bench renamed = new Bench(builder -> builder.tools(new RenamedTools()));
        renamed.model.calls(call("c1", tool, arguments)).says("I see.");

        RecordingSink held = renamed.say("Go");

        assertThat(held.interrupts()).as(() -> renamed.model.lastResult("c1")).hasSize(1);
        assertThat(Objects.requireNonNull(held.interrupts().get(0).responseSchema())
                        .at("/properties/editedArgs/properties" + said)
                        .isMissingNode())
                .isFalse();
    }

    @Test
    void nullIsNoValueThatAssertTrueIsAbout() {
        Bench more = new Bench(builder -> builder.tools(new MoreTools()));
        more.model
                .calls(
                        call("c1", "add", "{\"contact\":{\"email\":null,\"known\":null}}"),
                        call("c2", "add", "{\"contact\":{\"known\":false}}"))
                .says("I see.");

        more.say("Add nobody");

        assertThat(effects).containsExactly("add null");
    }

    @Test
    void anEditMayLeaveOutWhatHasADefaultAndAConstraint() {
        Bench more = new Bench(builder -> builder.tools(new MoreTools()));
        more.model.calls(call("c1", "repeat", "{\"what\":\"a\"}"));
        more.say("Repeat");
        more.model.says("Done.");

        more.resume(more.pending(0).asApproval().approveWith(Map.of("what", "b")));

        assertThat(effects).containsExactly("repeat b2Ada");
    }

    /** A tool that takes anything. */
    public final class Calendar {

        @Tool
        public String remind(@NotNull Object what) {
            effects.add("remind " + what);
            return "ok";
        }
    }

    @Test
    void aTypeOfThePlatformMayBeAnythingButAbsent() {
        Bench more = new Bench(builder -> builder.tools(new Calendar()));
        more.model
                .calls(call("c1", "remind", "{\"what\":5}"), call("c2", "remind", "{\"what\":null}"))
                .says("I see.");

        more.say("Remind me");

        assertThat(effects).containsExactly("remind 5");
        assertThat(more.model.lastResult("c2")).contains("/what");
    }
}
