/**
 * JSON schemas: values are checked against them within a bounded number of steps, and they are made of what Jakarta
 * Validation annotations say. Knows neither tools nor runs; uses the protocol's JSON only.
 */
@NullMarked
package io.holdpoint.internal.schema;

import org.jspecify.annotations.NullMarked;
