package io.holdpoint.answer;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.request.json.JsonRawSchema;
import dev.langchain4j.service.tool.ToolProviderResult;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.ToolPolicy;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.mcp.ServerSchemas;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.Shape;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Currency;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a person is shown is a valid edit: as it is, which is no edit, and with another argument changed. */
class ShownIsAnEditTest {

    private final ScriptedModel model = new ScriptedModel();
    private final List<String> ran = new ArrayList<>();

    record Payee(@JsonProperty("to") String recipient) {}

    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    record Payees(List<Payee> allOfThem, Payee firstPayee) {}

    record Money(Currency currency) {}

    enum Unit {
        @JsonProperty("kilo")
        KG,
        @JsonProperty("pound")
        LB
    }

    record Weight(Unit unit) {}

    enum Colour {
        RED,
        BLUE;

        @Override
        public String toString() {
            return this == RED ? "rot" : "blau";
        }
    }

    static class Open {
        public @Nullable String a;
        private final Map<String, Object> rest = new TreeMap<>();

        @JsonAnySetter
        public void put(String name, Object value) {
            rest.put(name, value);
        }

        @JsonAnyGetter
        public Map<String, Object> rest() {
            return rest;
        }

        @Override
        public String toString() {
            return a + rest;
        }
    }

    static class Flat {
        @JsonUnwrapped
        public @Nullable Inner in;

        static class Inner {
            public @Nullable String y;
        }

