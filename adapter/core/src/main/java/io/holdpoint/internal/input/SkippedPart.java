package io.holdpoint.internal.input;

/**
 * A part of a user message that the model does not get.
 *
 * @param messageId the message
 * @param index of the part in it
 * @param type of the part, as on the wire
 * @param reason why, for who sent it
 */
public record SkippedPart(String messageId, int index, String type, String reason) {}
