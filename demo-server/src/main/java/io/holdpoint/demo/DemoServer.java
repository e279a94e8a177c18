package io.holdpoint.demo;

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
import java.io.InputStream;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;

/**
 * The demo server: the page at {@code /}, {@code /inbox} and {@code /figures}, the agent at {@code /agent}, and what the page shows beside it below
 * {@code /demo}.
 */
public final class DemoServer {

    /** How long responses whose run has ended may take to be sent when the server stops. */
    private static final Duration LAST_BYTES = Duration.ofSeconds(1);

    /** Nothing from elsewhere, nothing inline, no other site frames the page, and no text becomes markup except by DOMPurify. */
    private static final Map<String, String> PAGE_HEADERS = Map.of(
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none';"
                    + " form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types dompurify",
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
        meters.metrics().watch(agent);
        var routes = new DemoRoutes(agent, settings, effects);
        String script = PageScript.read();
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
                            .haltRole("operator")
                            .figuresRole(settings.callers() == Authenticator.NONE ? "*" : "operator")
                            .proposalRole(settings.callers() == Authenticator.NONE ? "*" : "operator")
                            .hosts(settings.hosts().toArray(String[]::new))
                            .onDrop(meters.metrics()::streamDropped)));
                    config.routes.error(HttpStatus.NOT_FOUND, DemoServer::notFound);
                    config.routes.get("/page.js", ctx -> script(ctx, script));
                    config.routes.get("/inbox", DemoServer::page);
                    config.routes.get("/figures", DemoServer::page);
                    config.routes.get("/health", ctx -> json(ctx, "{\"status\":\"ok\"}"));
                    config.routes.get("/metrics", meters::scrape);
                    routes.addTo(config.routes);
                })
                .start(settings.host(), settings.port());
    }

    /** The inbox and the figures are other views of the same page. */
    private static void page(Context ctx) {
        PAGE_HEADERS.forEach(ctx::header);
        InputStream page = DemoServer.class.getResourceAsStream("/public/index.html");
        ctx.contentType(ContentType.TEXT_HTML).result(Objects.requireNonNull(page, "index.html"));
    }

    /** Says it in JSON where nothing else has. */
    private static void notFound(Context ctx) {
        if (ctx.endpoints().lastHttpEndpoint() == null) {
            json(ctx, "{\"code\":\"PATH_NOT_FOUND\",\"message\":\"This path has no route.\"}");
        }
    }

    /** In one piece, or with {@code lang} its texts in a language, kept by the browser as long as it is the same. */
    private static void script(Context ctx, String page) {
        String lang = ctx.queryParam("lang");
        String script = lang == null ? page : PageScript.language(lang);
        String tag = "\"" + Integer.toHexString(script.hashCode()) + "\"";
        PAGE_HEADERS.forEach(ctx::header);
        ctx.header(Header.ETAG, tag);
        if (tag.equals(ctx.header(Header.IF_NONE_MATCH))) {
            ctx.status(HttpStatus.NOT_MODIFIED);
        } else {
            ctx.contentType("text/javascript; charset=utf-8").result(script);
        }
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
