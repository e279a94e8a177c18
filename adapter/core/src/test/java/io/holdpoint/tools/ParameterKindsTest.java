package io.holdpoint.tools;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.service.tool.ToolExecutor;
import dev.langchain4j.service.tool.ToolProviderResult;
import dev.langchain4j.service.tool.ToolService;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.ToolPolicy;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.RecordingSink;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every kind of parameter is held, approved and edited; the tool gets what the person saw, or nobody is asked. */
@Logs("A call of the tool * was refused to the model because of its arguments")
class ParameterKindsTest {

    private final ParameterKinds kinds = new ParameterKinds();
    private final Bench bench = new Bench(this::gated);

    private HoldpointBuilder<Bench.Assistant> gated(HoldpointBuilder<Bench.Assistant> builder) {
        return builder.tools(kinds).toolPolicies(ToolPolicy.where(tool -> true));
    }

    private RecordingSink proposed(String tool, String x) {
        bench.model.calls(call("c1", tool, "{\"x\":" + x + "}")).says("Done.");
        return bench.say(tool + " " + x);
    }

    private RecordingSink edited(String x) throws Exception {
        ObjectNode payload = AguiCodec.mapper().createObjectNode().put("approved", true);
        payload.set("editedArgs", AguiCodec.mapper().readTree("{\"x\":" + x + "}"));
        return bench.resume(ResumeEntry.resolved(bench.pending(0).id(), payload));
    }

