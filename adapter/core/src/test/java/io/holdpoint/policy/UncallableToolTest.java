package io.holdpoint.policy;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.annotation.JsonPOJOBuilder;
import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecifications;
import dev.langchain4j.service.IllegalConfigurationException;
import dev.langchain4j.service.tool.AiServiceTool;
import dev.langchain4j.service.tool.DefaultToolExecutor;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.RunResult;
import io.holdpoint.ToolPolicy;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.Shape;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A tool that no call can reach is found when the agent is built, and no other. LangChain4j's own executor runs beside it. */
class UncallableToolTest {

    private final ScriptedModel model = new ScriptedModel();

    static class Money {
        final BigDecimal value;
        final String currency;

        public Money(BigDecimal value, String currency) {
            this.value = value;
            this.currency = currency;
        }
    }

    @kotlin.Metadata
    static class OfKotlin {
        final String name;

        OfKotlin(String name, int age) {
            this.name = name + age;
        }
    }

    class Inner {
        int a;
    }

    interface Payment {}

    abstract static class Base {
        int a;
    }

    sealed interface Shape2 permits Circle {}

    record Circle(double radius) implements Shape2 {}

    record Nested(
            String name, @Nullable Instant since, @Nullable Money price) {}

    static class Created {
        final String all;

        private Created(String all) {
            this.all = all;
        }

        @JsonCreator
        static Created of(@JsonProperty("a") String a, @JsonProperty("b") int b) {
            return new Created(a + b);
        }
    }

    @JsonDeserialize(builder = Built.Builder.class)
    static class Built {
        final int a;

        private Built(int a) {
            this.a = a;
        }

        @JsonPOJOBuilder
        static class Builder {
            int a;

            Builder withA(int value) {
                a = value;
                return this;
            }

            Built build() {
                return new Built(a);
            }
        }
    }

    static class Email {
        final String text;

        Email(String text) {
            this.text = text;
        }
    }

    static class Cents {
        final int count;

        Cents(int count) {
            this.count = count;
        }
    }

    static class Hidden {
        int a;

        private Hidden() {}
    }

    /** A tool for each type. */
    @SuppressWarnings("unused")
    private static final class Types {

        @Tool
        void instant(Instant x) {}

        @Tool
        void duration(Duration x) {}

        @Tool
        void uri(URI x) {}

        @Tool
        void path(Path x) {}

        @Tool
        void locale(Locale x) {}

        @Tool
        void letter(char x) {}

        @Tool
        void letters(CharSequence x) {}

        @Tool
        void money(Money x) {}

        @Tool
        void ofKotlin(OfKotlin x) {}

        @Tool
        void inner(Inner x) {}

        @Tool
        void payment(Payment x) {}

        @Tool
        void base(Base x) {}

        @Tool
        void text(String x) {}

        @Tool
        void bytes(byte[] x) {}

        @Tool
        void json(JsonNode x) {}

        @Tool
        void anything(Object x) {}

        @Tool
        void counter(AtomicLong x) {}

        @Tool
        void day(Date x) {}

        @Tool
        void shape(Shape2 x) {}

        @Tool
        void created(Created x) {}

        @Tool
        void built(Built x) {}

        @Tool
        void email(Email x) {}

        @Tool
        void cents(Cents x) {}

        @Tool
        void hidden(Hidden x) {}

        @Tool
        void nested(Nested x) {}

        @Tool
        void instants(List<Instant> x) {}

        @Tool
        void moneyArray(Money[] x) {}

        @Tool
        void moneyByName(Map<String, Money> x) {}

        @Tool
        void maybe(Optional<Instant> x) {}

        @Tool
        void perhaps(@P(value = "x", required = false) @Nullable Money x) {}
    }

    private static AiServiceTool tool(String name) {
        Method method = Arrays.stream(Types.class.getDeclaredMethods())
                .filter(each -> each.getName().equals(name))
                .findFirst()
                .orElseThrow();
        return AiServiceTool.builder()
                .toolSpecification(ToolSpecifications.toolSpecificationFrom(method))
                .toolExecutor(new DefaultToolExecutor(new Types(), method))
                .build();
    }

