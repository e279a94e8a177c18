package io.holdpoint.tools;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.service.tool.DefaultToolExecutor;
import dev.langchain4j.service.tool.ToolErrorHandlerResult;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RunResult;
import io.holdpoint.ToolPolicy;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.testing.Depth;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.Shape;
import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every value for every kind of parameter: the tool gets what plain LangChain4j gives it, or the call is refused with the
 * argument's path. LangChain4j's own executor runs beside it.
 */
class SameAsLangChain4jTest {

    private static final List<String> EVERYDAY = List.of("19.90", "20.00", "0.10", "1E+3", "5", "-7.25");

    private static final List<String> VALUES = Stream.concat(
                    EVERYDAY.stream(),
                    Stream.of(
                            "0",
                            "5.0",
                            "1e3",
                            "1.0e10",
                            "1.5e-7",
                            "1e-400",
                            "1e400",
                            "1.2345678E-320",
                            "-1e-46",
                            "16777217",
                            "9007199254740993",
                            "12345678901234567.89",
                            "12345678901234567890123",
                            "\"NaN\"",
                            "\"Infinity\"",
                            "\"-Infinity\"",
                            "\"1d\"",
                            "\"0x1p3\"",
                            "\" 500 \"",
                            "\".5\"",
                            "\"19.90\"",
                            "\"12345678901234567.89\"",
                            "\"1e-400\"",
                            "\"null\"",
                            "\"true\"",
                            "\"\"",
                            "\"low\"",
                            "\"b\\u00e9\\ud83d\\ude00\"",
                            "null",
                            "true",
                            "{}",
                            "[]",
                            "[null]",
                            "{\"a\":null}",
                            "{\"a\":{\"b\":null}}",
                            "[[1.10]]"))
            .toList();

    /**
     * For each kind a value that fits, and the places where the values above are put: {@code %d} where the type keeps more digits than a
     * {@code double} has.
     */
    private static final String KINDS = """
            text;         "a";            %d
            truth;        true;           %s
            truthObject;  true;           %s
            byteNumber;   1;              %s
            shortNumber;  1;              %s
            intNumber;    1;              %s
            longNumber;   1;              %s
            floatNumber;  1;              %s
            doubleNumber; 1;              %s
            doubleObject; 1;              %s
            decimal;      1;              %d
            bigInteger;   1;              %d
            number;       1;              %s
            counter;      1;              %s
            level;        "LOW";          %s
            levels;       [];             %s | [%s]
            levelSet;     [];             %s | [%s] | [%s,%s]
            levelArray;   [];             [%s]
            order;        {"customer":"a","lines":[]}; %s | {"customer":%d,"lines":[]} | {"customer":"a","lines":[],"due":%s}
            lines;        [];             %s | [{"item":"a","count":%s}] | [{"item":"a","count":1,"price":%s}]
            table;        [];             [[%s]]
            ints;         [];             [%s]
            bytes;        [];             %s | [%s]
            integers;     [];             [1,%s]
            texts;        {};             {"a":%d}
            anything;     {};             %s | {"a":%s} | {"a":[{"b":%s}]}
            counts;       {};             {"a":%s}
            linesByName;  {};             {"a":[{"item":"a","count":1,"price":%s}]}
            payment;      {"kind":"card","number":"1"}; %s | {"kind":"card","number":%d} | {"kind":"transfer","iban":"a","amount":%d}
            payments;     [];             [{"kind":"transfer","iban":"a","amount":%d}]
            shape;        {"type":"Circle","radius":1}; {"type":"Circle","radius":%s} | {"type":%s}
            shapes;       [];             [{"type":"Circle","radius":%s}] | [{"type":"Square","side":%s}]
            maybe;        1;              %s
            perhaps;      1;              %s
            standard;     1;              %s
            person;       {"name":"a","age":1}; {"name":"a","age":%s} | {"name":"a","age":1,"tags":[%d]} | {"name":"a","age":1,"tags":%s}
            uuid;         "00000000-0000-0000-0000-000000000000"; %s
            named;        "a";            %d
            ofThread;     "a";            %d
            date;         "2026-01-01";   %s | {"year":%s,"month":1,"day":1}
            time;         "10:00:00";     %s | {"hour":%s,"minute":1}
            moment;       "2026-01-01T10:00:00"; %s
            range;        {"from":1,"to":2}; {"from":%s,"to":100000}
            tree;         {"name":"a","children":[]}; {"name":%d,"children":[]} | {"name":"a","children":%s}
            box;          {"content":1};  {"content":%s}
            object;       {};             %s | {"a":%s} | [%s]
            chosen;       {};             {"level":%s} | {"id":%s}
            json;         {};             %s | {"a":[%s]}
            rows;         [];             [{"price":%s}] | [{"price":%s},{"price":1.5}] | [%s]
            bag;          {};             {"any":%s} | {"attributes":{"discount":%s}} | {"json":{"a":%s}} | {"attributes":%s}
            objects;      [];             [%s]
            objectArray;  [];             [%s]
            doubles;      [];             [%s]
            doubleList;   [];             [0.5,%s]
            floats;       {};             {"a":%s}
            measure;      {"value":1};    {"value":%s} | {"value":1,"error":%s}
            maybeDouble;  1;              %s
            decimals;     [];             [%d]
            decimalArray; [];             [%d]
            decimalMaps;  {};             {"a":{"b":%d}}
            decimalSet;   [];             [%d] | [1.5,%d]
            maybeDecimal; 1;              %d
            bigIntegers;  [];             [%s]
            longSet;      [];             [%s] | [%s,%s]
            textList;     [];             [%d]
            dates;        {};             {"a":%s}
            login;        {"name":"a"};   {"name":"a","password":%d}
            account;      {"owner":"a"};  {"owner":"a","secret":%s}
            truths;       [];             [%s]
            """;

