package io.holdpoint.mcp;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.holdpoint.Caller;
import io.holdpoint.javalin.AgUiPlugin;
import io.holdpoint.javalin.AgUiRoute;
import io.holdpoint.javalin.Authenticator;
import io.holdpoint.store.StoreException;
import io.holdpoint.store.jdbc.JdbcStore;
import io.holdpoint.store.jdbc.SqliteLibrary;
import io.javalin.Javalin;
import io.javalin.http.ContentType;
import io.javalin.http.Context;
import io.javalin.util.JavalinBindException;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.eclipse.jetty.ee10.servlet.ServletHolder;

/**
 * The program {@code holdpoint-gateway.jar}: people in front of MCP servers, without a line of Java.
 *
 * <pre>
 * java -jar holdpoint-gateway.jar -- npx -y @modelcontextprotocol/server-filesystem /data
 * java -jar holdpoint-gateway.jar --config gateway.yml [--http]
 * </pre>
 *
 * <p>It speaks MCP over standard input and output, or with {@code --http} at {@code /mcp} of its page's address, and says on standard
 * error where people decide.
 */
public final class Gateway implements AutoCloseable {

    private static final String USAGE = """
            holdpoint-gateway asks people before a tool of an MCP server runs.

              java -jar holdpoint-gateway.jar -- COMMAND ARGUMENTS    one server, started by a command; asks about all that is not read-only
              java -jar holdpoint-gateway.jar --config FILE           servers and policies of a YAML file
              --http                                                  speaks MCP at /mcp of the page, not over standard input and output""";

    private static final String COMMAND =
            "servers: { tools: { command: its own } }\npolicies: [ { tools: '*', when: not readOnly } ]";

    /** As many gateways may be at work on one machine, each with a page of its own. */
    private static final int PORTS = 20;

    private static final String SQLITE = "jdbc:sqlite:";

    private final HikariDataSource pool;
    private final McpGateway gateway;
    private final Javalin page;

    private final String address;

    private Gateway(HikariDataSource pool, McpGateway gateway, Javalin page, String address) {
        this.address = address;
        this.pool = pool;
        this.gateway = gateway;
        this.page = page;
    }

