/**
 * The tools of the demo, and the record of what they did.
 *
 * <p>Nothing in here leaves the process: a mail is an entry in {@link io.holdpoint.demo.tools.DemoEffects}, a table is a
 * list in memory. The package knows LangChain4j's tool annotations and nothing of the server.
 */
@NullMarked
package io.holdpoint.demo.tools;

import org.jspecify.annotations.NullMarked;
