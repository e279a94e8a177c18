/** Tools that are functions of Kotlin, as Kotlin's own reflection knows them. Without Kotlin on the class path, no class of Kotlin is looked for. */
@NullMarked
package io.holdpoint.internal.kotlin;

import org.jspecify.annotations.NullMarked;
