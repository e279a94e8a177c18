package io.holdpoint.mcp;

import io.holdpoint.Caller;
import io.holdpoint.agui.SiteGuard;
import io.holdpoint.internal.servlet.BearerTokens;
import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.server.transport.HeaderAccessor;
import io.modelcontextprotocol.server.transport.HttpServletStreamableServerTransportProvider;
import io.modelcontextprotocol.server.transport.ServerTransportSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Admits who may speak MCP over HTTP: no page of another site, and only those with a token if the page's people have some. */
final class HttpDoor {

    /** In the context of a request: the caller who is the person whose assistant it is. */
    static final String PERSON = "person";

    private final GatewayConfig.Page page;
    private final Optional<BearerTokens> people;
    private final SiteGuard guard;

    private HttpDoor(GatewayConfig.Page page) {
        this.page = page;
        people = page.people().isEmpty() ? Optional.empty() : Optional.of(BearerTokens.of(page.people()));
        guard = new SiteGuard(page.people().isEmpty() ? Set.of() : Set.of(SiteGuard.ANY_HOST), "page: { host: %s }");
    }

    static HttpServletStreamableServerTransportProvider servlet(GatewayConfig.Page page) {
        HttpDoor door = new HttpDoor(page);
        return HttpServletStreamableServerTransportProvider.builder()
                .jsonMapper(Results.mapper())
                .mcpEndpoint("/mcp")
                .keepAliveInterval(Duration.ofSeconds(15))
                .httpHeaderValidator(door::check)
                .contextExtractor(request -> door.person(Optional.ofNullable(request.getHeader("Authorization")))
                        .map(person -> McpTransportContext.create(Map.of(PERSON, person)))
                        .orElse(McpTransportContext.EMPTY))
                .build();
    }

    private void check(HeaderAccessor headers) throws ServerTransportSecurityException {
        String host = first(headers, "Host").orElse("");
        Optional<String> refused = guard.refuseHost(host, page.host())
                .or(() -> guard.refuseOrigin(host, first(headers, "Origin"), first(headers, "Sec-Fetch-Site"), false));
        if (refused.isPresent()) {
            throw new ServerTransportSecurityException(403, refused.get());
        }
        if (people.isPresent() && person(first(headers, "Authorization")).isEmpty()) {
            throw new ServerTransportSecurityException(
                    401, "Send the token of one of the page's people: Authorization: Bearer ...");
        }
    }

    private static Optional<String> first(HeaderAccessor headers, String name) {
        List<String> values = headers.getHeader(name);
        return values == null ? Optional.empty() : values.stream().findFirst();
    }

    private Optional<Caller> person(Optional<String> authorization) {
        return people.flatMap(known -> known.caller(authorization));
    }
}
