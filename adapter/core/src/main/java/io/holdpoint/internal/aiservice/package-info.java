/** LangChain4j inside our decorators: one AI Service per run, whose model, memory and tools obey the gate. */
@NullMarked
package io.holdpoint.internal.aiservice;

import org.jspecify.annotations.NullMarked;
