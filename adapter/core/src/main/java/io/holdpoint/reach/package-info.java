/** Figures, exports and replays of the audit trail, for operators. */
@NullMarked
package io.holdpoint.reach;

import org.jspecify.annotations.NullMarked;
