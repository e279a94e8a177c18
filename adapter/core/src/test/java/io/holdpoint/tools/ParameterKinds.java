package io.holdpoint.tools;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.JsonNode;
import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolMemoryId;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A tool for each kind of parameter that LangChain4j takes. Keeps what the bodies got, as text. */
final class ParameterKinds {

    /** As texts, and as they came. */
    final List<String> received = new ArrayList<>();

    final List<@Nullable Object> values = new ArrayList<>();

    boolean failing;

    enum Level {
        LOW,
        HIGH
    }

    record Line(String item, int count, @Nullable Double price) {}

    record Order(
            String customer, List<Line> lines, @Nullable LocalDate due) {}

    record Tree(String name, List<Tree> children) {}

    record Range(int from, int to) {
        Range {
            if (from > to) {
                throw new IllegalArgumentException("from is greater than to");
            }
        }
    }

    record Box<T>(T content) {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Card.class, name = "card"),
        @JsonSubTypes.Type(value = Transfer.class, name = "transfer")
    })
    interface Payment {}

    record Card(String number) implements Payment {}

    record Transfer(String iban, BigDecimal amount) implements Payment {}

    sealed interface Shape permits Circle, Square {}

    record Circle(double radius) implements Shape {}

    record Square(int side) implements Shape {}

    record Choice(Level level, UUID id) {}

    record Bag(Object any, Map<String, Object> attributes, JsonNode json) {}

    record Measure(double value, @Nullable Float error) {}

    /** A field that Jackson reads and does not write. */
    record Login(
            String name,

            @JsonProperty(access = JsonProperty.Access.WRITE_ONLY)
            String password) {}

    /** A field that LangChain4j tells the model of, and Jackson does not read. */
    static final class Account {

        private String owner = "";

        @JsonIgnore
        private @Nullable Object secret;

        @Override
        public String toString() {
            return owner + ":" + secret;
        }
    }

    /** A class in the old style, with a getter that is no field. */
    static final class Person {

        @JsonProperty
        private String name = "";

        private int age;

        private List<String> tags = new ArrayList<>();

        public String getGreeting() {
            return "Hello, " + name;
        }

        @Override
        public String toString() {
            return name + age + tags;
        }
    }

    /** Has fields that LangChain4j does not tell the model of: they are those of its superclass. */
    static final class Heir extends Owner {

        private String name = "";

        @Override
        public String toString() {
            return name + level + shares;
        }
    }

    static class Owner {

        Level level = Level.LOW;
        int shares;
    }

    private String took(@Nullable Object value) {
        if (failing) {
            throw new IllegalStateException("not now");
        }
        values.add(value);
        Object sorted = value instanceof Set<?> set
                ? set.stream().map(String::valueOf).sorted().toList()
                : value;
        String text = Arrays.deepToString(new Object[] {value instanceof Map<?, ?> map ? new TreeMap<>(map) : sorted});
        received.add(text.substring(1, text.length() - 1));
        return "ok";
    }

    @Tool
    String text(String x) {
        return took(x);
    }

    @Tool
    String truth(boolean x) {
        return took(x);
    }

    @Tool
    String truthObject(Boolean x) {
        return took(x);
    }

    @Tool
    String byteNumber(byte x) {
        return took(x);
    }

    @Tool
    String shortNumber(Short x) {
        return took(x);
    }

    @Tool
    String intNumber(int x) {
        return took(x);
    }

    @Tool
    String longNumber(Long x) {
        return took(x);
    }

    @Tool
    String floatNumber(float x) {
        return took(x);
    }

    @Tool
    String doubleNumber(double x) {
        return took(x);
    }

    @Tool
    String decimal(BigDecimal x) {
        return took(x);
    }

    @Tool
    String bigInteger(BigInteger x) {
        return took(x);
    }

    @Tool
    String level(Level x) {
        return took(x);
    }

    @Tool
    String levels(List<Level> x) {
        return took(x);
    }

    @Tool
    String levelSet(Set<Level> x) {
        return took(x);
    }

    @Tool
    String levelArray(Level[] x) {
        return took(x);
    }

    @Tool
    String order(Order x) {
        return took(x);
    }

    @Tool
    String lines(List<Line> x) {
        return took(x);
    }

    @Tool
    String table(List<List<Integer>> x) {
        return took(x);
    }

    @Tool
    String ints(int[] x) {
        return took(x);
    }

    @Tool
    String bytes(byte[] x) {
        return took(x);
    }

    @Tool
    String integers(List<Integer> x) {
        return took(x);
    }

    @Tool
    String texts(Map<String, String> x) {
        return took(x);
    }

    @Tool
    String anything(Map<String, Object> x) {
        return took(x);
    }

    @Tool
    String counts(Map<String, Integer> x) {
        return took(x);
    }

    @Tool
    String linesByName(Map<String, List<Line>> x) {
        return took(x);
    }

    @Tool
    String payment(Payment x) {
        return took(x);
    }

    @Tool
    String payments(List<Payment> x) {
        return took(x);
    }

    @Tool
    String shape(Shape x) {
        return took(x);
    }

    @Tool
    String shapes(List<Shape> x) {
        return took(x);
    }

    @Tool
    String maybe(Optional<Integer> x) {
        return took(x);
    }

    @Tool
    String perhaps(@P(value = "x", required = false) @Nullable Integer x) {
        return took(x);
    }

    @Tool
    String standard(@P(name = "x", value = "x", defaultValue = "25") int x) {
        return took(x);
    }

    @Tool
    String person(Person x) {
        return took(x);
    }

    @Tool
    String uuid(UUID x) {
        return took(x);
    }

    @Tool
    String named(@P(name = "x", value = "another name") String value) {
        return took(value);
    }

    @Tool
    String ofThread(String x, @ToolMemoryId String thread) {
        return took(x + "@" + thread);
    }

    @Tool
    String date(LocalDate x) {
        return took(x);
    }

    @Tool
    String time(LocalTime x) {
        return took(x);
    }

    @Tool
    String moment(LocalDateTime x) {
        return took(x);
    }

    @Tool
    String range(Range x) {
        return took(x);
    }

    @Tool
    String tree(Tree x) {
        return took(x);
    }

    @Tool
    String box(Box<Object> x) {
        return took(x);
    }

    @Tool
    String object(Object x) {
        return took(x);
    }

    @Tool
    String chosen(Choice x) {
        return took(x);
    }

    @Tool
    String json(JsonNode x) {
        return took(x);
    }

    @Tool
    String rows(List<Map<String, Object>> x) {
        return took(x);
    }

    @Tool
    String bag(Bag x) {
        return took(x);
    }

    @Tool
    String objects(List<Object> x) {
        return took(x);
    }

    @Tool
    String objectArray(Object[] x) {
        return took(x);
    }

    @Tool
    String number(Number x) {
        return took(x);
    }

    @Tool
    String counter(AtomicLong x) {
        return took(x);
    }

    @Tool
    String doubleObject(Double x) {
        return took(x);
    }

    @Tool
    String doubles(double[] x) {
        return took(x);
    }

    @Tool
    String doubleList(List<Double> x) {
        return took(x);
    }

    @Tool
    String floats(Map<String, Float> x) {
        return took(x);
    }

    @Tool
    String measure(Measure x) {
        return took(x);
    }

    @Tool
    String maybeDouble(Optional<Double> x) {
        return took(x);
    }

    @Tool
    String decimals(List<BigDecimal> x) {
        return took(x);
    }

    @Tool
    String decimalArray(BigDecimal[] x) {
        return took(x);
    }

    @Tool
    String decimalMaps(Map<String, Map<String, BigDecimal>> x) {
        return took(x);
    }

    @Tool
    String decimalSet(Set<BigDecimal> x) {
        return took(x);
    }

    @Tool
    String maybeDecimal(Optional<BigDecimal> x) {
        return took(x);
    }

    @Tool
    String bigIntegers(List<BigInteger> x) {
        return took(x);
    }

    @Tool
    String longSet(Set<Long> x) {
        return took(x);
    }

    @Tool
    String textList(List<String> x) {
        return took(x);
    }

    @Tool
    String dates(Map<String, LocalDate> x) {
        return took(x);
    }

    @Tool
    String login(Login x) {
        return took(x);
    }

    @Tool
    String account(Account x) {
        return took(x);
    }

    @Tool
    String truths(List<Boolean> x) {
        return took(x);
    }

    @Tool
    String heir(Heir x) {
        return took(x);
    }
}
