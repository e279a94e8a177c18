package io.holdpoint.demo;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.demo.tools.DemoEffects;
import io.holdpoint.javalin.AgUiPlugin;
import io.holdpoint.javalin.Authenticator;
import io.javalin.Javalin;
import io.javalin.http.ContentType;
import io.javalin.http.Context;
import io.javalin.http.Header;
import io.javalin.http.HttpStatus;
import io.javalin.http.staticfiles.Location;
import io.javalin.util.JavalinBindException;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;

/**
 * The demo server: the page at {@code /}, the agent at {@code /agent}, what its tools did at {@code /demo/effects},
 * what need not be asked about at {@code /demo/grants}.
 */
public final class DemoServer {

    /** How long responses whose run has ended may take to be sent when the server stops. */
    private static final Duration LAST_BYTES = Duration.ofSeconds(1);

    /** No other site frames the page, and nothing on it comes from elsewhere. */
    private static final Map<String, String> PAGE_HEADERS = Map.of(
            "Content-Security-Policy",
            "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
            "X-Frame-Options",
            "DENY",
            "X-Content-Type-Options",
            "nosniff",
            "Referrer-Policy",
            "no-referrer",
            "Cross-Origin-Opener-Policy",
            "same-origin",
            "Cross-Origin-Resource-Policy",
            "same-origin",
            "Cache-Control",
            "no-cache");

    private DemoServer() {}

    /**
     * Starts the server, configured by the environment: {@code HOST}, {@code PORT}, {@code HOSTS},
     * {@code OPENAI_API_KEY}, {@code OPENAI_BASE_URL}, {@code OPENAI_MODEL}, {@code JDBC_URL}, {@code JDBC_USER}, {@code JDBC_PASSWORD},
     * {@code BEARER_TOKENS}, {@code SHUTDOWN_GRACE}. Told to end, by SIGTERM for instance, it lets active runs go on for a
     * while, and ends those that do not end by themselves.
     *
     * @param args not used
     */
    public static void main(String[] args) {
        DemoSettings settings;
        DemoDatabase database;
        try {
            settings = DemoSettings.read(System.getenv());
            database = DemoDatabase.open(settings.database());
        } catch (IllegalArgumentException e) {
            exit(e.getMessage());
            return;
        }
        try {
            Javalin server = start(settings, database);
            Runtime.getRuntime().addShutdownHook(new Thread(server::stop, "shutdown"));
            announce(settings, server.port());
        } catch (JavalinBindException e) {
            exit("Cannot listen on " + settings.host() + ":" + settings.port()
                    + ": the port is taken, or the address is not one of this machine. Set PORT or HOST.");
        }
    }

    static Javalin start(DemoSettings settings, DemoDatabase database) {
        DemoEffects effects = new DemoEffects(Clock.systemUTC());
        var meters = new DemoMeters(settings.callers());
        var agent = DemoAgent.create(settings, database, effects, meters.metrics());
        var grants = new DemoGrants(agent, settings.callers());
        return Javalin.create(config -> {
                    config.startup.showJavalinBanner = false;
                    config.startup.showOldJavalinVersionWarning = false;
                    config.jetty.modifyServer(server -> server.setStopTimeout(LAST_BYTES.toMillis()));
                    config.events.serverStopping(() -> agent.shutdown(settings.grace()));
                    config.events.serverStopped(database::close);
                    config.staticFiles.add(files -> {
                        files.directory = "/public";
                        files.location = Location.CLASSPATH;
                        files.headers = PAGE_HEADERS;
                    });
                    config.registerPlugin(new AgUiPlugin(agui -> agui.agent(agent)
                            .path("/agent")
                            .authenticator(settings.callers())
                            .hosts(settings.hosts().toArray(String[]::new))
                            .onDrop(meters.metrics()::streamDropped)));
                    config.routes.error(HttpStatus.NOT_FOUND, DemoServer::notFound);
                    config.routes.get("/health", ctx -> json(ctx, "{\"status\":\"ok\"}"));
                    config.routes.get("/metrics", meters::scrape);
                    config.routes.get("/demo/effects", ctx -> show(ctx, settings.callers(), effects));
                    config.routes.get("/demo/grants", grants::list);
                    config.routes.delete("/demo/grants/{grantId}", grants::revoke);
                })
                .start(settings.host(), settings.port());
    }

    /** The effects of everybody, to whoever may use the agent. */
    private static void show(Context ctx, Authenticator callers, DemoEffects effects) {
        if (callers.authenticate(ctx).isPresent()) {
            json(ctx, write(effects));
        } else {
            ctx.status(HttpStatus.UNAUTHORIZED).header(Header.WWW_AUTHENTICATE, callers.challenge());
            json(ctx, "{\"message\":\"Say who you are.\"}");
        }
    }

    /** Says it in JSON where nothing else has. */
    private static void notFound(Context ctx) {
        if (ctx.endpoints().lastHttpEndpoint() == null) {
            json(ctx, "{\"code\":\"PATH_NOT_FOUND\",\"message\":\"Nothing is served at this path.\"}");
        }
    }

    private static String write(DemoEffects effects) {
        ArrayNode all = AguiCodec.mapper().createArrayNode();
        effects.all().forEach(effect -> {
            var node = all.addObject();
            node.put("tool", effect.tool());
            node.set("args", effect.args());
            node.put("toolCallId", effect.toolCallId());
            node.put("at", effect.at().toString());
        });
        return AguiCodec.write(all);
    }

    private static void json(Context ctx, String body) {
        ctx.contentType(ContentType.APPLICATION_JSON).result(body);
    }

    private static void announce(DemoSettings settings, int port) {
        String base = "http://" + (settings.host().contains(":") ? "[" + settings.host() + "]" : settings.host()) + ":"
                + port;
        System.out.println("Holdpoint demo is running");
        System.out.println("  page      " + base + "/");
        System.out.println("  endpoint  POST " + base + "/agent");
        System.out.println("  model     "
                + settings.openAi()
                        .map(DemoSettings.OpenAi::toString)
                        .orElse("the embedded scripted model (set OPENAI_API_KEY for a real one)"));
        System.out.println("  database  " + settings.database());
        System.out.println("No mail leaves this machine and no money moves: see " + base + "/demo/effects");
    }

    private static void exit(String message) {
        System.err.println(message);
        System.exit(1);
    }
}
