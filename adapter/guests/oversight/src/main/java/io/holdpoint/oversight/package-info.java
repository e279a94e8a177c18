/** Figures of approvals, policies on calls of the past, decisions as examples: all of it reads the audit trail and stores nothing. */
@NullMarked
package io.holdpoint.oversight;

import org.jspecify.annotations.NullMarked;
