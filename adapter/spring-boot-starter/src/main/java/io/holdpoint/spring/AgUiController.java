package io.holdpoint.spring;

import io.holdpoint.Caller;
import io.holdpoint.ErrorCode;
import io.holdpoint.EventSink;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunRejectedException;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.AguiFormatException;
import io.holdpoint.agui.Dialect;
import io.holdpoint.agui.LongInput;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.agui.SiteGuard;
import io.holdpoint.internal.servlet.ArrivingBytes;
import io.holdpoint.internal.servlet.InboxPage;
import io.holdpoint.internal.servlet.JsonBody;
import io.holdpoint.internal.servlet.Refusal;
import io.holdpoint.internal.servlet.SseStreams;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;

/**
 * The endpoints of all agents. A stream keeps no thread of the server: the thread that has an event writes it, without waiting.
 * Thread-safe.
 */
@Controller
final class AgUiController {

    private static final Logger LOG = LoggerFactory.getLogger(AgUiController.class);

    private static final int BLOCK_BYTES = 8_192;
    private static final String ONE = "${holdpoint.path:/agent}";
    private static final String NAMED = "${holdpoint.agents-path:/agents}/{agentId}";

    private final Optional<Holdpoint> unnamed;
    private final Map<String, Holdpoint> named;
    private final CallerResolver callers;
    private final HoldpointProperties properties;
    private final SiteGuard site;
    private final SseStreams streams;
    private final ArrivingBytes arriving;

    AgUiController(
            Optional<Holdpoint> unnamed,
            Map<String, Holdpoint> named,
            CallerResolver callers,
            HoldpointProperties properties,
            SseStreams streams) {
        this.unnamed = unnamed;
        this.named = named;
        this.callers = callers;
        this.properties = properties;
        this.site = new SiteGuard(properties.hosts(), "holdpoint.hosts=%s");
        this.streams = streams;
        this.arriving = new ArrivingBytes(properties.maxBodyBytes());
    }

    /** A route that may refuse its request; the agent is bound to the caller. */
    @FunctionalInterface
    private interface Route {
        void answer(Holdpoint agent) throws Refusal, IOException;
    }

    @PostMapping({ONE, NAMED})
    void run(
            HttpServletRequest request,
            HttpServletResponse response,
            @Nullable @PathVariable(name = "agentId", required = false) String agentId)
            throws IOException {
        answer(request, response, agentId, agent -> {
            RunAgentInput sent = input(request, agent);
            Dialect spoken = spoken(sent.protocolVersion());
            RunAgentInput input = spoken.spokenIn(sent);
            Runnable whenGone =
                    properties.cancelOnDisconnect() ? () -> agent.cancel(input.threadId(), input.runId()) : () -> {};
            stream(request, response, spoken, sink -> agent.run(input, sink), whenGone);
        });
    }

    @PostMapping({ONE + "/cancel", NAMED + "/cancel"})
    void cancel(
            HttpServletRequest request,
            HttpServletResponse response,
            @Nullable @PathVariable(name = "agentId", required = false) String agentId)
            throws IOException {
        answer(request, response, agentId, agent -> {
            if (!agent.cancel(object(request).text("threadId"))) {
                throw Refusal.nothingToCancel();
            }
            write(response, 200, "{\"cancelled\":true}");
        });
    }

    @PostMapping({ONE + "/history", NAMED + "/history"})
    void history(
            HttpServletRequest request,
            HttpServletResponse response,
            @Nullable @PathVariable(name = "agentId", required = false) String agentId)
            throws IOException {
        answer(request, response, agentId, agent -> {
            JsonBody read = object(request);
            String threadId = read.text("threadId");
            String runId = read.text("runId");
            Dialect spoken = spoken(read.protocolVersion());
            boolean follows = "true".equals(request.getParameter("follow"));
            stream(
                    request,
                    response,
                    spoken,
                    sink -> follows ? agent.follow(threadId, runId, sink) : agent.history(threadId, runId, sink),
                    () -> {});
        });
    }

    @GetMapping({ONE + "/interrupts", NAMED + "/interrupts"})
    void interrupts(
            HttpServletRequest request,
            HttpServletResponse response,
            @Nullable @PathVariable(name = "agentId", required = false) String agentId)
            throws IOException {
        answer(request, response, agentId, agent -> write(response, 200, InboxPage.read(request::getParameter, agent)));
    }

    @GetMapping({ONE + "/capabilities", NAMED + "/capabilities"})
    void capabilities(
            HttpServletRequest request,
            HttpServletResponse response,
            @Nullable @PathVariable(name = "agentId", required = false) String agentId)
            throws IOException {
        answer(request, response, agentId, agent -> write(response, 200, AguiCodec.write(agent.capabilities())));
    }

    @RequestMapping({ONE, NAMED, ONE + "/cancel", NAMED + "/cancel", ONE + "/history", NAMED + "/history"})
    void onlyPost(HttpServletResponse response) throws IOException {
        wrongMethod(response, "POST");
    }

