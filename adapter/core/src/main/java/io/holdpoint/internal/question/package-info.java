/**
 * The kinds of question that a person can be asked about a call: what an answer must look like, and what it means. Each
 * kind is one class, found by the {@code reason} of its interrupt. Imports {@code internal.gate}, the store and the protocol.
 */
@NullMarked
package io.holdpoint.internal.question;

import org.jspecify.annotations.NullMarked;