    /** Kinds that take every number of an everyday kind, unchanged. */
    private static final Set<String> TAKE_NUMBERS = Set.of(
            "text",
            "floatNumber",
            "doubleNumber",
            "doubleObject",
            "decimal",
            "number",
            "anything",
            "linesByName",
            "payments",
            "box",
            "object",
            "json",
            "rows",
            "bag",
            "objects",
            "objectArray",
            "doubles",
            "doubleList",
            "floats",
            "measure",
            "maybeDouble",
            "decimals",
            "decimalArray",
            "decimalMaps",
            "decimalSet",
            "maybeDecimal");

    private enum Mode {
        UNGATED,
        APPROVED,
        EDITED,
        /** Nobody is asked before the call fails; it is edited then. */
        RETRIED;

        boolean isEdit() {
            return this == EDITED || this == RETRIED;
        }
    }

    private record Case(String kind, String good, String place, String value) {

        String x() {
            return place.replaceAll("%[sd]", Matcher.quoteReplacement(value));
        }
    }

    private final ParameterKinds kinds = new ParameterKinds();
    private final ParameterKinds plain = new ParameterKinds();
    private final Proposing model = new Proposing();
    private int threads;
    private int ran;
    private int refused;

    /** Proposes the call, and says something when it has its result. */
    private static final class Proposing implements ChatModel {

        private ToolExecutionRequest call = call("c1", "none", "{}");
        private String result = "";

        @Override
        public ChatResponse doChat(ChatRequest request) {
            List<ChatMessage> messages = request.messages();
            boolean called = messages.get(messages.size() - 1) instanceof ToolExecutionResultMessage;
            if (called) {
                result = ((ToolExecutionResultMessage) messages.get(messages.size() - 1)).text();
            }
            return ChatResponse.builder()
                    .aiMessage(called ? AiMessage.from("Done.") : AiMessage.from(call))
                    .build();
        }
    }

    private static Stream<Case> cases() {
        return KINDS.lines().flatMap(line -> {
            String[] parts = line.split(";", 3);
            return Arrays.stream(parts[2].split("\\|")).flatMap(place -> VALUES.stream()
                    .map(value -> new Case(parts[0].strip(), parts[1].strip(), place.strip(), value)));
        });
    }

    @Test
    void atLeast54KindsAreTried() {
        assertThat(cases().map(Case::kind).distinct()).hasSizeGreaterThan(54);
    }

    private static List<Mode> modes() {
        return Depth.ALL ? List.of(Mode.values()) : List.of(Mode.EDITED);
    }

    @ParameterizedTest
    @MethodSource("modes")
    @Logs({"A call of the tool * was refused to the model because of its arguments", "Tool '*' execution failed"})
    void theToolGetsWhatLangChain4jGivesItOrTheCallIsRefusedWithItsPath(Mode mode) {
        Holdpoint agent = agent(mode);
        List<String> wrong = new ArrayList<>();

        cases().forEach(each -> {
            String problem = problem(agent, mode, each);
            if (!problem.isEmpty()) {
                wrong.add(each.kind() + " " + each.x() + ": " + problem);
            }
        });

        assertThat(wrong).as(wrong.size() + " cases").isEmpty();
        assertThat(ran).as("the least that runs, of " + (ran + refused)).isGreaterThan(1_000);
        assertThat(refused).as("the least that is refused").isGreaterThan(2_000);
    }

    private Holdpoint agent(Mode mode) {
        HoldpointBuilder<?> builder = Holdpoint.builder(Shape.Blocking.class)
                .chatModel(model)
                .executor(Runnable::run)
                .tools(kinds);
        return switch (mode) {
            case UNGATED ->
                builder.aiService(service -> service.toolArgumentsErrorHandler(
                                (error, context) -> ToolErrorHandlerResult.text("does not fit: " + error)))
                        .build();
            case APPROVED, EDITED ->
                builder.toolPolicies(ToolPolicy.where(tool -> true)).build();
            case RETRIED ->
                builder.toolPolicies(
                                ToolPolicy.where(tool -> true).withoutApproval().askOnFailure())
                        .build();
        };
    }

