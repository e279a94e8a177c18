/** Agents behind AG-UI endpoints, as tools of an agent. */
@NullMarked
package io.holdpoint.remote;

import org.jspecify.annotations.NullMarked;
