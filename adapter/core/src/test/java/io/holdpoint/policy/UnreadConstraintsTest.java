package io.holdpoint.policy;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.invocation.InvocationParameters;
import dev.langchain4j.service.IllegalConfigurationException;
import io.holdpoint.RequiresApproval;
import io.holdpoint.testing.Bench;
import jakarta.validation.Constraint;
import jakarta.validation.Payload;
import jakarta.validation.constraints.Email;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.Size;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Nothing here reads constraints of Jakarta Validation: a tool with one is refused, since its calls would run against it. */
class UnreadConstraintsTest {

    @Constraint(validatedBy = {})
    @Repeatable(Currency.List.class)
    @Retention(RetentionPolicy.RUNTIME)
    @interface Currency {
        String message() default "";

        Class<?>[] groups() default {};

        Class<? extends Payload>[] payload() default {};

        @Retention(RetentionPolicy.RUNTIME)
        @interface List {
            Currency[] value();
        }
    }

    public record Room(@NotBlank String name) {}

    public record Booking(Map<String, List<Room>> rooms) {}

    public static class Bean {
        String text = "";

        @Size(max = 2)
        public String getText() {
            return text;
        }
    }

    public static class Special extends Bean {
        String more = "";
    }

    public interface Ledger {
        void book(@Positive BigDecimal amount);
    }

    static class OnParameter {
        @Tool
        @RequiresApproval
        void tool(String to, @Max(3) int x) {}
    }

    static class Unasked {
        @Tool
        void tool(@P(name = "x", value = "the address") @Email String to) {}
    }

    static class OnElement {
        @Tool
        void tool(List<@Email String> x) {}
    }

    static class OnElementOfArray {
        @Tool
        void tool(Room[] x) {}
    }

    static class OnField {
        @Tool
        void tool(Booking x) {}
    }

    static class OnGetter {
        @Tool
        void tool(Special x) {}
    }

    static class Repeated {
        @Tool
        void tool(@Size(min = 2) @Size(max = 3) String x) {}
    }

    static class OwnRepeated {
        @Tool
        void tool(@Currency @Currency String x) {}
    }

    public static class Implementing implements Ledger {
        @Override
        @Tool
        public void book(BigDecimal x) {}
    }

    static List<Object> constrained() {
        return List.of(
                new OnParameter(),
                new Unasked(),
                new OnElement(),
                new OnElementOfArray(),
                new OnField(),
                new OnGetter(),
                new Repeated(),
                new OwnRepeated(),
                new Implementing());
    }

    @ParameterizedTest
    @MethodSource("constrained")
    void aToolWithAConstraintIsRefusedWithTheDependencyThatItNeeds(Object tools) {
        assertThatThrownBy(() -> new Bench(builder -> builder.tools(tools)))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageStartingWith(
                        "The parameter \"x\" of the tool " + tools.getClass().getName() + ".")
                .hasMessageContaining("io.holdpoint:holdpoint-validation");
    }

    static class OfTheApplication {
        @Tool
        @RequiresApproval
        void tool(String x, @NotNull InvocationParameters notTheModels) {}
    }

    @Test
    void whatNoModelGivesMayHaveAny() {
        assertThatCode(() -> new Bench(builder -> builder.tools(new OfTheApplication())))
                .doesNotThrowAnyException();
    }
}
