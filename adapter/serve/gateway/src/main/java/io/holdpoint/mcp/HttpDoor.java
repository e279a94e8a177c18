package io.holdpoint.mcp;

import io.holdpoint.agui.SiteGuard;
import io.holdpoint.mcp.GatewayConfig.Person;
import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.server.transport.HeaderAccessor;
import io.modelcontextprotocol.server.transport.HttpServletStreamableServerTransportProvider;
import io.modelcontextprotocol.server.transport.ServerTransportSecurityException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Admits who may speak MCP over HTTP: no page of another site, and only those with a token if the page's people have some. */
final class HttpDoor {

    /** In the context of a request: the caller who is the person whose assistant it is. */
    static final String PERSON = "person";

    private static final String BEARER = "Bearer ";

    private final GatewayConfig.Page page;
    private final SiteGuard guard;

    private HttpDoor(GatewayConfig.Page page) {
        this.page = page;
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
                        .map(person -> McpTransportContext.create(Map.of(PERSON, person.caller())))
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
        if (!page.people().isEmpty() && person(first(headers, "Authorization")).isEmpty()) {
            throw new ServerTransportSecurityException(
                    401, "Send the token of one of the page's people: Authorization: Bearer ...");
        }
    }

    private static Optional<String> first(HeaderAccessor headers, String name) {
        List<String> values = headers.getHeader(name);
        return values == null ? Optional.empty() : values.stream().findFirst();
    }

    /** Compares all tokens, so that the time it takes does not depend on the token. */
    private Optional<Person> person(Optional<String> authorization) {
        byte[] given = authorization
                .filter(header -> header.regionMatches(true, 0, BEARER, 0, BEARER.length()))
                .map(header -> header.substring(BEARER.length()).strip())
                .orElse("")
                .getBytes(StandardCharsets.UTF_8);
        Optional<Person> found = Optional.empty();
        for (Map.Entry<String, Person> each : page.people().entrySet()) {
            if (MessageDigest.isEqual(each.getKey().getBytes(StandardCharsets.UTF_8), given)) {
                found = Optional.of(each.getValue());
            }
        }
        return found;
    }
}
