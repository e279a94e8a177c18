/** The demo: a Javalin application around one agent, configured by its environment. */
@NullMarked
package io.holdpoint.demo;

import org.jspecify.annotations.NullMarked;
