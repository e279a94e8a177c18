/**
 * The kinds of question that a person can be asked about a call: one class for each says how an answer is checked and which next
 * step of the call follows from it. Called by {@code input}, {@code turn}, {@code aiservice} and {@code journal}. Questions and
 * answers come from the store's batches; the texts for the model come from {@code gate}.
 */
@NullMarked
package io.holdpoint.internal.question;

import org.jspecify.annotations.NullMarked;
