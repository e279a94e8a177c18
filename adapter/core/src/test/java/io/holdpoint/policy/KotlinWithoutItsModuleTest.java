package io.holdpoint.policy;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.service.IllegalConfigurationException;
import io.holdpoint.RequiresApproval;
import io.holdpoint.testing.Bench;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import kotlin.jvm.internal.DefaultConstructorMarker;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Functions of Kotlin, as its compiler leaves them (the module for Kotlin has real ones): nothing here knows the defaults. */
class KotlinWithoutItsModuleTest {

    private final List<String> effects = new CopyOnWriteArrayList<>();

    @kotlin.Metadata
    public class Plain {

        @Tool
        @RequiresApproval
        public String mail(String to, @Nullable String subject) {
            effects.add(to + " " + subject);
            return "sent";
        }
    }

    @kotlin.Metadata
    public static class WithDefault {

        @Tool
        @RequiresApproval
        public String mail(String to, int copies) {
            return "sent";
        }

        public static String mail$default(WithDefault self, String to, int copies, int left, Object marker) {
            return self.mail(to, (left & 2) == 0 ? copies : 2);
        }
    }

    @kotlin.Metadata
    public interface Greets {

        String greet(String whom);

        /** Where the compiler puts what interfaces have. */
        final class DefaultImpls {

            private DefaultImpls() {}

            public static String greet$default(Greets self, String whom, int left, Object marker) {
                return self.greet("you");
            }
        }
    }

    @kotlin.Metadata
    public static class Inherited implements Greets {

        @Override
        @Tool
        public String greet(String whom) {
            return whom;
        }
    }

    @kotlin.Metadata
    public record Money(int amount, String currency) {

        public Money(int amount, String currency, int left, DefaultConstructorMarker marker) {
            this(amount, currency);
        }
    }

    @kotlin.Metadata
    public static class OfMoney {

        @Tool
        public String pay(List<Money> amounts) {
            return "paid";
        }
    }

    static List<Object> toolsWithDefaults() {
        return List.of(new WithDefault(), new Inherited(), new OfMoney());
    }

    @ParameterizedTest
    @MethodSource("toolsWithDefaults")
    void aToolWithDefaultsIsRefusedWithTheDependencyThatItNeeds(Object tools) {
        assertThatThrownBy(() -> new Bench(builder -> builder.tools(tools)))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("The tool " + tools.getClass().getName() + ".")
                .hasMessageContaining("default values")
                .hasMessageContaining("io.holdpoint:holdpoint-kotlin");
    }

    @Test
    void aToolWithoutDefaultsRunsAsItIsShown() {
        Bench bench = new Bench(builder -> builder.tools(new Plain()));
        bench.model.calls(call("c1", "mail", "{\"to\":\"ada\",\"subject\":\"Hi\"}"));
        bench.say("Write");
        assertThat(bench.pending(0).asApproval().arguments()).hasToString("{\"to\":\"ada\",\"subject\":\"Hi\"}");
        bench.model.says("Done.");

        bench.resume(bench.pending(0).asApproval().approve());

        assertThat(effects).containsExactly("ada Hi");
    }
}
