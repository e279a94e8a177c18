package io.holdpoint.readme;

import io.holdpoint.Holdpoint;
import io.holdpoint.agui.Dialect;
import io.holdpoint.javalin.AgUiPlugin;
import io.javalin.Javalin;

final class DraftClients {

    private DraftClients() {}

    static Javalin server(Holdpoint agent) {
        // readme
        Javalin server = Javalin.create(config -> {
            config.registerPlugin(new AgUiPlugin(agui -> agui.agent(agent).path("/agent")));
            config.registerPlugin(
                    new AgUiPlugin(agui -> agui.agent(agent).path("/draft").dialect(Dialect.INTERRUPTS_DRAFT)));
        });
        // end
        return server;
    }
}
