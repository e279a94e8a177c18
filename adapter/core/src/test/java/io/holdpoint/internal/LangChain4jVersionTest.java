package io.holdpoint.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.testing.Logs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The versions of LangChain4j that the library says it works with. */
class LangChain4jVersionTest {

    private static LangChain4jVersion found(String version) {
        return new LangChain4jVersion("langchain4j", version, "file:/app/lib/langchain4j.jar");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.17.2", "1.16.3", "1.9.0", "0.36.2", "1.16.0-beta26"})
    void anOlderOneIsRefusedWithWhatIsNeededAndWhatWasFound(String version) {
        assertThat(found(version).problem())
                .get()
                .asString()
                .contains(
                        LangChain4jVersion.OLDEST, "langchain4j " + version, "file:/app/lib/langchain4j.jar", "Raise");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.18.0", "1.18.0-SNAPSHOT", "1.19.0", "1.19.7", "1.19"})
    void aSupportedOneIsTaken(String version) {
        assertThat(found(version).problem()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.20.0", "1.24.0", "2.0.0-beta1"})
    @Logs("Holdpoint is tested with langchain4j 1.18.0 to 1.19, but not with *")
    void aNewerOneIsTakenWithAWarningThatNamesIt(String version) {
        assertThat(found(version).problem()).isEmpty();
    }

    @Test
    void theCoreAloneWasTriedInNewerVersions() {
        assertThat(new LangChain4jVersion("langchain4j-core", "1.23.0", "file:/app/lib/langchain4j-core.jar").problem())
                .isEmpty();
    }

    @Test
    void theOneOfTheseTestsIsSupported() {
        LangChain4jVersion.require();
    }
}
