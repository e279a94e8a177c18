/** The code that README.md shows, between {@code // readme} and {@code // end}, compiled and run. */
package io.holdpoint.readme;
