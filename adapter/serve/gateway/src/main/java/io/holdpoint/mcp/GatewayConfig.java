package io.holdpoint.mcp;

import io.holdpoint.Caller;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The contents of a gateway's file. Immutable.
 *
 * @param servers the servers behind it, by their names, in the order of the file
 * @param policies whose calls need somebody; of those that match a tool, the strictest counts
 * @param store the JDBC URL of the database, SQLite or PostgreSQL
 * @param user who signs in to PostgreSQL
 * @param password with which they do
 * @param waiting how long a client waits for people before it is told that the call is held
 * @param elicit whether the user of the assistant may decide, in a form that the client shows
 * @param page the page of the people who decide
 */
public record GatewayConfig(
        Map<String, Server> servers,
        List<Policy> policies,
        String store,
        Optional<String> user,
        Optional<String> password,
        Duration waiting,
        boolean elicit,
        Page page) {

    /** The time that a client waits for people by default: 30 seconds. */
    public static final Duration DEFAULT_WAIT = Duration.ofSeconds(30);

    /** The time that a call of a server may take by default: 5 minutes. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(5);

    /** The port of the page by default. */
    public static final int DEFAULT_PORT = 7700;

    /**
     * A server whose tools are passed on: a process of this machine ({@code command}), or an address ({@code url}).
     *
     * @param line where it stands in the file
     * @param command the program and its arguments; empty with a {@code url}
     * @param env variables that the process gets, besides HOME, PATH and the like of the gateway's own
     * @param url where it listens; empty with a {@code command}
     * @param headers of each request to the {@code url}
     * @param timeout after which nobody waits for a call any longer, and a person is asked what has become of it
     */
    public record Server(
            int line,
            List<String> command,
            Map<String, String> env,
            Optional<String> url,
            Map<String, String> headers,
            Duration timeout) {}

    /**
     * A policy of the tools whose names, with the name of their server and a dot before it, match a pattern.
     *
     * @param line where it stands in the file
     * @param tools the pattern: {@code *} stands for any characters
     * @param required whether somebody has to approve; {@code false} for {@code approval: none}
     * @param unlessReadOnly whether tools that call themselves read-only are left out
     * @param approvals how many have to approve
     * @param group the role of the people who do; empty for everybody
     * @param expiresAfter after which a question counts as denied
     * @param editable the arguments that may be edited; empty for all
     */
    public record Policy(
            int line,
            String tools,
            boolean required,
            boolean unlessReadOnly,
            int approvals,
            Optional<String> group,
            Optional<Duration> expiresAfter,
            Optional<List<String>> editable) {

        /** Whoever has to approve {@code write_*} has to approve {@code Write_x}; without anybody only that runs which is named. */
        boolean names(UpstreamTool tool) {
            String pattern =
                    Arrays.stream(tools.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*"));
            int letters = required ? Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE : 0;
            return Pattern.compile(pattern, Pattern.DOTALL | letters)
                    .matcher(tool.name())
                    .matches();
        }

        boolean concerns(UpstreamTool tool) {
            return names(tool) && !(unlessReadOnly && tool.isReadOnly());
        }

        /** The arguments that may be edited, and that the tool does not have. */
        List<String> missing(UpstreamTool tool) {
            return editable.orElse(List.of()).stream()
                    .filter(name -> !tool.arguments().contains(name))
                    .toList();
        }
    }

    /**
     * The page of the people who decide.
     *
     * @param host the address that it listens at; the loopback by default
     * @param port its port; 0 for any free one
     * @param people who sign in, by their tokens, to decide; nobody has to if there are none
     */
    public record Page(String host, int port, Map<String, Person> people) {}

    /**
     * Somebody who decides.
     *
     * @param id their name, in questions and in the audit trail
     * @param groups theirs
     */
    public record Person(String id, List<String> groups) {

        Caller caller() {
            return Caller.of(id, groups.toArray(String[]::new));
        }
    }

    /**
     * Reads a file.
     *
     * @param environment the values of {@code ${NAME}} in it
     * @throws IllegalArgumentException naming the line, what was found and what to do
     */
    public static GatewayConfig read(Path file, Map<String, String> environment) {
        try {
            return ConfigReader.read(file.toString(), Files.readString(file, StandardCharsets.UTF_8), environment);
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "Cannot read the configuration " + file + ". Give the path of a YAML file: --config gateway.yml",
                    e);
        }
    }
}
