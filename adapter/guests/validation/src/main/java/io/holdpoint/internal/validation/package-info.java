/** The constraints of Jakarta Validation on parameters, as a JSON schema. Without that library on the class path, nothing is constrained. */
@NullMarked
package io.holdpoint.internal.validation;

import org.jspecify.annotations.NullMarked;
