package io.holdpoint.internal.gate;

import dev.langchain4j.service.tool.AiServiceTool;
import dev.langchain4j.service.tool.DefaultToolExecutor;
import java.lang.reflect.Method;
import java.util.Set;

/**
 * Knows what Java's reflection does not tell of a function of another language: which arguments a call may leave out. A module has it, and
 * {@link java.util.ServiceLoader} finds it. Thread-safe.
 */
public interface ToolShape {

    /** The tool with what may be left out in its schema, and with an executor that leaves it to the function; the tool itself if nothing may. */
    AiServiceTool shaped(AiServiceTool tool, DefaultToolExecutor executor, Object object);

    /** The parameters that cannot be null, and whose default runs in place of one. */
    Set<String> neverNull(Method method);
}
