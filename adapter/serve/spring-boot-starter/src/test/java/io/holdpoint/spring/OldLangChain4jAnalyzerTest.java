package io.holdpoint.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.service.IllegalConfigurationException;
import io.holdpoint.internal.LangChain4jVersion;
import org.junit.jupiter.api.Test;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Whoever has declared LangChain4j's starter before Holdpoint's reads what to write, and no stack trace. */
class OldLangChain4jAnalyzerTest {

    @Test
    void anOldLangChain4jIsShownWithWhatToWriteIntoThePom() {
        String found = new LangChain4jVersion("langchain4j", "1.12.2", "file:/app/lib/langchain4j.jar")
                .problem()
                .orElseThrow();
        FailureAnalysis analysis = new OldLangChain4jAnalyzer()
                .analyze(new IllegalStateException("agent", IllegalConfigurationException.illegalConfiguration(found)));

        assertThat(analysis.getDescription())
                .isEqualTo("Holdpoint needs LangChain4j 1.18.0 or newer, but found langchain4j 1.12.2"
                        + " (file:/app/lib/langchain4j.jar).");
        assertThat(analysis.getAction())
                .contains("<artifactId>langchain4j-core</artifactId>", "<version>1.18.0</version>");
        assertThat(new OldLangChain4jAnalyzer()
                        .analyze(IllegalConfigurationException.illegalConfiguration("Something else.")))
                .isNull();
    }
}
