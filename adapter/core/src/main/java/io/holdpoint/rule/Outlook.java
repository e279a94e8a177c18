package io.holdpoint.rule;

import io.holdpoint.ApprovalVerdict;

/**
 * The prospect of a call that nobody has proposed yet: see {@link Proposal#outlook}. Immutable.
 *
 * @param verdict denied, with the reason; asked about whatever was approved before; or allowed, if it runs unasked or by an approval that is remembered
 * @param toolSha256 the hash of the tool as it is; empty if there is none
 */
public record Outlook(ApprovalVerdict verdict, String toolSha256) {}
