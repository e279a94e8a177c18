package io.holdpoint.spring;

import io.holdpoint.Caller;
import io.holdpoint.internal.servlet.AgUiEndpoints;
import io.holdpoint.internal.servlet.AgUiEndpoints.Route;
import io.holdpoint.internal.servlet.Exchange;
import io.holdpoint.internal.servlet.RequestBodies;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.servlet.HandlerMapping;

/** The endpoints of all agents. They check the methods of requests themselves, so that the answer to a wrong one is theirs. Thread-safe. */
@Controller
final class AgUiController {

    private static final Logger LOG = LoggerFactory.getLogger(AgUiController.class);
    private static final String ONE = "${holdpoint.path:/agent}";
    private static final String NAMED = "${holdpoint.agents-path:/agents}/{agentId}";

    private final AgUiEndpoints endpoints;
    private final CallerResolver callers;
    private final RequestBodies bodies;

    AgUiController(AgUiEndpoints endpoints, CallerResolver callers, RequestBodies bodies) {
        this.endpoints = endpoints;
        this.callers = callers;
        this.bodies = bodies;
    }

    @RequestMapping({ONE, NAMED})
    void run(HttpServletRequest request, HttpServletResponse response) {
        answer(request, response, Route.RUN);
    }

    @RequestMapping({ONE + "/cancel", NAMED + "/cancel"})
    void cancel(HttpServletRequest request, HttpServletResponse response) {
        answer(request, response, Route.CANCEL);
    }

    @RequestMapping({ONE + "/decisions", NAMED + "/decisions"})
    void decide(HttpServletRequest request, HttpServletResponse response) {
        answer(request, response, Route.DECISIONS);
    }

    @RequestMapping({ONE + "/plans", NAMED + "/plans"})
    void plans(HttpServletRequest request, HttpServletResponse response) {
        answer(request, response, Route.PLANS);
    }

    @RequestMapping({ONE + "/questions", NAMED + "/questions"})
    void questions(HttpServletRequest request, HttpServletResponse response) {
        answer(request, response, Route.QUESTIONS);
    }

    @RequestMapping({ONE + "/decided", NAMED + "/decided"})
    void decided(HttpServletRequest request, HttpServletResponse response) {
        answer(request, response, Route.DECIDED);
    }

    @RequestMapping({ONE + "/proposals", NAMED + "/proposals"})
    void proposals(HttpServletRequest request, HttpServletResponse response) {
        answer(request, response, Route.PROPOSALS);
    }

    @RequestMapping({ONE + "/proposals/{id}", NAMED + "/proposals/{id}"})
    void proposal(HttpServletRequest request, HttpServletResponse response) {
        answer(request, response, Route.PROPOSAL);
    }

    @RequestMapping({ONE + "/history", NAMED + "/history"})
    void history(HttpServletRequest request, HttpServletResponse response) {
        answer(request, response, Route.HISTORY);
    }

    @RequestMapping({ONE + "/interrupts", NAMED + "/interrupts"})
    void interrupts(HttpServletRequest request, HttpServletResponse response) {
        answer(request, response, Route.INTERRUPTS);
    }

    @RequestMapping({ONE + "/capabilities", NAMED + "/capabilities"})
    void capabilities(HttpServletRequest request, HttpServletResponse response) {
        answer(request, response, Route.CAPABILITIES);
    }

    @RequestMapping({ONE + "/changes", NAMED + "/changes"})
    void changes(HttpServletRequest request, HttpServletResponse response) {
        answer(request, response, Route.CHANGES);
    }

    @RequestMapping({ONE + "/links/{link}", NAMED + "/links/{link}"})
    void link(HttpServletRequest request, HttpServletResponse response) {
        answer(request, response, Route.LINKS);
    }

    @RequestMapping({ONE + "/card.js", NAMED + "/card.js"})
    void card(HttpServletRequest request, HttpServletResponse response) {
        answer(request, response, Route.CARD);
    }

    @RequestMapping({ONE + "/halted", NAMED + "/halted"})
    void halted(HttpServletRequest request, HttpServletResponse response) {
        answer(request, response, Route.HALTED);
    }

    @RequestMapping({ONE + "/halt", NAMED + "/halt"})
    void halt(HttpServletRequest request, HttpServletResponse response) {
        answer(request, response, Route.HALT);
    }

    @RequestMapping({ONE + "/release", NAMED + "/release"})
    void release(HttpServletRequest request, HttpServletResponse response) {
        answer(request, response, Route.RELEASE);
    }

    @RequestMapping({ONE + "/figures", NAMED + "/figures"})
    void figures(HttpServletRequest request, HttpServletResponse response) {
        answer(request, response, Route.FIGURES);
    }

    private void answer(HttpServletRequest request, HttpServletResponse response, Route route) {
        CompletableFuture<Void> answer = endpoints.answer(new MvcExchange(request, response, callers, bodies), route);
        if (request.isAsyncStarted()) {
            AsyncContext async = request.getAsyncContext();
            answer.whenComplete((answered, failure) -> async.complete());
        }
    }

    /** A request as Spring MVC has it. */
    private record MvcExchange(
            HttpServletRequest request, HttpServletResponse response, CallerResolver callers, RequestBodies bodies)
            implements Exchange {

        @Override
        public String agentId() {
            var variables = (Map<?, ?>) request.getAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE);
            return variables.get("agentId") instanceof String id ? id : "";
        }

        @Override
        public Optional<Caller> caller() {
            return callers.resolve(request);
        }

        /** Reads on this thread: what the application calls may look for the request or its user there. */
        @Override
        public <T> CompletableFuture<T> body(Function<byte[], T> reader) {
            return bodies.readHere(request, reader);
        }

        @Override
        public void reply(int status, String type, String body) {
            response.setStatus(status);
            response.setContentType(type);
            try {
                response.getOutputStream().write(body.getBytes(StandardCharsets.UTF_8));
            } catch (IOException e) {
                LOG.debug("A client is gone", e);
            }
        }
    }
}
