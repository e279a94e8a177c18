package io.holdpoint.javalin;

import io.holdpoint.Caller;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.Logs;
import io.javalin.Javalin;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A server at which nobody has to sign in says so when it starts, unless only its own machine reaches it. */
class OpenServerTest {

    private final Bench bench = new Bench();

    private void start(String host, Authenticator authenticator) {
        Javalin server = Javalin.create(config -> {
                    config.startup.showJavalinBanner = false;
                    config.jetty.host = host;
                    config.registerPlugin(
                            new AgUiPlugin(agui -> agui.agent(bench.agent()).authenticator(authenticator)));
                })
                .start(0);
        server.stop();
    }

    @Test
    @Logs("Agents are served at every address of this machine, and nobody has to sign in: *authenticator(...)*")
    void withoutAnAuthenticatorAtEveryAddress() {
        start(null, Authenticator.NONE);
    }

    @Test
    @Logs("Agents are served at 0.0.0.0, and nobody has to sign in: *")
    void orAtOneThatOtherMachinesReach() {
        start("0.0.0.0", Authenticator.NONE);
    }

    @Test
    void atTheLoopbackNothingIsSaid() {
        for (String host : new String[] {"127.0.0.1", "localhost", "::1"}) {
            start(host, Authenticator.NONE);
        }
    }

    @Test
    void withAnAuthenticatorNothingIsSaid() {
        start(null, Authenticator.bearerTokens(Map.of("t", Caller.of("ada"))));
    }
}