    @RequestMapping({ONE + "/interrupts", NAMED + "/interrupts", ONE + "/capabilities", NAMED + "/capabilities"})
    void onlyGet(HttpServletResponse response) throws IOException {
        wrongMethod(response, "GET, HEAD");
    }

    private static void wrongMethod(HttpServletResponse response, String allowed) throws IOException {
        response.setHeader(HttpHeaders.ALLOW, allowed);
        refuse(response, Refusal.wrongMethod(allowed));
    }

    /** Finds the agent. The caller comes first: a stranger does not learn which agents there are. */
    private void answer(HttpServletRequest request, HttpServletResponse response, @Nullable String agentId, Route route)
            throws IOException {
        try {
            Optional<Caller> caller = callers.resolve(request);
            requireSite(
                    request,
                    response,
                    caller.filter(each -> !each.equals(Caller.ANONYMOUS)).isPresent());
            Optional<Holdpoint> agent = agentId == null ? unnamed : Optional.ofNullable(named.get(agentId));
            route.answer(agent.orElseThrow(Refusal::agentNotFound).as(caller.orElseThrow(Refusal::unauthenticated)));
        } catch (RunRejectedException e) {
            refuse(response, Refusal.of(e));
        } catch (Refusal e) {
            refuse(response, e);
        }
    }

    /** Refuses pages of other sites, and names that are not the server's where callers need not authenticate. */
    private void requireSite(HttpServletRequest request, HttpServletResponse response, boolean known) throws Refusal {
        String host = Optional.ofNullable(request.getHeader(HttpHeaders.HOST)).orElseGet(request::getServerName);
        Optional<String> why = known ? Optional.empty() : site.refuseHost(host, request.getLocalAddr());
        if (why.isEmpty()) {
            why = site.refuseOrigin(
                    host,
                    Optional.ofNullable(request.getHeader(HttpHeaders.ORIGIN)),
                    Optional.ofNullable(request.getHeader("Sec-Fetch-Site")),
                    response.containsHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN));
        }
        if (why.isPresent()) {
            throw new Refusal(ErrorCode.SITE_REFUSED, why.get());
        }
    }

    private Dialect spoken(@Nullable String protocolVersion) {
        Dialect forced = properties.dialect();
        return forced == null ? Dialect.of(protocolVersion) : forced;
    }

    /** Gives the request's thread back at once: the run works on the agent's executor and writes from there. */
    private void stream(
            HttpServletRequest request,
            HttpServletResponse response,
            Dialect spoken,
            Function<EventSink, CompletableFuture<?>> source,
            Runnable whenGone)
            throws IOException {
        AsyncContext async = request.startAsync(request, response);
        try {
            streams.start(async, spoken, source, whenGone).whenComplete((over, failure) -> async.complete());
        } catch (RunRejectedException e) {
            refuse(response, Refusal.of(e));
            async.complete();
        }
    }

    private RunAgentInput input(HttpServletRequest request, Holdpoint agent) throws Refusal, IOException {
        byte[] beginning = body(request);
        try {
            if (beginning.length <= properties.maxBodyBytes()) {
                return AguiCodec.readRunAgentInput(beginning);
            }
            InputStream all = new SequenceInputStream(new ByteArrayInputStream(beginning), request.getInputStream());
            LongInput read = LongInput.read(
                    all, properties.maxBodyBytes(), agent.limits().messages());
            if (read.anyKnown(ids -> agent.knowsAny(read.input().threadId(), ids))) {
                return read.input();
            }
        } catch (LongInput.TooLongException e) {
            LOG.debug("A body is too long", e);
        } catch (AguiFormatException e) {
            throw new Refusal(ErrorCode.INPUT_INVALID, String.valueOf(e.getMessage()));
        }
        throw Refusal.tooLarge(properties.maxBodyBytes());
    }

    private JsonBody object(HttpServletRequest request) throws Refusal, IOException {
        byte[] json = body(request);
        if (json.length > properties.maxBodyBytes()) {
            throw Refusal.tooLarge(properties.maxBodyBytes());
        }
        return JsonBody.read(json);
    }

    /** Reads one byte more than is kept, if there is one. */
    private byte[] body(HttpServletRequest request) throws Refusal, IOException {
        JsonBody.require(request.getContentType());
        ArrivingBytes.Body counted = arriving.begin();
        try {
            InputStream in = request.getInputStream();
            ByteArrayOutputStream kept = new ByteArrayOutputStream();
            byte[] block = new byte[BLOCK_BYTES];
            int most = properties.maxBodyBytes() + 1;
            for (int count = 0; count >= 0 && kept.size() < most; ) {
                counted.add(count);
                kept.write(block, 0, count);
                count = in.read(block, 0, Math.min(block.length, most - kept.size()));
            }
            return kept.toByteArray();
        } finally {
            counted.release();
        }
    }

    private static void refuse(HttpServletResponse response, Refusal refusal) throws IOException {
        write(response, refusal.status(), refusal.json());
    }

    private static void write(HttpServletResponse response, int status, String json) throws IOException {
        response.setStatus(status);
        response.setContentType(MediaType.APPLICATION_JSON_VALUE);
        response.getOutputStream().write(json.getBytes(StandardCharsets.UTF_8));
    }
}
