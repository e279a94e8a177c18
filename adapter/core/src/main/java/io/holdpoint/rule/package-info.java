/**
 * Rules have a say in whether a call runs, besides policies and people. Each is asked at three moments: when the model proposes a call, when
 * somebody answers a question about it, and right before its body is entered.
 */
@NullMarked
package io.holdpoint.rule;

import org.jspecify.annotations.NullMarked;
