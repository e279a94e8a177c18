/**
 * The settings of an agent and the application's hooks into its runs. The builder fills them; every room above may read them,
 * and none writes them. They hold what the application gave, and call it with copies.
 */
@NullMarked
package io.holdpoint.internal.agent;

import org.jspecify.annotations.NullMarked;
