/**
 * For the tests of applications: {@link io.holdpoint.test.TestAgent} runs an agent with a scripted model, a clock that the test
 * moves and a database that outlives a restart, and states what the story was.
 */
@NullMarked
package io.holdpoint.test;

import org.jspecify.annotations.NullMarked;
