/**
 * The decision, before anything of a batch runs, which calls may run, which must be asked for, which are refused. Pure:
 * nothing here touches a store, a model or a stream.
 */
@NullMarked
package io.holdpoint.internal.gate;

import org.jspecify.annotations.NullMarked;
