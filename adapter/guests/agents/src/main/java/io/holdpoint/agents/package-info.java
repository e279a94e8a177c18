/** Other agents, of this process or behind AG-UI endpoints, as tools of an agent or in the place of its model. */
@NullMarked
package io.holdpoint.agents;

import org.jspecify.annotations.NullMarked;
