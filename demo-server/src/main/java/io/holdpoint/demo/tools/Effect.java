package io.holdpoint.demo.tools;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;

/**
 * One thing that a demo tool did.
 *
 * @param tool the tool's name
 * @param args the arguments that the tool ran with, an object
 * @param toolCallId the tool call that it answers; empty if the caller did not say
 * @param at when the tool ran
 */
public record Effect(String tool, JsonNode args, String toolCallId, Instant at) {}
