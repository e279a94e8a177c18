package io.holdpoint.internal.validation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.internal.schema.ArgumentCheck;
import io.holdpoint.internal.schema.JsonSchemas;
import io.holdpoint.store.RecordJson;
import io.holdpoint.testing.Logs;
import jakarta.validation.Constraint;
import jakarta.validation.OverridesAttribute;
import jakarta.validation.Payload;
import jakarta.validation.constraints.AssertTrue;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Digits;
import jakarta.validation.constraints.Email;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NegativeOrZero;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Past;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.Size;
import jakarta.validation.groups.Default;
import java.io.IOException;
import java.io.InputStream;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What Jakarta Validation annotations on parameters come to, for arguments that keep to them and for some that do not. */
class ParameterConstraintsTest {

    interface Strict {}

    @Constraint(validatedBy = {})
    @Size(min = 3, max = 3)
    @Pattern(regexp = "[A-Z]*")
    @Retention(RetentionPolicy.RUNTIME)
    @interface Currency {
        String message() default "";

        Class<?>[] groups() default {};

        Class<? extends Payload>[] payload() default {};
    }

    @Constraint(validatedBy = {})
    @Min(0)
    @Retention(RetentionPolicy.RUNTIME)
    @interface AtLeast {
        @OverridesAttribute(constraint = Min.class, name = "value")
        long value();

        String message() default "";

        Class<?>[] groups() default {};

        Class<? extends Payload>[] payload() default {};
    }

    record Address(
            @NotBlank String street,
            @Pattern(regexp = "\\d{5}") String zip) {}

    record Person(@Size(max = 5) String name, Address address, List<@Positive Integer> grades) {}

    record Tree(@NotEmpty String label, List<Tree> children) {}

    sealed interface Shape {}

    record Circle(@Positive int radius) implements Shape {}

    static class Base {
        @NotNull
        String inherited;
    }

    static class Bean extends Base {
        String text;

        @Size(max = 2)
        String getText() {
            return text;
        }
    }

    @AtLeast(3)
    record Whole(int from, int to) {}

    record Range(int from, int to) {

        @AssertTrue
        public boolean isOrdered() {
            return from <= to;
        }
    }

    @SuppressWarnings("unused")
    static final class Tools {

        void whole(List<Whole> x) {}

        void ordered(Range x) {}

        void plain(String text, Person2 nothing) {}

        record Person2(String name) {}

        void mail(@Email String to) {}

        void blank(@NotBlank String x) {}

        void empty(@NotEmpty List<String> x) {}

        void size(@Size(min = 2, max = 3) String x) {}

        void keys(@Size(max = 1) Map<@Size(max = 2) String, @Max(9) Integer> x) {}

        void range(@Min(2) @Max(9_007_199_254_740_993L) long x) {}

        void decimal(
                @DecimalMin("0.1") @DecimalMax(value = "12345678901234567890.5", inclusive = false) BigDecimal x) {}

        void sign(@NegativeOrZero int x) {}

        void positive(@Positive Optional<Integer> x) {}

        void inOptional(Optional<@Positive Integer> x) {}

        void digits(@Digits(integer = 20, fraction = 2) BigDecimal x) {}

        void truth(@AssertTrue boolean x) {}

        void pattern(@Pattern(regexp = "a|b+", flags = Pattern.Flag.CASE_INSENSITIVE) String x) {}

        void both(@NotBlank @Pattern(regexp = "[a-z ]*") @Size(max = 4) String x) {}

        void repeated(@Size(min = 2) @Size(max = 3) String x) {}

        void mails(@Size(max = 2) List<@Email String> x) {}

        void required(@NotNull String x) {}

        void groups(@Size(max = 1, groups = Strict.class) @Size(max = 2, groups = Default.class) String x) {}

        void nested(Person x) {}

        void many(Person[] x) {}

        void tree(Tree x) {}

        void currency(@Currency String x) {}

        void atLeast(@AtLeast(3) int x) {}

        void past(@Past LocalDate x) {}

        void wrong(@Min(1) String x) {}

        void shape(Shape x) {}

