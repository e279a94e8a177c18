package io.holdpoint.internal.servlet;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.Caller;
import io.holdpoint.Decided;
import io.holdpoint.Decision;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RunRejectedException;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.AguiFormatException;
import io.holdpoint.agui.Dialect;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.agui.SiteGuard;
import io.holdpoint.follow.Follow;
import io.holdpoint.follow.QuestionChange;
import io.holdpoint.oversight.Figures;
import io.holdpoint.reach.LinkView;
import io.holdpoint.reach.Reach;
import io.holdpoint.store.Store;
import io.holdpoint.store.StoreException;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The endpoints of agents on the servlet API, for all frameworks that stand on it: each finds the route and identifies the caller,
 * and everything else happens here. Thread-safe.
 *
 * <p>{@code agents} are by their ids, and the one without an id by an empty text. {@code boundTo} is the name at which the server
 * was told to listen, {@code dialect} is that of all streams, by default of each client, {@code pace} that of all callers, and {@code whenGone}
 * hears of clients that are gone before their runs have ended.
 */
public record AgUiEndpoints(
        Map<String, Holdpoint> agents,
        SiteGuard site,
        Optional<String> boundTo,
        Optional<Dialect> dialect,
        Roles roles,
        SseStreams streams,
        Pace pace,
        BiConsumer<Holdpoint, RunAgentInput> whenGone) {

    /** Stands for every role, also for callers that have none. */
    private static final String EVERYBODY = "*";

    /** When a request that could not be answered may come again. */
    private static final String RETRY_SECONDS = "5";

    private static final String TRY_AGAIN =
            "Something that this server needs cannot be reached at the moment. Try again in a few seconds.";

    private static final Logger LOG = LoggerFactory.getLogger(AgUiEndpoints.class);

    private static final CompletableFuture<Void> ANSWERED = CompletableFuture.completedFuture(null);

    public AgUiEndpoints {
        agents = Map.copyOf(agents);
        agents.values().forEach(Follow::of); // which keeps the events of their runs from now on
    }

    /** Roles whose callers may halt the agents, read their figures and propose calls ({@value #EVERYBODY}: every caller, but to halt); empty: nobody. */
    public record Roles(Optional<String> halt, Optional<String> figures, Optional<String> proposals) {

        private static void require(Optional<String> role, Caller caller, String what, String setting) {
            if (role.filter(name -> name.equals(EVERYBODY) || caller.roles().contains(name))
                    .isEmpty()) {
                throw forbidden(what, setting);
            }
        }

        private static Refusal forbidden(String what, String setting) {
            String message =
                    "You may not %s this agent. The server names the role that may: %s(...), or holdpoint.%s with Spring.";
            String property = setting.replace("Role", "-role");
            return new Refusal(ErrorCode.FORBIDDEN, message.formatted(what, setting, property));
        }
    }

    /** The requests that an agent answers. */
    public enum Route {
        RUN(List.of("POST"), ""),
        CANCEL(List.of("POST"), "/cancel"),
        DECISIONS(List.of("POST"), "/decisions"),
        PLANS(List.of("POST"), "/plans"),
        QUESTIONS(List.of("POST"), "/questions"),
        DECIDED(List.of("GET", "HEAD"), "/decided", "before", "limit"),
        PROPOSALS(List.of("POST"), "/proposals"),
        PROPOSAL(List.of("GET", "HEAD"), "/proposals/{id}", "threadId"),
        HISTORY(List.of("POST"), "/history", "follow"),
        INTERRUPTS(List.of("GET", "HEAD"), "/interrupts", "threads", "cursor", "limit"),
        CAPABILITIES(List.of("GET", "HEAD"), "/capabilities"),
        CHANGES(List.of("GET"), "/changes"),
        LINKS(List.of("GET", "HEAD", "POST"), "/links/{link}"),
        CARD(List.of("GET", "HEAD"), "/card.js"),
        HALTED(List.of("GET", "HEAD"), "/halted"),
        HALT(List.of("POST"), "/halt"),
        RELEASE(List.of("POST"), "/release"),
        FIGURES(List.of("GET", "HEAD"), "/figures", "from", "to");

        private final List<String> methods;
        private final String path;
        private final List<String> parameters;

        Route(List<String> methods, String path, String... parameters) {
            this.methods = methods;
            this.path = path;
            this.parameters = List.of(parameters);
        }

        /** Gives the methods; a framework serves {@code HEAD} as it serves {@code GET}. */
        public List<String> methods() {
            return methods;
        }

        /** Gives the path below the agent's own, unless the framework has another one. */
        public String path() {
            return path;
        }
    }

    /**
     * Answers a request. The future is completed when the answer is written or will never be: a stream lasts as long as its run and
     * keeps no thread. Whoever has made the request asynchronous completes it then; a stream makes it so if it is not. An
     * exception of what finds the caller leaves the method, for the framework to answer; one that comes later is answered here.
     */
    public CompletableFuture<Void> answer(Exchange exchange, Route route) {
        Consumer<Refusal> refuse =
                route == Route.LINKS ? refusal -> LinkPage.refuse(exchange, refusal) : json(exchange);
        return refusing(refuse, () -> {
            requireMethod(exchange, route);
            if (route == Route.CARD) {
                CardScript.write(exchange);
                return ANSWERED;
            }
            if (route == Route.LINKS) {
                return link(exchange);
            }
            Caller caller = caller(exchange);
            Holdpoint agent = agent(exchange, caller);
            HttpServletRequest request = exchange.request();
            requireKnown(Optional.ofNullable(request.getQueryString()).orElse(""), route.parameters);
            return available(exchange, () -> switch (route) {
                case RUN -> read(exchange, AgUiEndpoints::input, input -> run(exchange, agent, input));
                case CANCEL -> read(exchange, JsonBody::read, body -> cancel(exchange, agent, body));
                case DECISIONS -> read(exchange, JsonBody::read, body -> decide(exchange, agent, body));
                case PLANS ->
                    read(exchange, JsonBody::read, body -> {
                        pace.take(exchange, caller);
                        return reply(exchange, Attention.plan(agent, body));
                    });
                case QUESTIONS ->
                    read(
                            exchange,
                            JsonBody::read,
                            body -> reply(exchange, Attention.about(agent, body, () -> pace.take(exchange, caller))));
                case DECIDED -> reply(exchange, Attention.decided(request, agent));
                case PROPOSALS -> proposes(exchange, agent, caller);
                case PROPOSAL -> Proposals.read(exchange, agent);
                case HISTORY -> read(exchange, JsonBody::read, body -> history(exchange, agent, body));
                case INTERRUPTS -> reply(exchange, InboxPage.read(request, agent));
                case CAPABILITIES -> reply(exchange, AguiCodec.write(agent.capabilities()));
                case CHANGES -> changes(exchange, agent);
                case CARD, LINKS -> throw new IllegalStateException("served before");
                case HALTED -> reply(exchange, halted(agent, caller));
                case HALT -> halts(exchange, agent, caller, agent::halt);
                case RELEASE -> halts(exchange, agent, caller, agent::release);
                case FIGURES -> reply(exchange, figures(agent, caller, request));
            });
        });
    }

    /** Refuses where the store is away, or the application cannot look up what it is asked for, such as a person. */
    private static CompletableFuture<Void> available(Exchange exchange, Supplier<CompletableFuture<Void>> answer) {
        try {
            return answer.get();
        } catch (RunRejectedException | Refusal e) {
            throw e;
        } catch (RuntimeException e) {
            HttpServletRequest request = exchange.request();
            if (e instanceof StoreException) {
                LOG.warn("{} {} cannot be answered: {}", request.getMethod(), path(request), e.toString());
            } else {
                LOG.warn("{} {} cannot be answered", request.getMethod(), path(request), e);
            }
            throw unavailable(exchange);
        }
    }

    /** The path without what follows the route: a link is a secret. */
    private static String path(HttpServletRequest request) {
        return request.getRequestURI().replaceFirst("/links/.*", "/links/...").replaceAll("\\p{Cntrl}", "");
    }

    private static Refusal unavailable(Exchange exchange) {
        exchange.response().setHeader("Retry-After", RETRY_SECONDS);
        return new Refusal(ErrorCode.SERVER_UNAVAILABLE, TRY_AGAIN);
    }

    private static CompletableFuture<Void> refusing(
            Consumer<Refusal> refuse, Supplier<CompletableFuture<Void>> answer) {
        try {
            return answer.get();
        } catch (RunRejectedException e) {
            refuse.accept(new Refusal(e.code(), String.valueOf(e.getMessage())));
        } catch (Refusal e) {
            refuse.accept(e);
        }
        return ANSWERED;
    }

    private static Consumer<Refusal> json(Exchange exchange) {
        return refusal -> exchange.reply(refusal.status(), refusal.json());
    }

    private static CompletableFuture<Void> reply(Exchange exchange, String json) {
        exchange.reply(200, json);
        return ANSWERED;
    }

    private static void requireMethod(Exchange exchange, Route route) {
        if (!route.methods.contains(exchange.request().getMethod())) {
            String allowed = String.join(", ", route.methods);
            exchange.response().setHeader("Allow", allowed);
            throw Refusal.wrongMethod(allowed);
        }
    }

    /** A parameter that is misspelt or repeated would be ignored, and the answer would be another one than was asked for. */
    private static void requireKnown(String query, List<String> parameters) {
        Set<String> seen = new HashSet<>();
        for (String pair : query.split("&")) {
            String name = pair.split("=", 2)[0];
            if (!name.isEmpty() && !parameters.contains(name)) {
                String known = parameters.isEmpty() ? "none" : String.join(", ", parameters);
                throw new Refusal(
                        ErrorCode.INPUT_INVALID,
                        name + ": there is no such query parameter. This path knows: " + known + ".");
            }
            if (!name.isEmpty() && !seen.add(name)) {
                throw new Refusal(ErrorCode.INPUT_INVALID, name + ": the query has it twice. Send it once.");
            }
            if (!isReadable(pair)) {
                throw new Refusal(ErrorCode.INPUT_INVALID, name + ": cannot be decoded. Encode it as UTF-8.");
            }
        }
    }

    /** One container throws for others, and another leaves them out. */
    private static boolean isReadable(String encoded) {
        try {
            return !URLDecoder.decode(encoded, StandardCharsets.UTF_8).contains("\ufffd");
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private Caller caller(Exchange exchange) {
        Optional<Caller> caller = exchange.caller();
        requireSite(
                exchange, caller.filter(each -> !each.equals(Caller.ANONYMOUS)).isEmpty());
        return caller.orElseThrow(() -> new Refusal(
                ErrorCode.UNAUTHENTICATED, "Authentication required. Send credentials that this server accepts."));
    }

    /** Finds the agent, bound to the caller. The caller comes first: a stranger does not learn which agents there are. */
    private Holdpoint agent(Exchange exchange, Caller known) {
        return Optional.ofNullable(agents.get(exchange.agentId()))
                .map(agent -> as(agent, known))
                .orElseThrow(() -> new Refusal(ErrorCode.AGENT_NOT_FOUND, "This server has no agent with this id."));
    }

    /** Binds an agent to a caller, and refuses names of the library's own, whatever an authenticator says. */
    private static Holdpoint as(Holdpoint agent, Caller known) {
        try {
            return agent.as(known);
        } catch (IllegalArgumentException e) {
            throw new Refusal(ErrorCode.FORBIDDEN, String.valueOf(e.getMessage()));
        }
    }

    /** Refuses pages of other sites, and names that are not the server's where callers need not authenticate. */
    private void requireSite(Exchange exchange, boolean checksHost) {
        HttpServletRequest request = exchange.request();
        String host = Optional.ofNullable(request.getHeader("Host")).orElseGet(request::getServerName);
        String address = request.getLocalAddr();
        Optional<String> why = checksHost ? site.refuseHost(host, address, boundTo.orElse(address)) : Optional.empty();
        why.or(() -> site.refuseOrigin(
                        host,
                        Optional.ofNullable(request.getHeader("Origin")),
                        Optional.ofNullable(request.getHeader("Sec-Fetch-Site")),
                        exchange.response().containsHeader("Access-Control-Allow-Origin")))
                .ifPresent(refused -> {
                    throw new Refusal(ErrorCode.SITE_REFUSED, refused);
                });
    }

    private static <T> CompletableFuture<Void> read(
            Exchange exchange, Function<byte[], T> reader, Function<T, CompletableFuture<Void>> answer) {
        requireJson(exchange.request().getHeader("Content-Type")); // a server may refuse to read an unknown charset
        return arrived(exchange, exchange.body(reader), json(exchange), answer);
    }

    private static <T> CompletableFuture<Void> arrived(
            Exchange exchange,
            CompletableFuture<T> read,
            Consumer<Refusal> refuse,
            Function<T, CompletableFuture<Void>> answer) {
        if (read.isDone()) {
            return answer.apply(value(read));
        }
        return read.handle((body, failure) -> read)
                .thenCompose(
                        arrived -> refusing(refuse, () -> available(exchange, () -> answer.apply(value(arrived)))));
    }

    private static <T> T value(CompletableFuture<T> arrived) {
        try {
            return arrived.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof Refusal refusal ? refusal : e;
        }
    }

    /** Refuses forms and texts, which a page of another site can send without a preflight request. */
    private static void requireJson(@Nullable String contentType) {
        String type = contentType == null ? "" : contentType;
        if (!type.split(";", 2)[0].strip().equalsIgnoreCase("application/json")) {
            throw new Refusal(
                    ErrorCode.MEDIA_TYPE_UNSUPPORTED,
                    "The body must be JSON. Send the header Content-Type: application/json.");
        }
    }

    private static RunAgentInput input(byte[] body) {
        try {
            return AguiCodec.readRunAgentInput(body);
        } catch (AguiFormatException e) {
            throw new Refusal(ErrorCode.INPUT_INVALID, String.valueOf(e.getMessage()));
        }
    }

    private Dialect spoken(@Nullable String protocolVersion) {
        return dialect.orElseGet(() -> Dialect.of(protocolVersion));
    }

    /** The run works on the agent's executor and writes from there. */
    private CompletableFuture<Void> run(Exchange exchange, Holdpoint agent, RunAgentInput sent) {
        Dialect spoken = spoken(sent.protocolVersion());
        RunAgentInput input = spoken.spokenIn(sent);
        return stream(exchange, spoken, sink -> agent.run(input, sink), () -> whenGone.accept(agent, input));
    }

    /**
     * Stops the thread's run, or cancels what is held, and answers as soon as the run has been told. Other fields of the body are
     * ignored, so that a client may send the input of the run.
     */
    private static CompletableFuture<Void> cancel(Exchange exchange, Holdpoint agent, JsonBody body) {
        if (!agent.cancel(body.text("threadId"))) {
            throw new Refusal(ErrorCode.NOTHING_TO_CANCEL, "The thread has no active run and no held call.");
        }
        return reply(exchange, "{\"cancelled\":true}");
    }

    /** Takes an answer to one interrupt, or a list of answers. Other fields of the body are ignored. */
    private static CompletableFuture<Void> decide(Exchange exchange, Holdpoint agent, JsonBody body) {
        if (body.fields().has("decisions")) {
            exchange.reply(202, decideAll(agent, body.decisions()).toString());
            return ANSWERED;
        }
        Decided decided = agent.decide(body.threadId(), body.answer());
        if (decided instanceof Decided.Refused refused) {
            if (refused.code() == ErrorCode.RUN_FAILED) { // the answer was not stored
                throw unavailable(exchange);
            }
            throw new Refusal(refused.code(), refused.message());
        }
        exchange.reply(202, json(decided).toString());
        return ANSWERED;
    }

    private static ObjectNode decideAll(Holdpoint agent, List<Decision> decisions) {
        List<Decided> decided;
        try {
            decided = agent.decide(decisions);
        } catch (IllegalArgumentException e) {
            throw new Refusal(ErrorCode.INPUT_INVALID, "decisions: " + e.getMessage());
        }
        ObjectNode answer = AguiCodec.mapper().createObjectNode();
        ArrayNode all = answer.putArray("decisions");
        for (int i = 0; i < decided.size(); i++) {
            all.addObject()
                    .put("threadId", decisions.get(i).threadId())
                    .put("interruptId", decisions.get(i).answer().interruptId())
                    .setAll(json(decided.get(i)));
        }
        return answer;
    }

    private static ObjectNode json(Decided decided) {
        ObjectNode answer = AguiCodec.mapper().createObjectNode();
        if (decided instanceof Decided.Runs runs) {
            return answer.put("status", "runs").put("runId", runs.runId());
        }
        if (decided instanceof Decided.Refused refused) {
            boolean isKnown = refused.code() != ErrorCode.RUN_FAILED;
            ErrorCode code = isKnown ? refused.code() : ErrorCode.SERVER_UNAVAILABLE; // as for one
            return answer.put("status", "refused")
                    .put("code", code.name())
                    .put("message", isKnown ? refused.message() : TRY_AGAIN);
        }
        ArrayNode open = answer.put("status", "waits").putArray("interrupts");
        ((Decided.Waits) decided).open().forEach(each -> open.add(AguiCodec.toTree(each.interrupt())));
        return answer;
    }

    /**
     * Opens a link, or takes what was pressed on its page. Whoever comes with a link need not sign in: it says for whom it is, and does
     * not learn which agents there are. A page of another site does not know the link.
     */
    private CompletableFuture<Void> link(Exchange exchange) {
        Caller reader = exchange.caller().orElse(Caller.ANONYMOUS);
        return available(exchange, () -> link(exchange, reader));
    }

    private CompletableFuture<Void> link(Exchange exchange, Caller reader) {
        HttpServletRequest request = exchange.request();
        Optional<Holdpoint> known = Optional.ofNullable(agents.get(exchange.agentId()));
        if (known.isEmpty()) {
            return show(exchange, LinkView.invalid());
        }
        Holdpoint agent = as(known.get(), reader);
        String token = request.getRequestURI().substring(request.getRequestURI().lastIndexOf('/') + 1);
        LinkView opened = Reach.of(agent).openLink(token);
        Optional<PendingInterrupt.Approval> question = LinkPage.approval(opened);
        if (!request.getMethod().equals("POST") || question.isEmpty()) {
            return show(exchange, opened);
        }
        if (!reader.equals(Caller.ANONYMOUS) && !"same-origin".equals(request.getHeader("Sec-Fetch-Site"))) {
            requireSite(exchange, false);
        }
        LinkPage.requireForm(request);
        return arrived(
                exchange,
                exchange.body(body -> LinkPage.answer(question.get(), body, request)),
                refusal -> LinkPage.refuse(exchange, refusal),
                answer -> show(exchange, Reach.of(agent).pressLink(token, answer)));
    }

    private static CompletableFuture<Void> show(Exchange exchange, LinkView view) {
        LinkPage.write(exchange, view);
        return ANSWERED;
    }

    /** Halts or releases the agent, and answers with what is so afterwards. A stranger does not learn more than that by the body. */
    private CompletableFuture<Void> halts(Exchange exchange, Holdpoint agent, Caller caller, Consumer<String> change) {
        if (!mayHalt(caller)) {
            throw Roles.forbidden("halt or release", "haltRole");
        }
        return read(exchange, JsonBody::read, body -> {
            try {
                change.accept(body.text("reason"));
            } catch (IllegalArgumentException e) {
                throw new Refusal(ErrorCode.INPUT_INVALID, String.valueOf(e.getMessage()));
            }
            return reply(exchange, halted(agent, caller));
        });
    }

    /** Proposes a call, which runs at once if it needs nobody: more than whoever talks to a model may do. */
    private CompletableFuture<Void> proposes(Exchange exchange, Holdpoint agent, Caller caller) {
        Roles.require(roles.proposals(), caller, "propose calls to", "proposalRole");
        return read(exchange, JsonBody::read, body -> Proposals.propose(exchange, agent, body));
    }

    private boolean mayHalt(Caller caller) {
        return roles.halt().filter(caller.roles()::contains).isPresent();
    }

    private String halted(Holdpoint agent, Caller caller) {
        Optional<Store.Halt> halt = agent.halted();
        ObjectNode answer = AguiCodec.mapper().createObjectNode().put("halted", halt.isPresent());
        halt.ifPresent(present -> answer.put("agent", present.agent())
                .put("since", present.since().toString())
                .put("reason", present.reason()));
        return answer.put("mayHalt", mayHalt(caller)).toString();
    }

    private String figures(Holdpoint agent, Caller caller, HttpServletRequest query) {
        Roles.require(roles.figures(), caller, "read the figures of", "figuresRole");
        try {
            return AguiCodec.write(Figures.of(agent, instant(query, "from"), instant(query, "to"))
                    .toJson());
        } catch (IllegalArgumentException | DateTimeException e) {
            throw new Refusal(ErrorCode.INPUT_INVALID, String.valueOf(e.getMessage()));
        }
    }

    /** A date is the beginning of its day in UTC. */
    private static Instant instant(HttpServletRequest query, String name) {
        String text = Optional.ofNullable(query.getParameter(name)).orElse("");
        try {
            return text.contains("T")
                    ? Instant.parse(text)
                    : LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant();
        } catch (DateTimeException e) {
            throw new Refusal(
                    ErrorCode.INPUT_INVALID,
                    name + ": must be a date such as 2026-11-01 or an instant such as 2026-11-01T12:00:00Z, but is \""
                            + text + "\"");
        }
    }

    /** Reads three fields of the body and ignores the others, so that a client may send a whole {@code RunAgentInput}. */
    private CompletableFuture<Void> history(Exchange exchange, Holdpoint agent, JsonBody body) {
        String threadId = body.text("threadId");
        String runId = body.text("runId");
        Follow follow = Follow.of(agent);
        boolean follows = follows(exchange.request().getParameter("follow"));
        return stream(
                exchange,
                spoken(body.protocolVersion()),
                sink -> follows ? follow.follow(threadId, runId, sink) : follow.history(threadId, runId, sink),
                () -> {}); // there is no run to stop when a reader goes
    }

    private static boolean follows(@Nullable String follow) {
        return switch (Optional.ofNullable(follow).orElse("false")) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new Refusal(ErrorCode.INPUT_INVALID, "follow: must be true or false");
        };
    }

    /** Tells of the questions that the caller may see, as long as the caller reads. A client that comes again says where it was. */
    private CompletableFuture<Void> changes(Exchange exchange, Holdpoint agent) {
        Optional<Long> after = Optional.ofNullable(exchange.request().getHeader("Last-Event-ID"))
                .map(AgUiEndpoints::position);
        CompletableFuture<Void> gone = new CompletableFuture<>();
        Function<SseStream, CompletableFuture<?>> source = stream -> {
            CompletableFuture<Void> open = Follow.of(agent).changes(after, change -> stream.send(frame(change)));
            gone.thenRun(() -> open.complete(null));
            return open;
        };
        return stream(exchange, Dialect.V1_0, source, () -> gone.complete(null));
    }

    private static long position(String lastEventId) {
        try {
            return Long.parseLong(lastEventId);
        } catch (NumberFormatException e) {
            throw new Refusal(
                    ErrorCode.INPUT_INVALID, "Last-Event-ID: must be the id of an earlier line of this stream");
        }
    }

    private static byte[] frame(QuestionChange change) {
        ObjectNode json =
                AguiCodec.mapper().createObjectNode().put("kind", change.kind().name());
        change.threadId().ifPresent(id -> json.put("threadId", id));
        change.interruptId().ifPresent(id -> json.put("interruptId", id));
        change.by().ifPresent(id -> json.put("by", id));
        return ("id: " + change.position() + "\ndata: " + json + "\n\n").getBytes(StandardCharsets.UTF_8);
    }

    private CompletableFuture<Void> stream(
            Exchange exchange, Dialect spoken, Function<SseStream, CompletableFuture<?>> source, Runnable gone) {
        HttpServletRequest request = exchange.request();
        AsyncContext async =
                request.isAsyncStarted() ? request.getAsyncContext() : request.startAsync(request, exchange.response());
        return streams.start(async, spoken, source, gone);
    }
}
