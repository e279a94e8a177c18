package io.holdpoint.testing;

import io.holdpoint.Holdpoint;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Event;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.javalin.AgUiPlugin;
import io.javalin.Javalin;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;

/** An agent behind a real HTTP server, and a client of it. */
public final class TestServer implements AutoCloseable {

    private final Javalin server;
    private final HttpClient client = HttpClient.newHttpClient();

    public TestServer(Holdpoint agent, Consumer<AgUiPlugin.Config> custom) {
        this(Javalin.create(config -> {
                    config.startup.showJavalinBanner = false;
                    config.registerPlugin(new AgUiPlugin(agui -> custom.accept(agui.agent(agent))));
                })
                .start("127.0.0.1", 0));
    }

    private TestServer(Javalin server) {
        this.server = server;
    }

    /** For an application that runs already. */
    public static TestServer of(Javalin server) {
        return new TestServer(server);
    }

    public int port() {
        return server.port();
    }

    /** A request for the agent's endpoint that says it is JSON. */
    public HttpRequest.Builder request() {
        return request("/agent").header("Content-Type", "application/json");
    }

    public HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path));
    }

    public HttpResponse<String> post(RunAgentInput input, String... headers) {
        return post(AguiCodec.write(input), headers);
    }

    public HttpResponse<String> post(String body, String... headers) {
        HttpRequest.Builder request = request().POST(HttpRequest.BodyPublishers.ofString(body));
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return send(request);
    }

    public HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** Sends bytes as they stand, and returns what comes back until the server closes the connection. */
    public String raw(String request) {
        try (Socket socket = new Socket("127.0.0.1", port())) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
            socket.getOutputStream().flush();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** The events of a stream. */
    public static List<Event> events(HttpResponse<String> response) {
        return response.body()
                .lines()
                .filter(line -> line.startsWith("data: "))
                .map(line -> AguiCodec.readEvent(line.substring(6)))
                .toList();
    }

    @Override
    public void close() {
        server.stop();
    }
}