    private String problem(Holdpoint agent, Mode mode, Case of) {
        kinds.values.clear();
        String said = made(agent, mode, of);
        List<@Nullable Object> got = new ArrayList<>(kinds.values);
        Optional<List<@Nullable Object>> expected = ofLangChain4j(of, of.x());
        if (got.isEmpty()) {
            refused++;
            boolean isRefusal = said.contains("/x") && !said.contains("io.holdpoint.tools");
            if (mode == Mode.UNGATED) {
                return expected.isEmpty() ? "" : "was not run: " + said;
            }
            boolean takes = !mode.isEdit() // the schema of edits is strict about texts
                    && EVERYDAY.contains(of.value())
                    && TAKE_NUMBERS.contains(of.kind());
            return !isRefusal || (takes && expected.isPresent()) ? "was refused: " + said : "";
        }
        ran++;
        if (mode != Mode.UNGATED && isNumber(of.value())) {
            expected = ofLangChain4j(
                    of, of.place().replace("%s", of.value()).replace("%d", "\"" + new BigDecimal(of.value()) + "\""));
        }
        if (expected.isEmpty()
                && mode != Mode.UNGATED
                && isNumber(of.value())) { // a whole number is shown and run in digits
            String digits = new BigDecimal(of.value()).toPlainString();
            expected = ofLangChain4j(of, of.place().replaceAll("%[sd]", digits));
        }
        if (expected.isEmpty()) {
            return "LangChain4j does not run it, but the tool got " + describe(got);
        }
        String wanted = describe(expected.get());
        String was = describe(got);
        return wanted.equals(was) ? "" : "the tool got " + was + ", from LangChain4j " + wanted;
    }

    private static boolean isNumber(String json) {
        return Character.isDigit(json.charAt(0)) || json.charAt(0) == '-';
    }

    /** Lets the model propose the call, and a person answer; gives what was said about it. */
    private String made(Holdpoint agent, Mode mode, Case of) {
        String thread = "t" + threads++;
        model.call = call("c1", of.kind(), "{\"x\":" + (mode.isEdit() ? of.good() : of.x()) + "}");
        model.result = "";
        kinds.failing = mode == Mode.RETRIED;
        RunResult result = agent.send(thread, "Go");
        kinds.failing = false;
        if (result instanceof RunResult.Interrupted held) {
            PendingInterrupt question = held.interrupts().get(0);
            result = agent.resume(
                    thread,
                    mode.isEdit()
                            ? edit(question, mode, of)
                            : question.asApproval().approve());
        }
        return result instanceof RunResult.Failed failed ? failed.message() : model.result;
    }

    private static ResumeEntry edit(PendingInterrupt question, Mode mode, Case of) {
        ObjectNode payload = AguiCodec.mapper().createObjectNode();
        if (mode == Mode.RETRIED) {
            payload.put("action", "retry");
        } else {
            payload.put("approved", true);
        }
        try {
            payload.set("editedArgs", AguiCodec.mapper().readTree("{\"x\":" + of.x() + "}"));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(of.x(), e);
        }
        return ResumeEntry.resolved(question.id(), payload);
    }

    private Optional<List<@Nullable Object>> ofLangChain4j(Case of, String x) {
        plain.values.clear();
        Method method = Arrays.stream(ParameterKinds.class.getDeclaredMethods())
                .filter(each -> each.getName().equals(of.kind()))
                .findFirst()
                .orElseThrow();
        try {
            new DefaultToolExecutor(plain, method)
                    .executeWithContext(
                            ToolExecutionRequest.builder()
                                    .name(of.kind())
                                    .arguments("{\"x\":" + x + "}")
                                    .build(),
                            InvocationContext.builder()
                                    .chatMemoryId("t" + (threads - 1))
                                    .build());
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
            return Optional.empty();
        }
        return Optional.of(new ArrayList<>(plain.values));
    }

    /** Values with their types; numbers without the places of their point. */
    private static String describe(@Nullable Object value) {
        if (value == null) {
            return "null";
        }
        String type = value.getClass().getSimpleName() + " ";
        if (value instanceof BigDecimal number) {
            return type + number.stripTrailingZeros();
        }
        if (value instanceof Map<?, ?> map) {
            Map<String, String> sorted = new TreeMap<>();
            map.forEach((key, each) -> sorted.put(String.valueOf(key), describe(each)));
            return type + sorted;
        }
        if (value instanceof JsonNode) {
            return type + value;
        }
        if (value instanceof Collection<?> collection) {
            Stream<String> all = collection.stream().map(SameAsLangChain4jTest::describe);
            return type + (value instanceof Set ? all.sorted() : all).toList();
        }
        if (value instanceof Optional<?> optional) {
            return type + describe(optional.orElse(null));
        }
        if (value.getClass().isArray()) {
            List<@Nullable Object> elements = new ArrayList<>();
            for (int i = 0; i < Array.getLength(value); i++) {
                elements.add(Array.get(value, i));
            }
            return type + describe(elements);
        }
        if (value instanceof Record) {
            List<String> parts = new ArrayList<>();
            for (RecordComponent component : value.getClass().getRecordComponents()) {
                try {
                    component.getAccessor().setAccessible(true);
                    parts.add(describe(component.getAccessor().invoke(value)));
                } catch (ReflectiveOperationException e) {
                    throw new IllegalStateException(e);
                }
            }
            return type + parts;
        }
        return type + value;
    }
}
