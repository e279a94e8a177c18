package io.holdpoint.store;

import static io.holdpoint.store.Batches.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.TokenUsage;
import io.holdpoint.store.Call.Answer;
import io.holdpoint.store.Call.Question;
import io.holdpoint.testing.Depth;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is written reads back equal, and is ASCII. */
class RecordJsonTest {

    static List<String> texts() {
        return RichRecords.TEXTS;
    }

    @Test
    void everyStateOfABatchReadsBackEqual() {
        Random random = new Random(7);
        for (int i = 0; i < Depth.of(100, 500); i++) {
            Batch batch = RichRecords.hold(random, "h" + i, "t");

            String json = RecordJson.write(batch);

            assertThat(json).matches("[ -~]*");
            assertThat(RecordJson.read(json, Batch.class)).isEqualTo(batch);
        }
    }

    @ParameterizedTest
    @MethodSource("texts")
    void everyTextSurvives(String text) {
        TurnRecord turn = new TurnRecord(
                text,
                text,
                Set.of(text),
                TextNode.valueOf(text),
                new TurnRecord.Prepared(
                        text,
                        text,
                        text,
                        text,
                        List.of(text),
                        new TokenUsage(text, text, 1, 2, 3, null, null, null),
                        4),
                3,
                List.of(text),
                7,
                1);
        Message message = RichRecords.message("m1", text);
        AuditEvent event = RichRecords.event(NOW.plusNanos(1), "t" + text, text);

        assertThat(RecordJson.read(RecordJson.write(turn), TurnRecord.class)).isEqualTo(turn);
        assertThat(RecordJson.readKnown(RecordJson.write(message), Message.class))
                .contains(message);
        assertThat(RecordJson.read(RecordJson.write(new Message[] {message, message}), Message[].class))
                .containsExactly(message, message);
        assertThat(RecordJson.read(RecordJson.write(event), AuditEvent.class)).isEqualTo(event);
        assertThat(RecordJson.write(event)).matches("[ -~]*");
    }

    @ParameterizedTest
    @MethodSource("texts")
    void aJsonTextOfOthersIsEscapedAndComesBackAsItWas(String text) {
        String json = AguiCodec.write(
                AguiCodec.mapper().createObjectNode().put("k" + text, text).put("\\ud83d", "\\"));

        assertThat(RecordJson.toAscii(json)).matches("[ -~]*");
        assertThat(RecordJson.fromAscii(RecordJson.toAscii(json))).isEqualTo(json);
    }

    @Test
    void aBrokenEscapeIsLeftToTheParser() {
        for (String text : List.of("\"\\u12\"", "\"\\uzzzz\"", "\"\\", "\\u00e")) {
            assertThat(RecordJson.fromAscii(text)).isEqualTo(text);
        }
    }

    @Test
    void numbersKeepTheirDigits() throws Exception {
        String numbers = "[1,-0.10,1.000,12345678901234567890123,0.1234567890123456789012345678901,1E+400,2E-900]";
        JsonNode tree = AguiCodec.mapper().readTree(numbers);

        assertThat(RecordJson.write(tree)).isEqualTo(numbers);
        assertThat(RecordJson.read(numbers, JsonNode.class)).isEqualTo(tree);
        assertThat(RecordJson.read(numbers, JsonNode.class).get(1).decimalValue())
                .isEqualTo(new BigDecimal("-0.10"));
    }

    @Test
    void whatAClientMaySendIsNeitherTooLongNorTooDeep() throws Exception {
        String deep = "[".repeat(990) + "]".repeat(990);
        String digits = "1".repeat(995) + "e1";
        for (String json : List.of(deep, digits, "\"" + "x".repeat(1_000_000) + "\"")) {
            JsonNode tree = AguiCodec.mapper().readTree(json);
            Answer answer = RichRecords.answer(tree);
            Batch batch = Batches.hold("h", "t").answered(java.util.Map.of("h-i", answer), Map.of());

            assertThat(RecordJson.read(RecordJson.write(batch), Batch.class)).isEqualTo(batch);
        }
    }

    @Test
    void jsonNullIsNotAnAbsentPayload() {
        Answer answer = RichRecords.answer(NullNode.instance);
        Batch batch = Batches.hold("h", "t").answered(java.util.Map.of("h-i", answer), Map.of());

        Batch read = RecordJson.read(RecordJson.write(batch), Batch.class);

        assertThat(read.calls().get(0).answers().get(0).payload()).isEqualTo(NullNode.instance);
    }

