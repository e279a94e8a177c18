package io.holdpoint.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.testing.Logs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** An application does not start with a property that cannot work, and the failure says which. */
@Logs("Exception encountered during context initialization")
class PropertiesTest {

    private final ApplicationContextRunner runner =
            new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(HoldpointAutoConfiguration.class));

    @ParameterizedTest
    @CsvSource({
        "run-timeout, -1s",
        "shutdown-grace, -1s",
        "keep-alive, -5s", // a stream would get comments without end
        "max-body-bytes, 0",
        "buffer-bytes, -1",
        "path, /agent/", // its routes would be at /agent//cancel
        "path, /",
        "agents-path, /agents/",
    })
    void aValueThatCannotWorkIsRefusedByItsName(String name, String value) {
        runner.withPropertyValues("holdpoint." + name + "=" + value)
                .run(context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining("holdpoint." + name + " must "));
    }

    @Test
    void aDatabaseWithoutADataSourceIsRefusedWithWhatToAdd() {
        runner.withPropertyValues("holdpoint.store=jdbc").run(context -> {
            FailureAnalysis analysis = new AgentChoiceException.Analyzer().analyze(context.getStartupFailure());
            assertThat(analysis.getDescription()).contains("holdpoint.store=jdbc", "no DataSource");
            assertThat(analysis.getAction()).contains("spring-boot-starter-jdbc", "spring.datasource.url", "driver");
        });
    }
}
