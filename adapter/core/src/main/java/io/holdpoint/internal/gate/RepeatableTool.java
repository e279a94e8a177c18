package io.holdpoint.internal.gate;

import dev.langchain4j.service.tool.ToolExecutor;

/** A tool that goes on where it was when it is executed again, so that no person is asked whether it may be. */
public interface RepeatableTool extends ToolExecutor {}
