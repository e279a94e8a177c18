package io.holdpoint.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolSpecifications;
import dev.langchain4j.service.IllegalConfigurationException;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.internal.schema.ParameterConstraints;
import jakarta.validation.Constraint;
import jakarta.validation.OverridesAttribute;
import jakarta.validation.Payload;
import jakarta.validation.Valid;
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
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
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

    record Person(@Size(max = 5) String name, @Valid Address address, List<@Positive Integer> grades) {}

    record Tree(@NotEmpty String label, List<@Valid Tree> children) {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
    @JsonSubTypes(@JsonSubTypes.Type(value = Circle.class, name = "circle"))
    sealed interface Shape {}

    record Circle(@Positive int radius) implements Shape {}

    static class Base {
        @Size(max = 1)
        String inherited;
    }

    static class Bean extends Base {
        String text;

        @Size(max = 2)
        String getText() {
            return text;
        }
    }

    @SuppressWarnings("unused")
    public static final class Tools {
        @Tool
        public void plain(String text, Person2 nothing) {}

        public record Person2(String name) {}

        @Tool
        public void mail(@Email String to) {}

        @Tool
        public void blank(@NotBlank String x) {}

        @Tool
        public void empty(@NotEmpty List<String> x) {}

        @Tool
        public void size(@Size(min = 2, max = 3) String x) {}

        @Tool
        public void keys(@Size(max = 1) Map<@Size(max = 2) String, @Max(9) Integer> x) {}

        @Tool
        public void range(@Min(2) @Max(9_007_199_254_740_993L) long x) {}

        @Tool
        public void decimal(
                @DecimalMin("0.1") @DecimalMax(value = "12345678901234567890.5", inclusive = false) BigDecimal x) {}

        @Tool
        public void sign(@NegativeOrZero int x) {}

        @Tool
        public void positive(@Positive Optional<Integer> x) {}

        @Tool
        public void inOptional(Optional<@Positive Integer> x) {}

        @Tool
        public void digits(@Digits(integer = 20, fraction = 2) BigDecimal x) {}

        @Tool
        public void truth(@AssertTrue boolean x) {}

        @Tool
        public void pattern(@Pattern(regexp = "a|b+", flags = Pattern.Flag.CASE_INSENSITIVE) String x) {}

        @Tool
        public void both(@NotBlank @Pattern(regexp = "[a-z ]*") @Size(max = 4) String x) {}

        @Tool
        public void repeated(@Size(min = 2) @Size(max = 3) String x) {}

        @Tool
        public void mails(@Size(max = 2) List<@Email String> x) {}

        @Tool
        public void required(@NotNull String x) {}

        @Tool
        public void groups(@Size(max = 1, groups = Strict.class) @Size(max = 2, groups = Default.class) String x) {}

        @Tool
        public void nested(@Valid Person x) {}

        @Tool
        public void many(@Valid Person[] x) {}

        @Tool
        public void tree(@Valid Tree x) {}

        @Tool
        public void currency(@Currency String x) {}

        @Tool
        public void atLeast(@AtLeast(3) int x) {}

        @Tool
        public void past(@Past LocalDate x) {}

        @Tool
        public void wrong(@Min(1) List<String> x) {}

        @Tool
        public void shape(@Valid Shape x) {}

        @Tool
        public void bean(@Valid Bean x) {}

        @Tool
        public void javaOnly(@Pattern(regexp = "\\p{Alpha}++") String x) {}

        @Tool
        public void quoting(@Pattern(regexp = "\\Q$\\E") String x) {}

        @Tool
        public void multiline(@Pattern(regexp = "^a$", flags = Pattern.Flag.MULTILINE) String x) {}

        @Tool
        public void noPattern(@Pattern(regexp = "(") String x) {}
    }

    private static MethodArguments of(String name) {
        return of(Tools.class, name);
    }

    private static MethodArguments of(Class<?> type, String name) {
        Method method = Arrays.stream(type.getDeclaredMethods())
                .filter(each -> each.getName().equals(name))
                .findFirst()
                .orElseThrow();
        return MethodArguments.of(
                new ToolMethod(type, method),
                ToolSpecifications.toolSpecificationFrom(method),
                () -> make(type),
                Optional.empty());
    }

    private static Object make(Class<?> type) {
        try {
            return type.getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private static ObjectNode json(String text) {
        try {
            return (ObjectNode) AguiCodec.mapper().readTree(text);
        } catch (JsonProcessingException e) {
            throw new AssertionError(text, e);
        }
    }

    private static List<String> violations(String tool, String arguments) {
        return of(tool).violations(json(arguments)).stream()
                .map(MethodArguments.Misfit::text)
                .toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "mail      | {\"to\":\"ada@example.com\"}                           | true",
                "mail      | {\"to\":\"ada\"}                                       | false",
                "mail      | {\"to\":\"\"}                                          | true",
                "mail      | {\"to\":\"ada@example.com\\nbcc: eve@example.com\"}    | false",
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
                "keys      | {\"x\":{\"ab\":9}}                                     | true",
                "keys      | {\"x\":{\"abc\":9}}                                    | false",
                "keys      | {\"x\":{\"ab\":10}}                                    | false",
                "keys      | {\"x\":{\"a\":1,\"b\":2}}                              | false",
                "range     | {\"x\":2}                                              | true",
                "range     | {\"x\":9007199254740993}                               | true",
                "range     | {\"x\":9007199254740994}                               | false",
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
                "digits    | {\"x\":12345678901234567890.120}                       | false",
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
                "past      | {\"x\":{\"year\":2001,\"month\":1,\"day\":1}} | true",
                "past      | {\"x\":{\"year\":2999,\"month\":1,\"day\":1}} | false",
                "atLeast   | {\"x\":3}  | true",
                "atLeast   | {\"x\":2}  | false",
                "shape     | {\"x\":{\"kind\":\"circle\",\"radius\":1}} | true",
                "shape     | {\"x\":{\"kind\":\"circle\",\"radius\":0}} | false",
                "bean      | {\"x\":{\"inherited\":\"ab\"}} | false",
                "quoting   | {\"x\":\"$\"} | true",
                "quoting   | {\"x\":\"a\"} | false",
                "multiline | {\"x\":\"a\"} | true",
                "multiline | {\"x\":\"b\"} | false",
            })
    void constraintsHold(String tool, String arguments, boolean valid) {
        assertThat(violations(tool, arguments).isEmpty())
                .as("%s", violations(tool, arguments))
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
    void messagesWithoutAnExpressionLanguageAreSentences() {
        assertThat(violations("decimal", "{\"x\":0.05}"))
                .singleElement()
                .asString()
                .isEqualTo("/x: must be greater than or equal to 0.1");
    }

    @Test
    void whatIsNotConstrainedNeedsNoValidation() {
        assertThat(of("plain").constraints()).isEqualTo(ParameterConstraints.NONE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"noPattern", "wrong", "positive"})
    void aConstraintThatCannotBeCheckedIsFoundAtOnce(String tool) {
        assertThatThrownBy(() -> of(tool))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("Tools." + tool + "()");
    }

    record Household(@Size(max = 2) List<Address> addresses, Person head) {}

    @SuppressWarnings("unused")
    public static final class Unmarked {
        @Tool
        public void argument(Address x) {}

        @Tool
        public void element(List<Address> x) {}

        @Tool
        public void field(@Valid Household x) {}

        @Tool
        public void subtype(Shape x) {}

        @Tool
        public static void ofNoObject(@Positive int x) {}
    }

    @ParameterizedTest
    @CsvSource({
        "argument, x",
        "element, an element of x",
        "field, 'an element of Household.addresses, Household.head'",
        "subtype, x"
    })
    void aPlaceWhoseConstraintsNobodyWouldCheckIsRefusedByItsName(String tool, String places) {
        assertThatThrownBy(() -> of(Unmarked.class, tool))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("Unmarked." + tool + "()")
                .hasMessageContaining(
                        "skips the constraints of the class of " + places + ", because @Valid is missing there.");
    }

    interface Narrow {
        @SuppressWarnings("unused")
        void narrow(int x);
    }

    @SuppressWarnings("unused")
    public static final class Narrower implements Narrow {
        @Override
        @Tool
        public void narrow(@Positive int x) {}
    }

    @Test
    void aConstraintThatAnImplementationAddsIsRefused() {
        assertThatThrownBy(() -> of(Narrower.class, "narrow"))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("Narrower.narrow()");
    }

    @Test
    void aConstraintOfAMethodWithoutAnObjectIsRefused() {
        assertThatThrownBy(() -> of(Unmarked.class, "ofNoObject"))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("instance method");
    }

    @Test
    void constraintsAreAddedToASchemaThatHasTheTypes() {
        ObjectNode schema = json("""
            {"type":"object","properties":{"x":{"type":"object","properties":{
            "name":{"type":"string"},"address":{"type":"object","properties":{"street":{"type":"string"},"zip":{"type":"string"}}},
            "grades":{"type":"array","items":{"type":"integer"}}}}},"required":["x"]}\
            """);

        of("nested").constraints().addTo(schema);

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
        assertThat(ParameterConstraints.of(
                        mail,
                        List.of(mail),
                        Parameter::getName,
                        Set.of("to"),
                        () -> {
                            throw new AssertionError("not needed");
                        },
                        Optional.empty()))
                .isEqualTo(ParameterConstraints.NONE);
    }

    /** As where the application has the annotations only. */
    @Test
    void withoutAProviderAConstraintIsRefusedWithTheRemedy() throws Exception {
        List<URL> urls = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            if (!entry.contains("hibernate-validator")) {
                urls.add(Path.of(entry).toUri().toURL());
            }
        }
        try (URLClassLoader without =
                new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            Method read = without.loadClass("io.holdpoint.internal.schema.BeanValidation")
                    .getDeclaredMethod("of", Optional.class);
            read.setAccessible(true);
            Thread thread = Thread.currentThread();
            ClassLoader own = thread.getContextClassLoader();
            thread.setContextClassLoader(without);
            try {
                assertThatThrownBy(() -> read.invoke(null, Optional.empty()))
                        .cause()
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("Add one, such as org.hibernate.validator:hibernate-validator");
            } finally {
                thread.setContextClassLoader(own);
            }
        }
    }

    @Test
    void theIntegersOfABoundKeepTheirDigits() {
        assertThat(new BigInteger(of("range")
                        .constraints()
                        .schema()
                        .at("/properties/x/maximum")
                        .asText()))
                .isEqualTo(new BigInteger("9007199254740993"));
    }
}