    @Test
    void fieldsAndRolesOfALaterVersionAreIgnored() {
        String turn = RecordJson.write(new TurnRecord("u", "{}", Set.of(), null));

        assertThat(RecordJson.read("{\"later\":[1]," + turn.substring(1), TurnRecord.class))
                .isEqualTo(new TurnRecord("u", "{}", Set.of(), null));
        assertThat(RecordJson.read(turn.replace(",\"roles\":[]", ""), TurnRecord.class))
                .isEqualTo(new TurnRecord("u", "{}", Set.of(), null));
        assertThat(RecordJson.readKnown("{\"id\":\"m\",\"role\":\"later\"}", Message.class))
                .isEmpty();
        assertThat(RecordJson.read("[{\"id\":\"m\",\"role\":\"later\"}]", Message[].class))
                .containsOnlyNulls();
    }

    /** Everything that a type is made of: a commit has all that a run writes. */
    private static Set<Class<?>> partsOf(Type type, Set<Class<?>> parts) {
        if (type instanceof ParameterizedType generic) {
            for (Type argument : generic.getActualTypeArguments()) {
                partsOf(argument, parts);
            }
        } else if (type instanceof Class<?> part && part.getName().startsWith("io.holdpoint.") && parts.add(part)) {
            if (part.isSealed()) {
                List.of(part.getPermittedSubclasses()).forEach(each -> partsOf(each, parts));
            }
            if (part.isRecord()) {
                List.of(part.getRecordComponents()).forEach(each -> partsOf(each.getGenericType(), parts));
            }
        }
        return parts;
    }

    /** Without those of the protocol: a message's part of an unknown kind is left out when it is read. */
    static List<Class<?>> storedEnums() {
        return partsOf(Grant.class, partsOf(Commit.class, new HashSet<>())).stream()
                .filter(type -> type.isEnum()
                        && !Set.of(Fact.How.class, Store.Part.class).contains(type)) // what a store does is not kept
                .filter(type -> type.getPackageName().equals("io.holdpoint.store"))
                .toList();
    }

    @Test
    void allStoredEnumsAreFound() {
        assertThat(storedEnums())
                .containsExactlyInAnyOrder(
                        Batch.State.class,
                        Call.State.class,
                        Question.Kind.class,
                        Answer.How.class,
                        AuditEvent.Kind.class,
                        Grant.Scope.class,
                        TimeStep.Kind.class);
    }

    /** What a thread's work depends on is read, so that the thread goes on. */
    @ParameterizedTest
    @ValueSource(classes = {Batch.State.class, Call.State.class, Question.Kind.class, Answer.How.class})
    void aStateOrKindThatIsNotKnownIsUnknown(Class<?> type) {
        for (String later : List.of("OF_A_LATER_VERSION", "0", "1", "", " ")) {
            assertThat(RecordJson.readKnown(RecordJson.write(later), type))
                    .as(later)
                    .get()
                    .hasToString("UNKNOWN");
        }
        assertThat(type.getEnumConstants()[type.getEnumConstants().length - 1]).hasToString("UNKNOWN");
    }

    @ParameterizedTest
    @ValueSource(classes = {AuditEvent.Kind.class, Grant.Scope.class, TimeStep.Kind.class})
    void anotherConstantThatIsNotKnownIsNotReadable(Class<?> type) {
        for (String unknown : List.of("OF_A_LATER_VERSION", "0", "1", "", " ", "UNKNOWN")) {
            assertThatThrownBy(() -> RecordJson.readKnown(RecordJson.write(unknown), type))
                    .as(unknown)
                    .isInstanceOf(StoreException.class);
        }
    }

    @Test
    void aGrantWithAScopeThatIsNotKnownIsNotReadable() {
        Grant.Approved approved = new Grant.Approved("c", "i", "pay", "tool-hash", "hash", null);
        Grant grant = new Grant("g", Grant.Scope.TOOL, approved, "ada", Set.of(), NOW, NOW.plusSeconds(60), null);
        assertThat(grant.covers("pay", "hash", JsonNodeFactory.instance.objectNode()))
                .isTrue();

        String unknown = RecordJson.write(grant).replace("TOOL", "ALL_OF_THE_SERVER");

        assertThatThrownBy(() -> RecordJson.read(unknown, Grant.class)).isInstanceOf(StoreException.class);
    }

    @Test
    void whatFollowsFromTheRecordIsNotWritten() {
        assertThat(RecordJson.write(Batches.hold("h", "t"))).doesNotContain("settled", "openQuestions");
    }

    @Test
    void whatIsNoRecordIsRefused() {
        for (String json : List.of("", "null", "[]", "{}", "{\"id\":1}", "no JSON")) {
            assertThatThrownBy(() -> RecordJson.read(json, Batch.class)).isInstanceOf(StoreException.class);
        }
        assertThatThrownBy(() -> RecordJson.readKnown("{}", Message.class)).isInstanceOf(StoreException.class);
    }
}