    private HoldpointBuilder<?> agent(String name) {
        AiServiceTool tool = tool(name);
        return Shape.BLOCKING
                .builder(model)
                .aiService(service -> service.tools(Map.of(tool.toolSpecification(), tool.toolExecutor())));
    }

    private static boolean isCalled(String name, String arguments) {
        ToolExecutionRequest request =
                ToolExecutionRequest.builder().name(name).arguments(arguments).build();
        try {
            tool(name).toolExecutor().execute(request, "t");
            return true;
        } catch (RuntimeException e) {
            return false;
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', textBlock = """
            instant;  "2026-01-01T00:00:00Z" | {"seconds":1,"nanos":0} | 1;    java.time.Instant is a type that Jackson knows only;  Take a String
            duration; "PT1S" | {"seconds":1,"nanos":0} | 1;                    java.time.Duration is a type that Jackson knows only; Take a String
            uri;      "https://example.com" | {"scheme":"https"};              java.net.URI is written as a text;                    Take a String
            path;     "/tmp/a" | {"a":1};                                      java.nio.file.Path is written as a text;              Take a String
            locale;   "de" | {"baseLocale":{"language":"de"}};                 java.util.Locale is written as a text;                Take a String
            letter;   "a" | {"value":"a"};                                     char is written as a text;                            Take a String
            letters;  "abc" | {"value":"a"};                                   java.lang.CharSequence is written as a text;          Take a String
            money;    {"value":1,"currency":"EUR"} | "1 EUR" | 1;              UncallableToolTest$Money has no constructor;          @JsonCreator
            ofKotlin; {"name":"a","age":1} | "a";                              UncallableToolTest$OfKotlin has no constructor;       jackson-module-kotlin
            inner;    {"a":1} | "a";                                           UncallableToolTest$Inner has no constructor;          Make the class static
            payment;  {} | {"a":1} | "a";                                      UncallableToolTest$Payment is abstract;               seal the type
            base;     {"a":1} | "a";                                           UncallableToolTest$Base is abstract;                  seal the type
            """)
    void whatLangChain4jCannotMakeIsRefusedAtBuild(String name, String values, String why, String remedy) {
        assertThat(values.split("\\|")).noneMatch(value -> isCalled(name, "{\"x\":" + value + "}"));

        assertThatThrownBy(
                        () -> agent(name).toolPolicies(ToolPolicy.named(name)).build())
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("UncallableToolTest$Types." + name + "() can never be called")
                .hasMessageContaining("its parameter \"x\": ")
                .hasMessageContaining(why)
                .hasMessageContaining(remedy);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', textBlock = """
            text;        {"x":"a"}
            bytes;       {"x":[1]}
            json;        {"x":{}}
            anything;    {"x":[]}
            counter;     {"x":1}
            day;         {"x":1}
            shape;       {"x":{"type":"Circle","radius":1}}
            created;     {"x":{"a":"b","b":1}}
            built;       {"x":{"a":1}}
            email;       {"x":"\\"a@example.com\\""}
            cents;       {"x":1}
            hidden;      {"x":{"a":1}}
            """)
    void whatLangChain4jCanMakeIsNot(String name, String arguments) {
        assertThat(isCalled(name, arguments)).isTrue();

        agent(name).toolPolicies(ToolPolicy.named(name)).build();
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', textBlock = """
            nested;      {"x":{"name":"a"}}
            instants;    {"x":[]}
            moneyArray;  {"x":[]}
            moneyByName; {"x":{}}
            maybe;       {}
            perhaps;     {}
            """)
    @Logs("No call of the tool * can fill \"x*")
    void aPartThatNoCallCanFillIsAWarning(String name, String arguments) {
        assertThat(isCalled(name, arguments)).isTrue();
        model.calls(call("c1", name, arguments)).says("Done.");

        Holdpoint agent = agent(name).toolPolicies(ToolPolicy.named(name)).build();

        assertThat(agent.send("t", "Go")).isInstanceOf(RunResult.Interrupted.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"money", "uri"})
    @Logs("The tool io.holdpoint.policy.UncallableToolTest$Types.* can never be called: *")
    void whereNobodyIsAskedItIsAWarning(String name) {
        model.says("Hello.");

        assertThat(agent(name).build().send("t", "Go")).isInstanceOf(RunResult.Completed.class);
    }
}
