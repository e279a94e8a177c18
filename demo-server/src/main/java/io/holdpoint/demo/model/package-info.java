/**
 * A language model that needs no network: it understands a handful of English requests and proposes the demo's tools for
 * them, so that there is something to try before a real model is configured.
 *
 * <p>Reading of a request: {@link io.holdpoint.demo.model.ScriptedModel} gives it to the script, which reads the last turn,
 * splits it into tasks, and asks each task for its next step. The package knows LangChain4j and nothing of the server or of
 * the tools' classes; tools are known by the names in the request.
 */
@NullMarked
package io.holdpoint.demo.model;

import org.jspecify.annotations.NullMarked;
