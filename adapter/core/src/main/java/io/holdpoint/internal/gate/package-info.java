/**
 * The verdict on each call, given before anything of a batch runs: it may run, a person must be asked, or it is refused. Called
 * by the turn and by the decorators of tools; touches no store, no model and no stream. Calls come from the model's message,
 * policies from annotations and the builder; questions and the sentences for the model go out.
 */
@NullMarked
package io.holdpoint.internal.gate;

import org.jspecify.annotations.NullMarked;
