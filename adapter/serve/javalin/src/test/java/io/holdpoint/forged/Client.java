package io.holdpoint.forged;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.holdpoint.Caller;
import io.holdpoint.ErrorCode;
import io.holdpoint.RunRejectedException;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.AguiFormatException;
import io.holdpoint.agui.Event;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.agui.RunEvent;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.RecordingSink;
import io.holdpoint.testing.StreamRules;
import io.holdpoint.testing.TestServer;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Optional;

/** A way to send a body, as somebody whom the transport knows. */
interface Client extends AutoCloseable {

    Heard send(Caller who, String body);

    @Override
    void close();

    private static Heard stream(List<Event> events) {
        StreamRules.check(events);
        return new Heard(
                events.stream().map(Event::type).toList(),
                events.get(events.size() - 1) instanceof RunEvent.Error error ? error.code() : "");
    }

    /** Reads the body and runs it. */
    record Java(Bench bench) implements Client {

        @Override
        public Heard send(Caller who, String body) {
            RecordingSink sink = new RecordingSink();
            try {
                RunAgentInput input = AguiCodec.readRunAgentInput(body);
                bench.agent().as(who).run(input, sink).join();
            } catch (AguiFormatException e) {
                return Heard.withoutStream(ErrorCode.INPUT_INVALID.name());
            } catch (RunRejectedException e) {
                return Heard.withoutStream(e.code().name());
            }
            return stream(sink.events());
        }

        @Override
        public void close() {}
    }

    /** Posts the body to a server that believes a header. */
    record Http(TestServer server) implements Client {

        Http(Bench bench) {
            this(new TestServer(
                    bench.agent(),
                    agui -> agui.authenticator(request ->
                            Optional.ofNullable(request.header("X-Caller")).map(Caller::of))));
        }

        @Override
        public Heard send(Caller who, String body) {
            HttpResponse<String> response = server.post(body, "X-Caller", who.id());
            if (response.statusCode() == 200) {
                return stream(TestServer.events(response));
            }
            assertThat(response.statusCode()).isIn(400, 404);
            try {
                return Heard.withoutStream(AguiCodec.mapper()
                        .readTree(response.body())
                        .path("code")
                        .asText());
            } catch (JsonProcessingException e) {
                throw new AssertionError(response.body(), e);
            }
        }

        @Override
        public void close() {
            server.close();
        }
    }
}
