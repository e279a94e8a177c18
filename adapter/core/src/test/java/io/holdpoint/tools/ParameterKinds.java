package io.holdpoint.tools;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolMemoryId;
import io.holdpoint.RequiresApproval;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
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
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A gated tool for each kind of parameter that LangChain4j takes. Keeps what the bodies got, as text. */
final class ParameterKinds {

    final List<String> received = new ArrayList<>();

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

    private String took(@Nullable Object value) {
        received.add(value instanceof Object[] array ? Arrays.toString(array) : String.valueOf(value));
        return "ok";
    }

    @Tool
    @RequiresApproval
    String text(String x) {
        return took(x);
    }

    @Tool
    @RequiresApproval
    String truth(boolean x) {
        return took(x);
    }

    @Tool
    @RequiresApproval
    String truthObject(Boolean x) {
        return took(x);
    }

    @Tool
    @RequiresApproval
    String byteNumber(byte x) {
        return took(x);
    }

    @Tool
    @RequiresApproval
    String shortNumber(Short x) {
        return took(x);
    }

    @Tool
    @RequiresApproval
    String intNumber(int x) {
        return took(x);
    }

    @Tool
    @RequiresApproval
    String longNumber(Long x) {
        return took(x);
    }

    @Tool
    @RequiresApproval
    String floatNumber(float x) {
        return took(x);
    }

    @Tool
    @RequiresApproval
    String doubleNumber(double x) {
        return took(x);
    }

    @Tool
    @RequiresApproval
    String decimal(BigDecimal x) {
        return took(x);
    }

    @Tool
    @RequiresApproval
    String bigInteger(BigInteger x) {
        return took(x);
    }

    @Tool
    @RequiresApproval
    String level(Level x) {
        return took(x);
    }

    @Tool
    @RequiresApproval
    String levels(List<Level> x) {
        return took(x);
    }

    @Tool
    @RequiresApproval
    String levelSet(Set<Level> x) {
        return took(new TreeSet<>(x));
    }

    @Tool
    @RequiresApproval
    String levelArray(Level[] x) {
        return took(x);
    }

    @Tool
    @RequiresApproval
    String order(Order x) {
        return took(x);
    }

    @Tool
    @RequiresApproval
    String lines(List<Line> x) {
        return took(x);
    }

    @Tool
    @RequiresApproval
    String table(List<List<Integer>> x) {
        return took(x);
    }

    @Tool
    @RequiresApproval
    String ints(int[] x) {
        return took(Arrays.toString(x));
    }

    @Tool
    @RequiresApproval
    String bytes(byte[] x) {
        return took(Arrays.toString(x));
    }

    @Tool
    @RequiresApproval
    String integers(List<Integer> x) {
        return took(x);
    }

    @Tool
    @RequiresApproval
    String texts(Map<String, String> x) {
        return took(new TreeMap<>(x));
    }

    @Tool
    @RequiresApproval
    String anything(Map<String, Object> x) {
        return took(new TreeMap<>(x));
    }

    @Tool
    @RequiresApproval
    String counts(Map<String, Integer> x) {
        return took(new TreeMap<>(x));
    }

    @Tool
    @RequiresApproval
    String linesByName(Map<String, List<Line>> x) {
        return took(x);
    }

    @Tool
    @RequiresApproval
    String payment(Payment x) {
        return took(x);
    }

    @Tool
    @RequiresApproval
    String payments(List<Payment> x) {
        return took(x);
    }

    @Tool
    @RequiresApproval
    String shape(Shape x) {
        return took(x);
    }

    @Tool
    @RequiresApproval
    String shapes(List<Shape> x) {
        return took(x);
    }

    @Tool
    @RequiresApproval
    String maybe(Optional<Integer> x) {
        return took(x);
    }

    @Tool
    @RequiresApproval
    String perhaps(@P(value = "x", required = false) @Nullable Integer x) {
        return took(x);
    }

    @Tool
    @RequiresApproval
    String standard(@P(name = "x", value = "x", defaultValue = "25") int x) {
        return took(x);
    }

    @Tool
    @RequiresApproval
    String person(Person x) {
        return took(x);
    }

    @Tool
    @RequiresApproval
    String uuid(UUID x) {
        return took(x);
    }

    @Tool
    @RequiresApproval
    String named(@P(name = "x", value = "another name") String value) {
        return took(value);
    }

    @Tool
    @RequiresApproval
    String ofThread(String x, @ToolMemoryId String thread) {
        return took(x + "@" + thread);
    }

    @Tool
    @RequiresApproval
    String date(LocalDate x) {
        return took(x);
    }

    @Tool
    @RequiresApproval
    String time(LocalTime x) {
        return took(x);
    }

    @Tool
    @RequiresApproval
    String moment(LocalDateTime x) {
        return took(x);
    }

    @Tool
    @RequiresApproval
    String range(Range x) {
        return took(x);
    }

    @Tool
    @RequiresApproval
    String tree(Tree x) {
        return took(x);
    }

    @Tool
    @RequiresApproval
    String box(Box<Line> x) {
        return took(x);
    }

    @Tool
    @RequiresApproval
    String object(Object x) {
        return took(x);
    }

    @Tool
    @RequiresApproval
    String uri(URI x) {
        return took(x);
    }
}
