/**
 * Finds out what an input means: its limits, the rights of its caller, its answers and its new messages. Called by {@code run},
 * which takes the steps of the plan, and by {@code turn}, which asks for a caller's rights. Inputs come from the
 * transport and the stored thread from the store; the plan goes to {@code run}, and nothing is written here.
 */
@NullMarked
package io.holdpoint.internal.input;

import org.jspecify.annotations.NullMarked;
