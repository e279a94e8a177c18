/** What hostile clients send, through Java and over HTTP. */
package io.holdpoint.forged;
