package io.holdpoint.mcp;

import io.holdpoint.internal.servlet.CardScript;
import io.modelcontextprotocol.modern.McpSchema;
import io.modelcontextprotocol.modern.server.McpAsyncResponse;
import io.modelcontextprotocol.modern.server.McpRequestContext;
import io.modelcontextprotocol.modern.server.feature.McpAsyncResource;
import io.modelcontextprotocol.modern.server.feature.McpAsyncResourceRepository;
import io.modelcontextprotocol.modern.server.feature.ResourcesPage;
import io.modelcontextprotocol.server.McpServerFeatures.AsyncResourceSpecification;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceResult;
import io.modelcontextprotocol.spec.McpSchema.Resource;
import io.modelcontextprotocol.spec.McpSchema.TextResourceContents;
import java.util.List;
import java.util.Map;
import reactor.core.publisher.Mono;

/**
 * The card as an MCP App (SEP-1865), which assistants show in a frame with a result of {@value McpInbox#SHOW}: one document that loads nothing. It
 * decides nothing; its button is a call of {@value McpInbox#DECIDE}, as the model may make one. Thread-safe.
 *
 * @param decide the tool that asks the user; empty if there is none
 * @param page where people decide else; empty if nobody says
 */
record CardApp(String decide, String page) implements McpAsyncResourceRepository {

    private static final String URI = "ui://holdpoint/card";
    private static final String TYPE = "text/html;profile=mcp-app";

    /** In {@code _meta} of the tool: hosts that know no apps see a tool like others. */
    static final Map<String, Object> OF_TOOL = Map.of("ui", Map.of("resourceUri", URI));

    /** In that of the document, which has a border of its own. It names no domains, so a host lets it reach none. */
    private static final Map<String, Object> OF_DOCUMENT = Map.of("ui", Map.of("prefersBorder", false));

    private static final Resource CARD =
            Resource.builder(URI, "card").mimeType(TYPE).build();

    private ReadResourceResult read() {
        String document = CardScript.app(McpInbox.SHOW, decide, page);
        TextResourceContents contents = new TextResourceContents(URI, TYPE, document, OF_DOCUMENT);
        return ReadResourceResult.builder(List.of(contents)).build();
    }

    /** The resource, for sessions. */
    AsyncResourceSpecification ofSession() {
        return new AsyncResourceSpecification(CARD, (session, request) -> Mono.fromCallable(this::read));
    }

    @Override
    public Mono<ResourcesPage> list(McpRequestContext context, String cursor) {
        return Mono.just(ResourcesPage.of(List.of(NewEra.read(CARD, McpSchema.Resource.class))));
    }

    @Override
    public Mono<McpAsyncResource> find(McpRequestContext context, String uri) {
        return Mono.just(McpAsyncResource.of((asked, request) -> Mono.fromCallable(
                        () -> McpAsyncResponse.result(NewEra.read(read(), McpSchema.ReadResourceResult.class)))))
                .filter(card -> uri.equals(URI));
    }
}
