/**
 * An audit trail that nobody can change unseen, once it is sealed: entries in a chain of hashes, signed checkpoints, and what verifies
 * both. Whatever is not {@link io.holdpoint.oversight.seal.TrailSeal} needs a JDK and Jackson only, and is the program {@code
 * holdpoint-verify.jar}.
 */
@NullMarked
package io.holdpoint.oversight.seal;

import org.jspecify.annotations.NullMarked;
