package io.holdpoint.readme;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.holdpoint.EventSink;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunRejectedException;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.AguiFormatException;
import io.holdpoint.agui.Event;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.agui.SseFrame;
import io.holdpoint.javalin.AgUiPlugin;
import io.holdpoint.javalin.AgUiRoute;
import io.javalin.Javalin;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

final class Serving {

    private Serving() {}

    static Javalin several(Holdpoint agent, Holdpoint mailAgent) {
        // readme
        Javalin server = Javalin.create(config -> {
            config.registerPlugin(new AgUiPlugin(agui -> agui.agent(agent) // POST /agent
                    .agent("mail", mailAgent) // POST /agents/mail
                    .route(AgUiRoute.CAPABILITIES, "/info")
                    .keepAlive(Duration.ofSeconds(10))
                    .bufferBytes(500_000)));
            config.bundledPlugins.enableCors(cors -> {
                cors.addRule(rule -> {
                    rule.path = "/agent*"; // not for the rest of the application
                    rule.allowHost("https://app.example.com");
                });
            });
        });
        // end
        return server;
    }

    // readme
    static HttpServer withoutJavalin(Holdpoint agent, int port) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
        server.createContext("/agent", exchange -> {
            try {
                byte[] body = exchange.getRequestBody().readNBytes(8_000_000);
                RunAgentInput input = AguiCodec.readRunAgentInput(body);
                agent.run(input, new SseResponse(exchange)).whenComplete((result, failure) -> exchange.close());
            } catch (AguiFormatException e) {
                refuse(exchange, 400, "INPUT_INVALID");
            } catch (RunRejectedException e) { // nothing was sent
                refuse(exchange, 409, e.code().name());
            }
        });
        server.start();
        return server;
    }

    record SseResponse(HttpExchange exchange) implements EventSink {

        @Override
        public void send(Event event) {
            try {
                if (exchange.getResponseCode() < 0) { // the first event: the run was accepted
                    exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
                    exchange.getResponseHeaders().set("Cache-Control", "no-cache, no-transform");
                    exchange.sendResponseHeaders(200, 0);
                }
                exchange.getResponseBody().write(SseFrame.of(event));
                exchange.getResponseBody().flush();
            } catch (IOException e) {
                throw new UncheckedIOException(e); // the client is gone; the run goes on without it
            }
        }
    }

    static void refuse(HttpExchange exchange, int status, String code) throws IOException {
        byte[] body = ("{\"code\":\"" + code + "\"}").getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }
    // end
}