        void bean(Bean x) {}

        void javaOnly(@Pattern(regexp = "\\p{Alpha}++") String x) {}

        void quoting(@Pattern(regexp = "\\Q$\\E") String x) {}

        void multiline(@Pattern(regexp = "^a$", flags = Pattern.Flag.MULTILINE) String x) {}

        void noPattern(@Pattern(regexp = "(") String x) {}

        void hugePattern(@Pattern(regexp = "((){1000}){1000}") String x) {}

        void slow(@Pattern(regexp = "(.*a){20}") String x) {}
    }

    private final JsonSchemas schemas = new JsonSchemas();

    private static ParameterConstraints of(String name) {
        Method method = Arrays.stream(Tools.class.getDeclaredMethods())
                .filter(each -> each.getName().equals(name))
                .findFirst()
                .orElseThrow();
        Set<String> all =
                Arrays.stream(method.getParameters()).map(Parameter::getName).collect(Collectors.toSet());
        return ParameterConstraints.of(List.of(method), Parameter::getName, none -> Map.of(), all);
    }

    private static ObjectNode json(String text) {
        try {
            return (ObjectNode) AguiCodec.mapper().readTree(text);
        } catch (JsonProcessingException e) {
            throw new AssertionError(text, e);
        }
    }

    private List<String> violations(String tool, String arguments) {
        return schemas.violations(of(tool).schema(), json(arguments));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "mail      | {\"to\":\"ada@example.com\"}                           | true",
                "mail      | {\"to\":\"ada\"}                                       | false",
                "mail      | {\"to\":\"\"}                                          | false",
                "mail      | {\"to\":\"ada@example.com\\nbcc: eve@example.com\"}    | false",
                "mail      | {\"to\":[\"ada@example.com\"]}                         | false",
                "mail      | {\"to\":null}                                          | true",
                "mail      | {}                                                     | true",
                "blank     | {\"x\":\" a\"}                                         | true",
                "blank     | {\"x\":\" \\t\\n\"}                                    | false",
                "blank     | {\"x\":null}                                           | false",
                "blank     | {}                                                     | false",
                "empty     | {\"x\":[\"\"]}                                         | true",
                "empty     | {\"x\":[]}                                             | false",
                "size      | {\"x\":\"ab\"}                                         | true",
                "size      | {\"x\":\"a\"}                                          | false",
                "size      | {\"x\":\"abcd\"}                                       | false",
                "size      | {\"x\":[\"a\",\"b\"]}                                  | false",
                "keys      | {\"x\":{\"ab\":9}}                                     | true",
                "keys      | {\"x\":{\"abc\":9}}                                    | false",
                "keys      | {\"x\":{\"ab\":10}}                                    | false",
                "keys      | {\"x\":{\"a\":1,\"b\":2}}                              | false",
                "range     | {\"x\":2}                                              | true",
                "range     | {\"x\":9007199254740993}                               | true",
                "range     | {\"x\":9007199254740994}                               | false",
                "range     | {\"x\":\"3\"}                                          | false",
                "range     | {\"x\":1}                                              | false",
                "decimal   | {\"x\":0.1}                                            | true",
                "decimal   | {\"x\":0.0999999999999999999999}                       | false",
                "decimal   | {\"x\":12345678901234567890.4999}                      | true",
                "decimal   | {\"x\":12345678901234567890.5}                         | false",
                "sign      | {\"x\":0}                                              | true",
                "sign      | {\"x\":1}                                              | false",
                "inOptional| {\"x\":1}                                              | true",
                "inOptional| {\"x\":0}                                              | false",
                "digits    | {\"x\":12345678901234567890.12}                        | true",
                "digits    | {\"x\":12345678901234567890.120}                       | true",
                "digits    | {\"x\":0.123}                                          | false",
                "digits    | {\"x\":123456789012345678901}                          | false",
                "truth     | {\"x\":true}                                           | true",
                "truth     | {\"x\":false}                                          | false",
                "pattern   | {\"x\":\"A\"}                                          | true",
                "pattern   | {\"x\":\"bB\"}                                         | true",
                "pattern   | {\"x\":\"ab\"}                                         | false",
                "pattern   | {\"x\":\"a\\n\"}                                       | false",
                "both      | {\"x\":\"ab\"}                                         | true",
                "both      | {\"x\":\"  \"}                                         | false",
                "both      | {\"x\":\"A\"}                                          | false",
                "both      | {\"x\":\"abcde\"}                                      | false",
                "repeated  | {\"x\":\"abc\"}                                        | true",
                "repeated  | {\"x\":\"a\"}                                          | false",
                "repeated  | {\"x\":\"abcd\"}                                       | false",
                "mails     | {\"x\":[\"a@b.c\"]}                                    | true",
                "mails     | {\"x\":[\"a@b.c\",\"b\"]}                              | false",
                "mails     | {\"x\":[\"a@b.c\",\"b@b.c\",\"c@b.c\"]}                | false",
                "required  | {\"x\":\"\"}                                           | true",
                "required  | {}                                                     | false",
                "groups    | {\"x\":\"ab\"}                                         | true",
                "groups    | {\"x\":\"abc\"}                                        | false",
                "nested    | {\"x\":{\"name\":\"Ada\",\"address\":{\"street\":\"A 1\"},\"grades\":[1]}} | true",
                "nested    | {\"x\":{\"name\":\"Adaline\"}}                         | false",
                "nested    | {\"x\":{\"address\":{}}}                               | false",
                "nested    | {\"x\":{\"address\":{\"street\":\"A\",\"zip\":\"1\"}}} | false",
                "nested    | {\"x\":{\"grades\":[1,0]}}                             | false",
                "nested    | {\"x\":\"Ada\"}                                        | false",
                "many      | {\"x\":[{\"name\":\"Ada\"}]}                           | true",
                "many      | {\"x\":[{\"name\":\"Adaline\"}]}                       | false",
                "tree      | {\"x\":{\"label\":\"a\",\"children\":[{\"label\":\"b\"}]}} | true",
                "tree      | {\"x\":{\"label\":\"a\",\"children\":[{\"label\":\"\"}]}}  | false",
                "tree      | {\"x\":{\"label\":\"a\",\"children\":[{\"label\":\"b\",\"children\":[{}]}]}} | false",
                "currency  | {\"x\":\"EUR\"}                                        | true",
                "currency  | {\"x\":\"eur\"}                                        | false",
                "currency  | {\"x\":\"EURO\"}                                       | false",
                "bean      | {\"x\":{\"text\":\"ab\"}}                              | true",
                "bean      | {\"x\":{\"text\":\"abc\"}}                             | false",
                "javaOnly  | {\"x\":\"abc\"}                                        | true",
                "javaOnly  | {\"x\":\"a1\"}                                         | false",
            })
    void constraintsHold(String tool, String arguments, boolean valid) {
        assertThat(violations(tool, arguments).isEmpty())
                .as("%s: %s", of(tool).schema(), violations(tool, arguments))
                .isEqualTo(valid);
        ObjectNode stored = (ObjectNode) RecordJson.read(RecordJson.write(of(tool).schema()), JsonNode.class);
        assertThat(schemas.violations(stored, json(arguments)).isEmpty())
                .as("as a database gives it back")
                .isEqualTo(valid);
    }

    @Test
    void violationsNameTheirPlace() {
        assertThat(violations("nested", "{\"x\":{\"grades\":[1,0]}}"))
                .singleElement()
                .asString()
                .startsWith("/x/grades/1: ");
    }

    @Test
    void violationsOfCommonConstraintsNeedNoKnowledgeOfExpressions() {
        assertThat(violations("mail", "{\"to\":\"ada\"}")).containsExactly("/to: must be an email address");
        assertThat(violations("blank", "{\"x\":\" \"}")).containsExactly("/x: must not be blank");
        assertThat(violations("size", "{\"x\":\"abcd\"}")).containsExactly("/x: must be at most 3 characters long");
    }

    @Test
    void whatIsNotConstrainedHasNoSchema() {
        assertThat(of("plain")).isEqualTo(new ParameterConstraints(ArgumentCheck.NONE.schema(), List.of()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "past",
                "wrong",
                "atLeast",
                "shape",
                "bean",
                "positive",
                "quoting",
                "multiline",
                "whole",
                "ordered"
            })
    void whatASchemaCannotSayIsRemarkedOn(String tool) {
        assertThat(of(tool).remarks()).singleElement().asString().contains("x", "is not enforced");
    }

    @ParameterizedTest
    @ValueSource(strings = {"javaOnly", "pattern"})
    void aPatternThatJavaScriptDoesNotKnowIsRemarkedOnAndEnforced(String tool) {
        assertThat(of(tool).remarks()).singleElement().asString().contains("is enforced", "JavaScript");
    }

    @ParameterizedTest
    @ValueSource(strings = {"mail", "size", "nested", "tree", "currency", "groups", "digits", "both"})
    void whatIsTheSameEverywhereIsNotRemarkedOn(String tool) {
        assertThat(of(tool).remarks()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"noPattern", "hugePattern"})
    void aPatternThatIsNoneIsFoundAtOnce(String tool) {
        assertThatThrownBy(() -> of(tool)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    @Logs("Failed to apply pattern")
    void aPatternThatTriesAgainAndAgainIsStopped() {
        assertThat(violations("slow", "{\"x\":\"" + "a".repeat(60) + "!\"}"))
                .singleElement()
                .asString()
                .contains("too many steps");
    }

    @Test
    void constraintsAreAddedToASchemaThatHasTheTypes() {
        ObjectNode schema = json("""
            {"type":"object","properties":{"x":{"type":"object","properties":{
            "name":{"type":"string"},"address":{"type":"object","properties":{"street":{"type":"string"},"zip":{"type":"string"}}},
            "grades":{"type":"array","items":{"type":"integer"}}}}},"required":["x"]}\
            """);

        of("nested").addTo(schema);

        assertThat(json(AguiCodec.write(schema))).isEqualTo(json("""
            {"type":"object","properties":{"x":{"type":"object","properties":{
            "name":{"type":"string","maxLength":5},
            "address":{"type":"object","properties":{
              "street":{"type":"string","pattern":"[^\\\\u0000-\\\\u0020]"},
              "zip":{"type":"string","pattern":"^(?:\\\\d{5})$"}},"required":["street"]},
            "grades":{"type":"array","items":{"type":"integer","exclusiveMinimum":0}}}}},"required":["x"]}\
            """));
    }

    /** As where the library is not on the classpath: the JVM leaves out annotations that it cannot load. */
    @Test
    void withoutTheLibraryNothingIsConstrainedAndNothingBreaks() throws Exception {
        ClassLoader without = new ClassLoader(Tools.class.getClassLoader()) {
            @Override
            protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
                if (name.startsWith("jakarta.validation.")) {
                    throw new ClassNotFoundException(name);
                }
                return name.startsWith(ParameterConstraintsTest.class.getName() + "$")
                        ? define(name)
                        : super.loadClass(name, resolve);
            }

            private Class<?> define(String name) throws ClassNotFoundException {
                try (InputStream file = getResourceAsStream(name.replace('.', '/') + ".class")) {
                    byte[] code = file.readAllBytes();
                    return defineClass(name, code, 0, code.length);
                } catch (IOException e) {
                    throw new ClassNotFoundException(name, e);
                }
            }
        };
        Class<?> tools = without.loadClass(Tools.class.getName());

        Method mail = tools.getDeclaredMethod("mail", String.class);

        assertThat(mail.getParameters()[0].getAnnotations()).isEmpty();
        assertThat(ParameterConstraints.of(List.of(mail), Parameter::getName, none -> Map.of(), Set.of("to")))
                .isEqualTo(new ParameterConstraints(ArgumentCheck.NONE.schema(), List.of()));
    }

    @Test
    void theIntegersOfABoundKeepTheirDigits() {
        assertThat(new BigInteger(
                        of("range").schema().at("/properties/x/maximum").asText()))
                .isEqualTo(new BigInteger("9007199254740993"));
    }
}
