/** What an agent was built with, and the application's hooks into its runs. */
@NullMarked
package io.holdpoint.internal.agent;

import org.jspecify.annotations.NullMarked;
