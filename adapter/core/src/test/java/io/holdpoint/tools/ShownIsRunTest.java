package io.holdpoint.tools;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.ToolPolicy;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.RecordingSink;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Types that change, hide or fill in what they are made of: a person sees what the body gets, or nobody is asked. */
@Logs("A call of the tool * was refused to the model because of its arguments")
class ShownIsRunTest {

    record Sorted(List<String> stops) {
        Sorted {
            stops = stops.stream().sorted().toList();
        }
    }

    record Ranked(List<Integer> places) {
        Ranked {
            places = places.stream().sorted().toList();
        }
    }

    record Reversed(List<String> legs) {
        Reversed {
            legs = new ArrayList<>(legs);
            Collections.reverse(legs);
        }
    }

    record Painted(Set<String> colours) {}

    record Grid(List<Set<String>> rows, Map<String, Set<String>> named) {}

    interface Payment {
        String getTo();
    }

    @JsonDeserialize(as = CardPayment.class)
    interface Payable extends Payment {}

    static final class CardPayment implements Payable {
        private String to = "";
        private int fee = 100;

        @Override
        public String getTo() {
            return to;
        }

        @Override
        public String toString() {
            return to + " for " + fee;
        }
    }

    @JsonInclude(JsonInclude.Include.NON_DEFAULT)
    static final class Print {
        private String to = "";
        private int copies = 3;

        @Override
        public String toString() {
            return copies + " for " + to;
        }
    }

    @JsonInclude(JsonInclude.Include.NON_DEFAULT)
    record Flagged(String to, boolean urgent, int amount) {}

    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    record Noted(String note) {}

    static final class Masked extends StdSerializer<String> {

        private static final long serialVersionUID = 1L;

        Masked() {
            super(String.class);
        }

        @Override
        public void serialize(String value, JsonGenerator json, SerializerProvider provider) throws IOException {
            json.writeString("****" + value.substring(value.length() - 2));
        }
    }

    record Filed(File file, Path path) {}

    record Card(@JsonSerialize(using = Masked.class) String number) {}

    /** The tools; each has the parameter {@code x}. */
    public final class Tools {

        private final List<String> received = new ArrayList<>();

        private String got(Object x) {
            received.add(String.valueOf(x));
            return "ok";
        }

        @Tool
        public String sorted(Sorted x) {
            return got(x.stops());
        }

        @Tool
        public String ranked(Ranked x) {
            return got(x.places());
        }

        @Tool
        public String reversed(Reversed x) {
            return got(x.legs());
        }

        @Tool
        public String painted(Painted x) {
            return got(new TreeSet<>(x.colours()));
        }

        @Tool
        public String grid(Grid x) {
            return got(x.rows().size() + " " + x.named().keySet());
        }

        @Tool
        public String pay(Payable x) {
            return got(x);
        }

        @Tool
        public String print(Print x) {
            return got(x);
        }

        @Tool
        public String flag(Flagged x) {
            return got(x);
        }

        @Tool
        public String note(Noted x) {
            return got(x);
        }

        @Tool
        public String file(Filed x) {
            return got(x);
        }

        @Tool
        public String card(Card x) {
            return got(x.number());
        }
    }

    private final Tools tools = new Tools();
    private final Bench bench = new Bench(builder -> builder.tools(tools).toolPolicies(ToolPolicy.where(tool -> true)));

    private void proposed(String tool, String x) {
        bench.model.calls(call("c1", tool, "{\"x\":" + x + "}")).says("Done.");
        bench.say(tool + " " + x);
    }

    private RecordingSink edited(String x) throws IOException {
        ObjectNode payload = AguiCodec.mapper().createObjectNode().put("approved", true);
        payload.set("editedArgs", AguiCodec.mapper().readTree("{\"x\":" + x + "}"));
        return bench.resume(ResumeEntry.resolved(bench.pending(0).id(), payload));
    }

    private JsonNode shown() {
        return bench.pending(0).interrupt().metadata().at("/langchain4j/args/x");
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', textBlock = """
            sorted;   {"stops":["b","a"]};           {"stops":["a","b"]};            [a, b]
            ranked;   {"places":[3,1,2]};            {"places":[1,2,3]};             [1, 2, 3]
            painted;  {"colours":["tan","blue","red","lime"]}; {"colours":["tan","blue","red","lime"]}; [blue, lime, red, tan]
            grid;     {"rows":[["red"],["tan","blue","red","lime"]],"named":{"a":["tan","blue","red","lime"]}}; {"named":{"a":["tan","blue","red","lime"]},"rows":[["red"],["tan","blue","red","lime"]]}; 2 [a]
            pay;      {"to":"x","fee":7};            {"fee":7,"to":"x"};             x for 7
            print;    {"to":"x","copies":3};         {"copies":3,"to":"x"};          3 for x
            flag;     {"to":"x","urgent":false,"amount":0}; {"amount":0,"to":"x","urgent":false}; Flagged[to=x, urgent=false, amount=0]
            note;     {"note":""};                   {"note":""};                    Noted[note=]
            file;     {"file":"a/b.txt","path":"c/d.txt"}; {"file":"a/b.txt","path":"c/d.txt"}; Filed[file=a/b.txt, path=c/d.txt]
            card;     {"number":"4111222233334444"}; {"number":"4111222233334444"};  4111222233334444
            """)
    void whatTheBodyGetsIsShown(String tool, String x, String shown, String got) throws IOException {
        proposed(tool, x);
        assertThat(bench.pending()).as(() -> bench.model.lastResult("c1")).hasSize(1);
        assertThat(shown()).hasToString(shown);

        bench.resume(bench.pending(0).asApproval().approve());
        assertThat(tools.received).containsExactly(got);

        proposed(tool, x + " ");
        assertThat(edited(shown).types()).doesNotContain("RUN_ERROR");
        assertThat(tools.received).containsExactly(got, got);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', textBlock = """
            reversed; {"legs":["a","b"]}; /x: {"legs":["b","a"]} would reach the tool as {"legs":["a","b"]}
            pay;      {"to":"x"};         /x/fee
            print;    {"to":"x"};         /x/copies
            """)
    void whatCannotBeShownAsTheBodyGetsItIsRefused(String tool, String x, String path) {
        proposed(tool, x);

        assertThat(bench.pending()).isEmpty();
        assertThat(bench.model.lastResult("c1")).contains("was not executed", path);
        assertThat(tools.received).isEmpty();
    }

    /** In an edit nobody would see what becomes of the order that was given. */
    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', textBlock = """
            sorted; {"stops":["a","b"]}; {"stops":["c","a"]};    /x/stops
            ranked; {"places":[1,2]};    {"places":[2,1]};       /x/places
            """)
    void anEditWhoseOrderIsChangedIsRefused(String tool, String x, String edit, String path) throws IOException {
        proposed(tool, x);

        assertThat(edited(edit).last().toString()).contains("payload/editedArgs" + path);
        assertThat(tools.received).isEmpty();
    }
}
