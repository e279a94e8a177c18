/** The only writer: state, batch and audit in one commit; listeners and observers hear of it afterwards. */
@NullMarked
package io.holdpoint.internal.journal;

import org.jspecify.annotations.NullMarked;
