/** Says what happens on a run's stream: AG-UI events, the shared state and the text of the model. */
@NullMarked
package io.holdpoint.internal.events;

import org.jspecify.annotations.NullMarked;
