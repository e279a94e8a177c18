package io.holdpoint.policy;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.AsksUser;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.testing.Logs;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Questions whose compiler has left the names of parameters out. */
@Logs("Parameter 'arg0' of tool method")
class QuestionNamesTest {

    @TempDir
    Path folder;

    @Test
    void areRefused() throws Exception {
        ParameterNamesTest.compile(folder);
        HoldpointBuilder<?> agent = ParameterNamesTest.agent().questions(ParameterNamesTest.compiled(folder, "Asking"));

        assertThatThrownBy(agent::build).hasMessageContaining("Tools$Asking.sure()");
    }

    /** Compiled with names. */
    interface Real {

        @Tool
        @AsksUser
        boolean sure(String arg0);
    }

    @Test
    void aParameterThatIsReallyCalledSoIsOne() {
        ParameterNamesTest.agent().questions(Real.class).build();
    }
}