        @Override
        public String toString() {
            return String.valueOf(in == null ? null : in.y);
        }
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind", visible = true)
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Card.class, name = "card"),
        @JsonSubTypes.Type(value = Iban.class, name = "iban")
    })
    interface Payment {}

    record Card(String kind, String number) implements Payment {}

    record Iban(String kind, String iban) implements Payment {}

    record Address(String street, String city) {}

    record Node(int n, List<Node> children) {}

    record Code(String text) {
        Code {
            text = text.toLowerCase(Locale.ROOT);
        }
    }

    /** A tool for each kind. */
    private final class Tools {

        @Tool
        @RequiresApproval
        String renamed(Payee x, int n) {
            return run(x, n);
        }

        @Tool
        @RequiresApproval(editable = "x.first_payee.to")
        String named(Payees x, int n) {
            return run(x, n);
        }

        @Tool
        @RequiresApproval
        String currency(Money x, int n) {
            return run(x, n);
        }

        @Tool
        @RequiresApproval
        String units(List<Unit> x, int n) {
            return run(x, n);
        }

        @Tool
        @RequiresApproval
        String weight(Weight x, int n) {
            return run(x, n);
        }

        @Tool
        @RequiresApproval
        String anySetter(Open x, int n) {
            return run(x, n);
        }

        @Tool
        @RequiresApproval
        String unwrapped(Flat x, int n) {
            return run(x, n);
        }

        @Tool
        @RequiresApproval
        String wildcard(List<? extends Number> x, int n) {
            return run(x, n);
        }

        @Tool
        @RequiresApproval
        String counter(AtomicInteger x, int n) {
            return run(x, n);
        }

        @Tool
        @RequiresApproval
        String text(String x, int n) {
            return run(x, n);
        }

        @Tool
        @RequiresApproval(editable = "n")
        String locked(String x, int n) {
            return run(x, n);
        }

        @Tool
        @RequiresApproval
        String object(Address x, int n) {
            return run(x, n);
        }

        @Tool
        @RequiresApproval
        String tree(Node x, int n) {
            return run(x, n);
        }

        @Tool
        @RequiresApproval
        String payment(Payment x, int n) {
            return run(x, n);
        }

        @Tool
        @RequiresApproval
        String colour(Colour x, int n) {
            return run(x, n);
        }

        @Tool
        @RequiresApproval
        String code(Code x, int n) {
            return run(x, n);
        }

        @Tool
        @RequiresApproval
        String date(LocalDate x, int n) {
            return run(x, n);
        }

        private String run(Object x, int n) {
            ran.add(x + " " + n);
            return "ok";
        }
    }

    private RunResult proposed(HoldpointBuilder<?> builder, String tool, String arguments) {
        model.calls(call("c", tool, arguments)).says("Done.");
        agent = builder.build();
        return agent.send("t", "Go");
    }

    private @Nullable Holdpoint agent;

    private RunResult answered(ResumeEntry answer) {
        return Objects.requireNonNull(agent).resume("t", answer);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', textBlock = """
            renamed;   {"to":"Bob"};                     Payee[recipient=Bob]
            currency;  {"currency":"EUR"};               Money[currency=EUR]
            units;     ["kilo"];                         [KG]
            weight;    {"unit":"kilo"};                  Weight[unit=KG]
            anySetter; {"a":"1","z":5};                  1{z=5}
            unwrapped; {"y":"1"};                        1
            wildcard;  [1,2.5];                          [1, 2.5]
            counter;   5;                                5
            text;      "x";                              x
            text;      5551234;                          5551234
            text;      true;                             true
            locked;    5551234;                          5551234
            object;    {"street":"x","city":"y"};        Address[street=x, city=y]
            object;    "{\\"street\\":\\"x\\",\\"city\\":\\"y\\"}"; Address[street=x, city=y]
            tree;      {"n":1,"children":[{"n":2,"children":[{"n":3,"children":[]}]}]}; Node[n=1, children=[Node[n=2, children=[Node[n=3, children=[]]]]]]
            payment;   {"kind":"card","number":"4"};     Card[kind=card, number=4]
            colour;    "RED";                            rot
            code;      {"text":"De2"};                   Code[text=de2]
            date;      {"year":2026,"month":1,"day":2};  2026-01-02
            """)
    void ofAMethod(String tool, String x, String got) {
        String arguments = "{\"x\":" + x + ",\"n\":1}";
        RunResult held = proposed(builder(), tool, arguments);
        assertThat(held.interrupts()).as(() -> model.lastResult("c")).hasSize(1);

        RunResult same = answered(held.approval().approveWith(held.approval().arguments()));

        assertThat(same.failure()).isEmpty();
        assertThat(ran).containsExactly(got + " 1");
        assertThat(model.lastResult("c")).isEqualTo("ok"); // without a note that it was edited

        ran.clear();
        RunResult again = proposed(builder(), tool, arguments);
        RunResult other = answered(again.approval().edit("n", 9));

        assertThat(other.failure()).isEmpty();
        assertThat(ran).containsExactly(got + " 9");
    }

    private HoldpointBuilder<Shape.Blocking> builder() {
        return Holdpoint.builder(Shape.Blocking.class).chatModel(model).tools(new Tools());
    }

    private HoldpointBuilder<Shape.Blocking> provider(ToolSpecification tool) {
        return Holdpoint.builder(Shape.Blocking.class)
                .chatModel(model)
                .toolProviders(request -> ToolProviderResult.builder()
                        .add(tool, (call, id) -> {
                            ran.add(call.arguments());
                            return "ok";
                        })
                        .build())
                .toolPolicies(ToolPolicy.matching(Pattern.compile(".*")));
    }

    @Test
    void anEditWhoseLettersATypeChangesIsRefused() {
        RunResult held = proposed(builder(), "code", "{\"x\":{\"text\":\"de\"},\"n\":1}");

        RunResult refused = answered(held.approval().edit("x", Map.of("text", "DE")));

        assertThat(refused.failure().orElseThrow().message()).contains("\"DE\" would reach the tool as \"de\"");
        assertThat(ran).isEmpty();
    }

    /** LangChain4j describes a type by the names of its fields; the form has those that are shown and taken, and no others beside them. */
    @Test
    void theFormHasTheNamesThatAreShown() {
        RunResult held = proposed(
                builder(),
                "named",
                "{\"x\":{\"all_of_them\":[{\"to\":\"Ada\"}],\"first_payee\":{\"to\":\"Bob\"}},\"n\":1}");

        JsonNode form = Objects.requireNonNull(held.approval().interrupt().responseSchema())
                .at("/properties/editedArgs/properties/x/properties");
        assertThat(form.fieldNames()).toIterable().containsExactly("all_of_them", "first_payee");
        assertThat(form.at("/all_of_them/items/properties").fieldNames())
                .toIterable()
                .containsExactly("to");
        assertThat(form.at("/first_payee/properties").fieldNames()).toIterable().containsExactly("to");

        answered(held.approval().edit("x.first_payee.to", "Eve"));

        assertThat(ran).containsExactly("Payees[allOfThem=[Payee[recipient=Ada]], firstPayee=Payee[recipient=Eve]] 1");
    }

    @Test
    void anEditOfTheLettersIsAnEdit() {
        RunResult held = proposed(builder(), "text", "{\"x\":\"bob\",\"n\":1}");

        answered(held.approval().edit("x", "Bob"));

        assertThat(ran).containsExactly("Bob 1");
        assertThat(model.lastResult("c")).contains("a person edited the arguments");
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', textBlock = """
            weight; {"unit":"KG"};  [kilo, pound]
            colour; "rot";          [RED, BLUE]
            """)
    @Logs("A call of the tool * was refused to the model because of its arguments")
    void theModelIsToldTheNamesThatAreTaken(String tool, String x, String names) {
        proposed(builder(), tool, "{\"x\":" + x + ",\"n\":1}");

        assertThat(model.lastResult("c")).contains("must be one of " + names);
    }

    /** Schemas as MCP servers have them, read as LangChain4j's client reads them, which loses what it does not know. */
    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', textBlock = """
            {"labels":{"type":"array","items":{"oneOf":[{"type":"string"},{"type":"object","properties":{"name":{"type":"string"}}}]}}}; {"labels":["bug",{"name":"x"}],"n":1}
            {"value":{"title":"Value"}};                             {"value":5,"n":1}
            {"kind":{"const":"card"}};                               {"kind":"card","n":1}
            {"level":{"enum":[1,2]}};                                {"level":2,"n":1}
            {"value":{"allOf":[{"type":"string"}]}};                 {"value":"a","n":1}
            {"body":{"type":"object","properties":{"k":{"type":"string"}}}}; {"body":{"k":"v","x":1},"n":1}
            {"headers":{"type":"object","properties":{"k":{"type":"string"}},"additionalProperties":{"type":"string"}}}; {"headers":{"x":"v"},"n":1}
            {};                                                      {"x":{"y":[1,"a",null]},"n":1}
            {"root":{"$ref":"#/$defs/Tree"}};                        {"root":{"n":1,"children":[{"n":2,"children":[{"n":3}]}]},"n":1}
            {"one":{"type":"string"},"two":{"$ref":"#/properties/one"}}; {"one":"a","two":"b","n":1}
            {"value":{"anyOf":[{"type":"string"},{"type":"null"}]}}; {"value":null,"n":1}
            {"value":{"type":["string","number"]}};                  {"value":2.5,"n":1}
            {"list":{"type":"array"}};                               {"list":[1,"a"],"n":1}
            {"at":{"type":"object"}};                                {"at":{"b":{}},"n":1}
            """)
    void ofATool(String properties, String arguments) throws Exception {
        ToolSpecification tool = ServerSchemas.read("call_api", (ObjectNode) AguiCodec.mapper()
                .readTree("{\"type\":\"object\",\"properties\":" + properties
                        + ",\"$defs\":{\"Tree\":{\"type\":\"object\","
                        + "\"properties\":{\"n\":{\"type\":\"integer\"},\"children\":{\"type\":\"array\",\"items\":"
                        + "{\"$ref\":\"#/$defs/Tree\"}}}}}}"));

        requireShownIsAnEdit(tool, arguments);
    }

    /** Generated tools, each with arguments that its server takes. */
    @Test
    void ofAnyTool() throws Exception {
        for (int seed = 0; seed < 200; seed++) {
            ServerSchemas.Sample sample = ServerSchemas.sample(seed);
            try {
                requireShownIsAnEdit(
                        ServerSchemas.read("call_api", sample.schema()),
                        sample.arguments().toString());
            } catch (AssertionError e) {
                throw new AssertionError("seed " + seed + ": " + sample, e);
            }
        }
    }

    private void requireShownIsAnEdit(ToolSpecification tool, String arguments) throws JsonProcessingException {
        ran.clear();
        RunResult held = proposed(provider(tool), tool.name(), arguments);
        assertThat(held.interrupts()).as(() -> model.lastResult("c")).hasSize(1);
        PendingInterrupt.Approval question = held.approval();
        JsonNode schema = Objects.requireNonNull(question.interrupt().responseSchema());
        ObjectNode answer = AguiCodec.mapper().createObjectNode().put("approved", true);
        answer.set("editedArgs", question.arguments());
        JsonNode shown = ServerSchemas.withoutOptionalNulls(schema, answer);
        assertThat(SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                        .getSchema(schema)
                        .validate(shown))
                .isEmpty();

        assertThat(answered(question.approveWith(question.arguments())).failure())
                .isEmpty();

        JsonNode proposed = AguiCodec.mapper().readTree(arguments);
        assertThat(ran).hasSize(1);
        assertThat(AguiCodec.mapper().readTree(ran.get(0))).isEqualTo(proposed);
        assertThat(model.lastResult("c")).isEqualTo("ok");

        RunResult again = proposed(provider(tool), tool.name(), arguments);
        assertThat(answered(again.approval().edit("n", 2)).failure()).isEmpty();
        assertThat(AguiCodec.mapper().readTree(ran.get(1))).isEqualTo(((ObjectNode) proposed).put("n", 2));
    }

    /** An application that knows the server's own schema gives it to LangChain4j as it is. */
    @Test
    @Logs("A call of the tool * was refused to the model because of its arguments")
    void aRawSchemaIsCheckedAsAWhole() {
        ToolSpecification tool = ToolSpecification.builder()
                .name("call_api")
                .parameters(JsonObjectSchema.builder()
                        .addProperty("n", JsonRawSchema.from("{\"type\":\"integer\",\"minimum\":1}"))
                        .build())
                .build();
        assertThat(proposed(provider(tool), "call_api", "{\"n\":0}").interrupts())
                .isEmpty();
        RunResult held = proposed(provider(tool), "call_api", "{\"n\":2}");

        assertThat(answered(held.approval().edit("n", 0))
                        .failure()
                        .orElseThrow()
                        .message())
                .contains("editedArgs/n: must have a minimum value of 1");
        assertThat(ran).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"nn", "extra"})
    void aMisspeltArgumentOfAToolIsRefused(String name) throws Exception {
        ToolSpecification tool = ServerSchemas.read("call_api", (ObjectNode)
                AguiCodec.mapper().readTree("{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"}}}"));
        RunResult held = proposed(provider(tool), "call_api", "{\"n\":1}");

        assertThat(answered(held.approval().edit(name, 2)).failure()).isPresent();
        assertThat(ran).isEmpty();
    }
}
