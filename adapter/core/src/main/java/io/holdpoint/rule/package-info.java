/**
 * Rules have a say in whether a call runs, besides policies and people. Each is asked when the model proposes a call, when a
 * question about it is made and when it is answered, and right before the call is claimed and its body is entered.
 */
@NullMarked
package io.holdpoint.rule;

import org.jspecify.annotations.NullMarked;
