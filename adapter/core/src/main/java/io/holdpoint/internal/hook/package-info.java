/**
 * The application's hooks around a run: calls them, checks what they do, and turns what they throw into one exception. Knows
 * neither stores nor runs. Imports the root package and {@code io.holdpoint.agui}.
 */
@NullMarked
package io.holdpoint.internal.hook;

import org.jspecify.annotations.NullMarked;
