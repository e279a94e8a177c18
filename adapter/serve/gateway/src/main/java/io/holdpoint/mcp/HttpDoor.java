package io.holdpoint.mcp;

import io.holdpoint.Caller;
import io.holdpoint.agui.SiteGuard;
import io.holdpoint.internal.servlet.BearerTokens;
import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.modern.server.transport.HttpServletMcpTransport;
import io.modelcontextprotocol.server.transport.HttpServletStreamableServerTransportProvider;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * MCP over HTTP, for clients of either era. Admits who may speak: no page of another site, and only those with a token if the page's people
 * have some.
 */
final class HttpDoor extends HttpServlet {

    private static final long serialVersionUID = 1L;

    /** In the context of a request: the caller who is the person whose assistant it is. */
    private static final String PERSON = "person";

    /** The person who has signed in. */
    static Optional<Caller> person(McpTransportContext context) {
        return Optional.ofNullable(context.get(PERSON)).map(Caller.class::cast);
    }

    private static final Duration ALIVE = Duration.ofSeconds(15);

    /** After which a session goes that nobody uses or listens to, or after twice as long. */
    static final Duration IDLE = Duration.ofHours(1);

    private final transient GatewayConfig.Page page;
    private final transient McpGateway gateway;
    private final Duration idle;
    private final transient Optional<BearerTokens> people;
    private final transient SiteGuard guard;

    /** Of each user: nobody speaks in the session of somebody else, because the answer of a form counts as theirs. */
    private final transient Map<Optional<Caller>, Eras> eras = new ConcurrentHashMap<>();

    private record Eras(HttpServlet sessions, HttpServlet newEra) {}

    HttpDoor(GatewayConfig.Page page, McpGateway gateway, Duration idle) {
        this.page = page;
        this.gateway = gateway;
        this.idle = idle;
        people = page.people().isEmpty() ? Optional.empty() : Optional.of(BearerTokens.of(page.people()));
        guard = new SiteGuard(page.people().isEmpty() ? Set.of() : Set.of(SiteGuard.ANY_HOST), "page: { host: %s }");
    }

    private Eras eras(Optional<Caller> user) {
        McpTransportContext context = user.map(person -> McpTransportContext.create(Map.of(PERSON, person)))
                .orElse(McpTransportContext.EMPTY);
        HttpServletStreamableServerTransportProvider transport = HttpServletStreamableServerTransportProvider.builder()
                .jsonMapper(Results.mapper())
                .mcpEndpoint("/mcp")
                .keepAliveInterval(ALIVE)
                .sessionSweepInterval(idle)
                .contextExtractor(request -> context)
                .build();
        HttpServletMcpTransport newEra = HttpServletMcpTransport.builder(gateway.serve(transport))
                .jsonMapper(Results.mapper())
                .keepAliveInterval(ALIVE)
                .contextExtractor(request -> context)
                .build();
        return new Eras(transport, newEra);
    }

    private static Optional<String> header(HttpServletRequest request, String name) {
        return Optional.ofNullable(request.getHeader(name));
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        String host = header(request, "Host").orElse("");
        Optional<Caller> user = people.flatMap(known -> known.caller(header(request, "Authorization")));
        Optional<String> refused = guard.refuseHost(host, page.host())
                .or(() ->
                        guard.refuseOrigin(host, header(request, "Origin"), header(request, "Sec-Fetch-Site"), false));
        if (refused.isPresent()) {
            refuse(response, 403, refused.get());
        } else if (people.isPresent() && user.isEmpty()) {
            refuse(response, 401, "Send the token of one of the page's people: Authorization: Bearer ...");
        } else { // the new era names the method in a header
            Eras own = eras.computeIfAbsent(user, this::eras);
            (request.getHeader("Mcp-Method") == null ? own.sessions() : own.newEra()).service(request, response);
        }
    }

    private static void refuse(HttpServletResponse response, int status, String why) throws IOException {
        response.setStatus(status);
        response.setContentType("text/plain;charset=UTF-8");
        response.getWriter().print(why);
    }
}
