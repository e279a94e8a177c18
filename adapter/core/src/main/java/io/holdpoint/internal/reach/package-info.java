/**
 * Tells people outside of what the audit trail says: notices, and the readers of the feed that hand them to notifiers. Only
 * {@code io.holdpoint.internal.run} and the public entry points call it. Data comes from the store, and goes to the application's
 * notifiers; nothing here changes a thread.
 */
@NullMarked
package io.holdpoint.internal.reach;

import org.jspecify.annotations.NullMarked;
