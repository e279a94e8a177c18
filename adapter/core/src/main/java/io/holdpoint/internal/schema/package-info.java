/**
 * JSON Schema: checks of values within a bounded number of steps, and the constraints of arguments that a module reads. Called by
 * the gate, for arguments and parameters, and by whoever reads an answer; knows neither tools nor runs. Schemas come from
 * annotations and from stored questions, values from models and clients; violations go back as texts.
 */
@NullMarked
package io.holdpoint.internal.schema;

import org.jspecify.annotations.NullMarked;
