/**
 * Tells people outside of what the audit trail says: notices, the readers of the feed that hand them to notifiers, and links. Only
 * {@code io.holdpoint.reach} uses it. Data comes from the store, and goes to the application's notifiers; nothing here changes a thread
 * but an answer that is given on a link's page, which core takes like others.
 */
@NullMarked
package io.holdpoint.internal.reach;

import org.jspecify.annotations.NullMarked;