    /**
     * Starts the gateway, until its client or somebody else ends it.
     *
     * @param args see {@link Gateway}
     */
    public static void main(String[] args) throws InterruptedException {
        System.getProperties()
                .putIfAbsent("org.slf4j.simpleLogger.defaultLogLevel", "warn"); // a client shows what is said
        CountDownLatch ended = new CountDownLatch(1);
        try {
            List<String> given = List.of(args);
            int own = given.contains("--") ? given.indexOf("--") : given.size();
            List<String> options = new ArrayList<>(given.subList(0, own));
            boolean http = options.remove("--http");
            GatewayConfig config =
                    configured(options, given.stream().skip(own + 1).toList());
            Gateway started = start(config, http, untilItsEnd(System.in, ended::countDown));
            Runtime.getRuntime().addShutdownHook(new Thread(started::close, "shutdown"));
            ended.await();
            System.exit(0);
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }

    private static GatewayConfig configured(List<String> options, List<String> command) {
        if (options.isEmpty() && !command.isEmpty()) {
            return ofCommand(Path.of("").toAbsolutePath(), command, System.getenv());
        }
        if (options.size() == 2 && options.get(0).equals("--config") && command.isEmpty()) {
            return GatewayConfig.read(Path.of(options.get(1)), System.getenv());
        }
        throw new IllegalArgumentException(USAGE);
    }

    /**
     * One server. Two gateways with the same command in the same directory, to which it may be relative, have the same store, whichever page
     * somebody looks at.
     */
    static GatewayConfig ofCommand(Path directory, List<String> command, Map<String, String> environment) {
        Path folder =
                Path.of(environment.getOrDefault("HOLDPOINT_HOME", System.getProperty("user.home") + "/.holdpoint"));
        int server = List.of(directory, command).hashCode();
        String file = "gateway-" + Integer.toHexString(server) + ".db";
        GatewayConfig.Server started = new GatewayConfig.Server(
                1, List.copyOf(command), environment, Optional.empty(), Map.of(), GatewayConfig.DEFAULT_TIMEOUT);
        return ConfigReader.read("", COMMAND, Map.of()).with(Map.of("tools", started), SQLITE + folder.resolve(file));
    }

    /**
     * Starts a gateway.
     *
     * @param http whether it speaks MCP at {@code /mcp}, and not over the input and standard output
     * @throws IllegalArgumentException if something cannot be started; then nothing is
     */
    static Gateway start(GatewayConfig config, boolean http, InputStream input) {
        HikariDataSource pool = connect(config);
        McpGateway gateway = null;
        try {
            String host = config.page().host();
            int port = free(config.page());
            String address = "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
            String people = config.page().address().map(URI::toString).orElse(address + "/");
            gateway = McpGateway.open(config, JdbcStore.create(pool), people);
            Optional<HttpDoor> mcp =
                    http ? Optional.of(new HttpDoor(config.page(), gateway, HttpDoor.IDLE)) : Optional.empty();
            Javalin page = page(config, gateway, mcp).start(host, port);
            if (!http) {
                gateway.serve(input, System.out);
            }
            System.err.println(
                    "Holdpoint gateway: people decide at " + people + (http ? "; MCP at " + address + "/mcp" : ""));
            return new Gateway(pool, gateway, page, address);
        } catch (RuntimeException e) {
            if (gateway != null) {
                gateway.close();
            }
            pool.close();
            boolean isOutside = e instanceof StoreException || e instanceof JavalinBindException;
            throw isOutside ? new IllegalArgumentException("Cannot start: " + e.getMessage(), e) : e;
        }
    }

    private static HikariDataSource connect(GatewayConfig config) {
        try {
            if (config.store().startsWith(SQLITE)) {
                Path file = Path.of(config.store().substring(SQLITE.length()).split("\\?", 2)[0])
                        .toAbsolutePath();
                Files.createDirectories(file.getParent());
                keepFromOthers(file);
                SqliteLibrary.loadFrom(file.resolveSibling("native"));
            }
            HikariConfig connections = new HikariConfig();
            connections.setJdbcUrl(config.store());
            config.user().ifPresent(connections::setUsername);
            config.password().ifPresent(connections::setPassword);
            return new HikariDataSource(connections);
        } catch (IOException | RuntimeException e) {
            String shown = config.store().split("\\?", 2)[0]; // behind it there may be a password
            throw new IllegalArgumentException(
                    "The store " + shown + " cannot be used: "
                            + String.valueOf(e.getMessage()).replace(config.store(), shown)
                            + ". To mend it: store: jdbc:sqlite:FILE, or jdbc:postgresql://HOST/DATABASE with user and password",
                    e);
        }
    }

    /** The arguments of calls are nobody else's. SQLite gives its other files the rights of this one. */
    private static void keepFromOthers(Path file) throws IOException {
        if (Files.notExists(file) && Files.getFileStore(file.getParent()).supportsFileAttributeView("posix")) {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        }
    }

    // --- the page

    /** The port of the configuration, or the next one that is free. */
    private static int free(GatewayConfig.Page page) {
        IOException taken = null;
        for (int port = page.port(); port == page.port() || page.port() > 0 && port < page.port() + PORTS; port++) {
            try (var socket = new ServerSocket()) {
                socket.bind(new InetSocketAddress(page.host(), port));
                return socket.getLocalPort();
            } catch (IOException e) {
                taken = e;
            }
        }
        throw new IllegalArgumentException(
                "The port " + page.port() + " and those after it are taken, or " + page.host()
                        + " is no address of this machine. To mend it: page: { port: 8123 }, or leave page: { host: ... } out",
                taken);
    }

    private static Javalin page(GatewayConfig config, McpGateway gateway, Optional<HttpDoor> mcp) {
        Map<String, Caller> tokens = config.page().people();
        Authenticator people = tokens.isEmpty() ? Authenticator.NONE : Authenticator.bearerTokens(tokens);
        return Javalin.create(setup -> {
            setup.startup.showJavalinBanner = false;
            setup.startup.showOldJavalinVersionWarning = false;
            setup.registerPlugin(new AgUiPlugin(agui -> {
                agui.agent(gateway.agent())
                        .path("/agent")
                        .authenticator(people)
                        .without(AgUiRoute.RUN, AgUiRoute.PROPOSALS);
                config.page().halt().ifPresent(agui::haltRole);
            }));
            mcp.ifPresent(door -> setup.jetty.modifyServletContextHandler(context -> {
                ServletHolder servlet = new ServletHolder(door);
                servlet.setAsyncSupported(true);
                context.addServlet(servlet, "/mcp");
            }));
            setup.routes.get("/", ctx -> file(ctx, "page.html", ContentType.TEXT_HTML));
            setup.routes.get("/page.js", ctx -> file(ctx, "page.js", ContentType.TEXT_JS));
            setup.routes.get("/page.css", ctx -> file(ctx, "page.css", ContentType.TEXT_CSS));
        });
    }

    private static void file(Context ctx, String name, ContentType type) {
        ctx.header(
                "Content-Security-Policy",
                "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none';"
                        + " frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'");
        ctx.header("X-Content-Type-Options", "nosniff");
        ctx.header("Referrer-Policy", "no-referrer");
        InputStream found = Gateway.class.getResourceAsStream("/io/holdpoint/mcp/" + name);
        ctx.contentType(type).result(Objects.requireNonNull(found, name));
    }

    /** Where the page is. */
    String address() {
        return address;
    }

    // --- the end

    /** An input that says when it has come to its end. */
    private static InputStream untilItsEnd(InputStream input, Runnable then) {
        return new SequenceInputStream(input, new InputStream() {
            @Override
            public int read() {
                then.run();
                return -1;
            }
        });
    }

    /** Ends the gateway. Held calls stay in the store. */
    @Override
    public void close() {
        page.stop();
        gateway.close();
        pool.close();
    }
}