    private boolean isEditable() {
        Interrupt interrupt = bench.pending(0).interrupt();
        return Objects.requireNonNull(interrupt.responseSchema())
                .path("properties")
                .has("editedArgs");
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', textBlock = """
            text;         "a";                         a;                    "b\\u00e9";              bé
            text;         "12345678901234567.89";      12345678901234567.89; "1.50";                  1.50
            truth;        true;                        true;                 false;                   false
            truthObject;  false;                       false;                true;                    true
            byteNumber;   127;                         127;                  -128;                    -128
            shortNumber;  -32768;                      -32768;               32767;                   32767
            intNumber;    5;                           5;                    2147483647;              2147483647
            intNumber;    5.0;                         5;                    7;                       7
            longNumber;   9007199254740993;            9007199254740993;     -9223372036854775808;    -9223372036854775808
            floatNumber;  0.1;                         0.1;                  16777216;                1.6777216E7
            doubleNumber; 0.1;                         0.1;                  1.7976931348623157E308;  1.7976931348623157E308
            doubleNumber; 5.6843418860808E-14;         5.6843418860808E-14;  0.30000000000000004;     0.30000000000000004
            decimal;      12345678901234567.890;       12345678901234567.890; 1.50;                   1.50
            bigInteger;   123456789012345678901234567890; 123456789012345678901234567890; 7;          7
            level;        "LOW";                       LOW;                  "HIGH";                  HIGH
            levels;       ["LOW","HIGH"];              [LOW, HIGH];          ["HIGH","HIGH"];         [HIGH, HIGH]
            levelSet;     ["HIGH","LOW"];              [HIGH, LOW];          ["HIGH"];                [HIGH]
            levelArray;   ["LOW"];                     [LOW];                ["HIGH","LOW"];          [HIGH, LOW]
            order;        {"customer":"Ada","lines":[{"item":"pen","count":2,"price":1.5}],"due":{"year":2026,"month":2,"day":28}};Order[customer=Ada, lines=[Line[item=pen, count=2, price=1.5]], due=2026-02-28];{"customer":"Bob","lines":[],"due":{"year":2026,"month":3,"day":1}};Order[customer=Bob, lines=[], due=2026-03-01]
            lines;        [{"item":"pen","count":2,"price":0.1}]; [Line[item=pen, count=2, price=0.1]]; [{"item":"ink","count":1,"price":2}]; [Line[item=ink, count=1, price=2.0]]
            table;        [[1,2],[3]];                 [[1, 2], [3]];        [[4]];                   [[4]]
            ints;         [1,2];                       [1, 2];               [3];                     [3]
            bytes;        [1,-2];                      [1, -2];              [3];                     [3]
            integers;     [1,2];                       [1, 2];               [3.0];                   [3]
            texts;        {"a":"b"};                   {a=b};                {"a":"c","d":"e"};       {a=c, d=e}
            anything;     {"a":0.1,"b":[true]};        {a=0.1, b=[true]};    {"a":"x","b":null};      {a=x, b=null}
            counts;       {"a":1};                     {a=1};                {"a":2};                 {a=2}
            linesByName;  {"a":[{"item":"pen","count":2,"price":1}]}; {a=[Line[item=pen, count=2, price=1.0]]}; {"b":[]}; {b=[]}
            payment;      {"kind":"card","number":"4"}; Card[number=4];      {"kind":"transfer","iban":"D","amount":1.50}; Transfer[iban=D, amount=1.50]
            payments;     [{"kind":"card","number":"4"}]; [Card[number=4]];  [{"kind":"transfer","iban":"D","amount":0.10}]; [Transfer[iban=D, amount=0.10]]
            shape;        {"type":"Circle","radius":0.5}; Circle[radius=0.5]; {"type":"Square","side":2}; Square[side=2]
            shapes;       [{"type":"Circle","radius":0.5}]; [Circle[radius=0.5]]; [{"type":"Square","side":2}]; [Square[side=2]]
            maybe;        3;                           Optional[3];          4;                       Optional[4]
            perhaps;      null;                        null;                 4;                       4
            standard;     null;                        25;                   26;                      26
            person;       {"name":"Ada","age":36,"tags":[]}; Ada36[];  {"name":"Bob","age":7,"tags":["x"]}; Bob7[x]
            uuid;         "6f1b1cf2-0c7e-4dc6-8b5e-3d2a1f0e9c8b"; 6f1b1cf2-0c7e-4dc6-8b5e-3d2a1f0e9c8b; "00000000-0000-0000-0000-000000000000"; 00000000-0000-0000-0000-000000000000
            named;        "a";                         a;                    "b";                     b
            ofThread;     "a";                         a@t;                  "b";                     b@t
            date;         {"year":2026,"month":2,"day":28}; 2026-02-28;      {"year":2024,"month":2,"day":29}; 2024-02-29
            time;         {"hour":9,"minute":5,"second":0,"nano":0}; 09:05;  {"hour":23,"minute":59,"second":59,"nano":1}; 23:59:59.000000001
            moment;       {"date":{"year":2026,"month":1,"day":2},"time":{"hour":9,"minute":5,"second":0,"nano":0}}; 2026-01-02T09:05; {"date":{"year":2026,"month":1,"day":3},"time":{"hour":0,"minute":0,"second":1,"nano":0}}; 2026-01-03T00:00:01
            range;        {"from":1,"to":2};           Range[from=1, to=2];  {"from":2,"to":2};       Range[from=2, to=2]
            tree;         {"name":"a","children":[{"name":"b","children":[]}]}; Tree[name=a, children=[Tree[name=b, children=[]]]]; {"name":"a","children":[{"name":"b","children":[{"name":"c","children":[]}]}]}; Tree[name=a, children=[Tree[name=b, children=[Tree[name=c, children=[]]]]]]
            """)
    void isHeldApprovedAndEdited(String tool, String x, String got, String changed, String gotThen) throws Exception {
        proposed(tool, x);
        assertThat(kinds.received).isEmpty();
        assertThat(bench.pending()).as(() -> bench.model.lastResult("c1")).hasSize(1);
        bench.resume(bench.pending(0).asApproval().approve());
        assertThat(kinds.received).containsExactly(got);

        kinds.received.clear();
        proposed(tool, x + " ");
        assertThat(isEditable()).isTrue();
        RecordingSink sink = edited(changed);

        assertThat(sink.types()).as(() -> sink.last().toString()).doesNotContain("RUN_ERROR");
        assertThat(kinds.received).containsExactly(gotThen);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', textBlock = """
            integers;     [1];          [1.5];                      /x/0
            ints;         [1];          [1.5];                      /x/0
            counts;       {"a":1};      {"a":1.5};                  /x/a
            counts;       {"a":1};      {"a":"nonsense"};           /x/a
            lines;        [];           [{"item":"pen","count":1.9}]; /x/0/count
            lines;        [];           [{"item":"pen"}];           /x/0
            lines;        [];           [{"item":"pen","count":null}]; /x/0/count
            linesByName;  {};           {"a":[{"item":"pen","count":1,"colour":"red"}]}; /x/a/0/colour
            linesByName;  {};           {"a":[{"item":"pen"}]};     /x/a/0/count
            levelSet;     [];           ["LOW","HIGH","LOW"];       /x
            account;      {"owner":"a"}; {"owner":"a","secret":1};  /x/secret
            doubleNumber; 1;            "NaN";                      /x
            doubleNumber; 1;            " 5 ";                      /x
            lines;        [];           [{"item":"a","count":1,"price":"-Infinity"}]; /x/0/price
            lines;        [];           [{"item":"a","count":"null"}]; /x/0/count
            rows;         [];           [{"a":12345678901234567.89}]; /x/0/a
            doubleNumber; 1;            1e-400;                     /x
            measure;      {"value":1};  {"value":1e-400,"error":1}; /x/value
            bigInteger;   1;            "1e999999999";              /x
            doubleNumber; 1;            1e400;                      /x
            doubleNumber; 1;            12345678901234567.89;       /x
            anything;     {};           {"a":12345678901234567.89}; /x/a
            floatNumber;  1;            16777217;                   /x
            floatNumber;  1;            1e39;                       /x
            intNumber;    1;            2147483648;                 /x
            intNumber;    1;            5.5;                        /x
            intNumber;    1;            "0x10";                     /x
            intNumber;    1;            true;                       /x
            intNumber;    1;            null;                       /x
            longNumber;   1;            9223372036854775808;        /x
            byteNumber;   1;            999;                        /x
            uuid;         "6f1b1cf2-0c7e-4dc6-8b5e-3d2a1f0e9c8b"; "nonsense"; /x
            level;        "LOW";        "MIDDLE";                   /x
            levels;       [];           ["LOW","MIDDLE"];           /x/1
            text;         "a";          {"a":1};                    /x
            text;         "a";          [1];                        /x
            text;         "a";          null;                       /x
            texts;        {};           {"a":{"b":1}};              /x/a
            date;         {"year":2026,"month":2,"day":28}; {"year":2026,"month":2,"day":30}; /x
            date;         {"year":2026,"month":2,"day":28}; {"year":2026.5,"month":2,"day":28}; /x
            date;         {"year":2026,"month":2,"day":28}; "tomorrow"; /x
            range;        {"from":1,"to":2}; {"from":3,"to":2};     /x
            payment;      {"kind":"card","number":"4"}; {"kind":"cash"}; /x
            shapes;       [];           [{"type":"Square","side":1.5}]; /x/0
            maybe;        1;            1.5;                        /x
            tree;         {"name":"a","children":[]}; {"name":"a","children":[{"name":"b","children":[{"nam":"c","children":[]}]}]}; /x/children/0/children/0/nam
            """)
    void doesNotFitAndNobodyIsAskedAndAnEditIsRefused(String tool, String good, String bad, String path)
            throws Exception {
        proposed(tool, bad);

        assertThat(bench.pending()).isEmpty();
        assertThat(bench.model.lastResult("c1")).contains("was not executed", path, "Nobody was asked");

        proposed(tool, good);
        PendingInterrupt question = bench.pending(0);
        RecordingSink refused = edited(bad);

        assertThat(refused.errorCode()).isEqualTo("INTERRUPT_PAYLOAD_INVALID");
        assertThat(refused.last().toString()).contains("payload/editedArgs" + path);
        assertThat(bench.pending(0).id()).isEqualTo(question.id());
        assertThat(kinds.received).isEmpty();

        bench.resume(question.asApproval().approve());
        assertThat(kinds.received).hasSize(1);
    }

    /** A proposal shows the default; in an edit, nobody would have seen it. */
    @Test
    void anEditWithNullInThePlaceOfADefaultIsRefused() throws Exception {
        proposed("standard", "5");

        RecordingSink refused = edited("null");

        assertThat(refused.errorCode()).isEqualTo("INTERRUPT_PAYLOAD_INVALID");
        assertThat(refused.last().toString()).contains("payload/editedArgs/x: null would reach the tool as 25");
        bench.resume(bench.pending(0).asApproval().approve());
        assertThat(kinds.received).containsExactly("5");
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', textBlock = """
            intNumber;  {};                          /x: is missing
            text;       {};                          /x: is missing
            text;       {"x":"a","bcc":"eve"};       /bcc: the tool has no such argument
            person;     {"x":{"name":"Ada","tags":[]}};  /x/age: is missing
            range;      {"x":{"from":3,"to":2}};     from is greater than to
            level;      {"x":"MIDDLE"};              /x: must be one of [LOW, HIGH]
            """)
    void theModelIsToldWhy(String tool, String arguments, String why) {
        bench.model.calls(call("c1", tool, arguments)).says("I see.");

        bench.say("Go");

        assertThat(bench.pending()).isEmpty();
        assertThat(bench.model.lastResult("c1")).contains(why).doesNotContain("io.holdpoint.tools");
        assertThat(kinds.received).isEmpty();
    }

    /** Models that are not strict write some values in another way; LangChain4j takes them, and nothing is lost. */
    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', textBlock = """
            intNumber;  "5";                                5
            text;       100000000.00;                       100000000.00
            text;       true;                               true
            level;      "low";                              LOW
            uuid;       "1-1-1-1-1";                        00000001-0001-0001-0001-000000000001
            range;      "{\\"from\\":1,\\"to\\":2}";        Range[from=1, to=2]
            box;        {"content":{"item":"pen","count":2}}; Box[content={count=2, item=pen}]
            object;     {"a":[1,0.5]};                      {a=[1, 0.5]}
            time;       {"hour":9,"minute":5};              09:05
            person;     {"name":"Ada","age":36};      Ada36[]
            """)
    void anotherWayToWriteTheSameValueIsTaken(String tool, String x, String got) {
        proposed(tool, x);

        bench.resume(bench.pending(0).asApproval().approve());

        assertThat(kinds.received).containsExactly(got);
    }

    /** What is shown is what the type writes of the value that runs; a number that keeps its value keeps its spelling, a date its form. */
    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', textBlock = """
            intNumber;    "5";                             5
            intNumber;    5.0;                             5
            longNumber;   9007199254740993e0;              9007199254740993
            doubleNumber; 5;                               5
            doubleNumber; 19.90;                           19.9
            decimal;      "19.90";                         19.90
            decimals;     [1,"2.50"];                      [1,2.50]
            text;         1.50;                            "1.50"
            level;        "low";                           "LOW"
            levels;       ["low"];                         ["LOW"]
            levelSet;     ["HIGH","LOW"];                  ["HIGH","LOW"]
            counts;       {"a":"1"};                       {"a":1}
            uuid;         "6F1B1CF2-0C7E-4DC6-8B5E-3D2A1F0E9C8B"; "6f1b1cf2-0c7e-4dc6-8b5e-3d2a1f0e9c8b"
            range;        "{\\"from\\":1,\\"to\\":\\"2\\"}"; {"from":1,"to":2}
            time;         {"hour":9,"minute":"5"};         {"hour":9,"minute":5,"nano":0,"second":0}
            dates;        {"a":"2026-01-01"};              {"a":"2026-01-01"}
            dates;        {"a":{"year":2026,"month":1,"day":1}}; {"a":{"day":1,"month":1,"year":2026}}
            dates;        {"a":{"year":2026,"month":1,"day":1},"b":"2026-01-02"}; {"a":{"day":1,"month":1,"year":2026},"b":{"day":2,"month":1,"year":2026}}
            person;       {"name":"Ada","age":36};         {"age":36,"name":"Ada"}
            login;        {"name":"Ada","password":"x"};   {"name":"Ada","password":"x"}
            bytes;        [1,-2];                          [1,-2]
            heir;         {"name":"Ada"};                  {"level":"LOW","name":"Ada","shares":0}
            """)
    void whatIsShownIsWhatTheTypeWrites(String tool, String x, String shown) throws Exception {
        proposed(tool, x);
        assertThat(bench.pending()).as(() -> bench.model.lastResult("c1")).hasSize(1);

        assertThat(stored().get("x")).hasToString(shown);

        RecordingSink unchanged = edited(shown);
        assertThat(unchanged.types()).as(() -> unchanged.last().toString()).doesNotContain("RUN_ERROR");
        assertThat(bench.model.lastResult("c1")).isEqualTo("ok");
    }

    private JsonNode stored() {
        return Objects.requireNonNull(bench.pending(0).interrupt().metadata()).at("/langchain4j/args");
    }

    /** A model is told; of an edit, nobody would see it. */
    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', textBlock = """
            uuid;   "6f1b1cf2-0c7e-4dc6-8b5e-3d2a1f0e9c8b"; "1-1-1-1-1"; /x: "1-1-1-1-1" would reach the tool as "00000001-0001-0001-0001-000000000001"
            """)
    void anEditThatItsTypeWritesInAnotherWayIsRefused(String tool, String x, String edit, String why) throws Exception {
        proposed(tool, x);

        assertThat(edited(edit).last().toString()).contains(why);
        assertThat(kinds.received).isEmpty();
    }

    @Test
    void aToolThatRunsUnaskedGetsWhatLangChain4jMakesOfIt() {
        Object counting = new Object() {
            @Tool("Counts")
            String count(List<Integer> x) {
                kinds.received.add(x.toString());
                return "counted";
            }
        };
        Bench ungated = new Bench(builder -> builder.tools(counting));
        ungated.model.calls(call("c1", "count", "{\"x\":[1.5]}")).says("Done.");

        ungated.say("Count");

        assertThat(kinds.received).containsExactly("[1]");
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', textBlock = """
            {"count":1.5};               /count
            {};                          count
            {"count":1,"level":"MIDDLE"}; /level
            """)
    void aToolWithoutJavaTypesGoesByItsSchema(String bad, String where) {
        ToolSpecification order = ToolSpecification.builder()
                .name("order")
                .parameters(JsonObjectSchema.builder()
                        .addIntegerProperty("count")
                        .addEnumProperty("level", List.of("LOW", "HIGH"))
                        .required("count")
                        .build())
                .build();
        ToolExecutor executor = (request, memoryId) -> {
            kinds.received.add(request.arguments());
            return "ordered";
        };
        Bench opaque = new Bench(builder -> builder.aiService(service -> service.tools(Map.of(order, executor)))
                .toolPolicies(ToolPolicy.named("order")));
        opaque.model
                .calls(call("c1", "order", bad))
                .calls(call("c2", "order", "{\"count\":1,\"level\":null}"))
                .says("Done.");

        opaque.say("Order");

        assertThat(opaque.model.lastResult("c1")).contains("was not executed", where, "Nobody was asked");
        opaque.resume(opaque.pending(0).asApproval().approve());
        assertThat(kinds.received).containsExactly("{\"count\":1,\"level\":null}");
    }

    /** No agent knows a tool of a run before the run begins; the tool itself does not run with what it cannot take. */
    @Test
    void anEditOfAToolThatOnlyItsRunKnowsDoesNotRunEither() throws Exception {
        UnaryOperator<HoldpointBuilder<Bench.Assistant>> ofRun =
                builder -> builder.toolProviders(request -> ToolProviderResult.builder()
                                .addAll(ToolService.findTools(kinds))
                                .build())
                        .toolPolicies(ToolPolicy.where(tool -> true));
        Bench runs = new Bench(ofRun);
        runs.model.calls(call("c1", "intNumber", "{\"x\":1}")).says("I see.");
        runs.say("Go");
        Holdpoint restarted = runs.another(ofRun);
        ObjectNode payload = AguiCodec.mapper().createObjectNode().put("approved", true);
        payload.putObject("editedArgs").put("x", 2147483648L);

        restarted
                .run(runs.answers(ResumeEntry.resolved(runs.pending(0).id(), payload)), event -> {})
                .join();

        assertThat(kinds.received).isEmpty();
        assertThat(runs.model.lastResult("c1")).contains("was not executed", "/x");
    }
}
