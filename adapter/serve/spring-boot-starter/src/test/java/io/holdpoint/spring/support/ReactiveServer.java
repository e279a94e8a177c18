package io.holdpoint.spring.support;

import io.holdpoint.Holdpoint;
import io.holdpoint.RunRejectedException;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.AguiFormatException;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.follow.EventPublisher;
import java.nio.charset.StandardCharsets;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.reactive.function.BodyInserters;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.WebExceptionHandler;
import reactor.adapter.JdkFlowAdapter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** The sample of the page about other servers. */
final class ReactiveServer {

    private ReactiveServer() {}

    // readme
    static RouterFunction<ServerResponse> routes(Holdpoint agent) {
        return RouterFunctions.route()
                .POST("/agent", request -> run(agent, request))
                .build();
    }

    private static Mono<ServerResponse> run(Holdpoint agent, ServerRequest request) {
        return request.bodyToMono(byte[].class).flatMap(body -> {
            RunAgentInput input = AguiCodec.readRunAgentInput(body);
            Flux<ServerSentEvent<String>> events = JdkFlowAdapter.flowPublisherToFlux(EventPublisher.of(agent, input))
                    .map(event ->
                            ServerSentEvent.builder(AguiCodec.write(event)).build())
                    .subscribeOn(Schedulers.boundedElastic()); // a run begins with work on the store
            return ServerResponse.ok()
                    .contentType(MediaType.TEXT_EVENT_STREAM)
                    .body(BodyInserters.fromServerSentEvents(events));
        });
    }

    // as a bean, with @Order(-2)
    static WebExceptionHandler refusals() {
        return (exchange, failure) -> {
            if (failure instanceof RunRejectedException refused) { // nothing was sent
                return refuse(
                        exchange.getResponse(),
                        HttpStatus.CONFLICT,
                        refused.code().name());
            }
            return failure instanceof AguiFormatException
                    ? refuse(exchange.getResponse(), HttpStatus.BAD_REQUEST, "INPUT_INVALID")
                    : Mono.error(failure);
        };
    }

    private static Mono<Void> refuse(ServerHttpResponse response, HttpStatus status, String code) {
        response.setStatusCode(status);
        response.getHeaders().setContentType(MediaType.APPLICATION_JSON);
        byte[] body = ("{\"code\":\"" + code + "\"}").getBytes(StandardCharsets.UTF_8);
        return response.writeWith(Mono.just(response.bufferFactory().wrap(body)));
    }
    // end
}
