/**
 * The packaged demo server driven from outside: the official AG-UI client in Node, the page in a browser, and a double that
 * speaks OpenAI's wire format. Nothing here may import the server's or the adapter's classes; what is tested is the jar, the
 * wire and what a person sees.
 */
package io.holdpoint.demo.e2e;
