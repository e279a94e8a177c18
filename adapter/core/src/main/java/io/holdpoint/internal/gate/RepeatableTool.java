package io.holdpoint.internal.gate;

import dev.langchain4j.service.tool.ToolExecutor;
import io.holdpoint.store.Reversibility;
import java.util.Optional;

/** A tool that goes on where it was when it is executed again, so that no person is asked whether it may be. */
public interface RepeatableTool extends ToolExecutor {

    /** The strictest class of all that it can do, as far as that is known. */
    default Optional<Reversibility> reversibility() {
        return Optional.empty();
    }
}
