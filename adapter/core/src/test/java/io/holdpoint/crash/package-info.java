/**
 * Kills processes. {@link io.holdpoint.crash.CrashNode} is a process with an agent that stops at a given point and stays
 * there, for the test to kill it; {@link io.holdpoint.crash.Client} is what a person with a browser would do;
 * {@link io.holdpoint.crash.Story} lets the two talk, with as many processes as it takes; {@link io.holdpoint.crash.Verdict}
 * looks at what is left, from outside.
 */
package io.holdpoint.crash;
