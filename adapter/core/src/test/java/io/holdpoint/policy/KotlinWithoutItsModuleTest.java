package io.holdpoint.policy;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.service.IllegalConfigurationException;
import io.holdpoint.testing.Bench;
import org.junit.jupiter.api.Test;

/** A function of Kotlin, as its compiler leaves it (the module for Kotlin has real ones): nothing here knows what a call may leave out. */
class KotlinWithoutItsModuleTest {

    @kotlin.Metadata
    public static class Office {

        @Tool
        public String mail(String to, int copies) {
            return "sent";
        }
    }

    @Test
    void isRefusedWithTheDependencyThatItNeeds() {
        assertThatThrownBy(() -> new Bench(builder -> builder.tools(new Office())))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("The tool " + Office.class.getName() + ".mail() is a function of Kotlin")
                .hasMessageContaining("io.holdpoint:holdpoint-kotlin");
    }
}
