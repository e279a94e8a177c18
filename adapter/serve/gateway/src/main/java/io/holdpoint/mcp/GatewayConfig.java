package io.holdpoint.mcp;

import io.holdpoint.Approvals;
import io.holdpoint.Audience;
import io.holdpoint.Caller;
import io.holdpoint.RequiresApproval;
import io.holdpoint.Timeline;
import io.holdpoint.ToolPolicy;
import io.holdpoint.hook.Extension;
import io.holdpoint.internal.gate.Voices;
import io.holdpoint.reach.Notice;
import io.holdpoint.store.Bounds;
import io.holdpoint.store.Grant;
import java.io.IOException;
import java.net.URI;
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
import java.util.stream.Stream;

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
 * @param tells by what people are told who are not at the page, and the links that they get
 */
public record GatewayConfig(
        Map<String, Server> servers,
        List<Policy> policies,
        String store,
        Optional<String> user,
        Optional<String> password,
        Duration waiting,
        boolean elicit,
        Page page,
        List<Extension> tells) {

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
     * @param people who has to approve
     * @param timeline what time does about a question
     * @param editable the arguments that may be edited; empty for all
     * @param remember for which further calls an approval may count
     * @param decideByLink whether a link decides without signing in
     */
    public record Policy(
            int line,
            String tools,
            boolean required,
            boolean unlessReadOnly,
            Approvals people,
            Optional<Timeline> timeline,
            Optional<List<String>> editable,
            Optional<Remember> remember,
            boolean decideByLink) {

        /** Whoever has to approve {@code write_*} has to approve {@code Write_x}; without anybody only that runs which is named. */
        boolean names(UpstreamTool tool) {
            String pattern =
                    Arrays.stream(tools.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*"));
            int letters = required ? Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE : 0;
            return Pattern.compile(pattern, Pattern.DOTALL | letters)
                    .matcher(tool.name())
                    .matches();
        }

        /** Tells whether it may name a tool of a server, whose tools are not known. */
        boolean mayName(String server) {
            String begin = tools.split("\\*", 2)[0];
            return begin.regionMatches(true, 0, server + ".", 0, Math.min(begin.length(), server.length() + 1));
        }

        /** Tells whether it wants people for the calls of a tool. */
        boolean concerns(UpstreamTool tool) {
            return required && names(tool) && !(unlessReadOnly && tool.isReadOnly());
        }

        /** Names an argument of the policy that the tool does not have. */
        Optional<String> missing(UpstreamTool tool) {
            return Stream.concat(
                            editable.orElse(List.of()).stream().map(name -> Map.entry("editable", name)),
                            remember.stream()
                                    .flatMap(each -> each.same().stream())
                                    .map(name -> Map.entry("same", name)))
                    .filter(named -> !tool.arguments().contains(named.getValue()))
                    .findFirst()
                    .map(named -> named.getKey() + " names \"" + named.getValue() + "\"");
        }

        /** The policy of tools whose arguments it may not know. */
        ToolPolicy of(ToolPolicy tools) {
            ToolPolicy asked = tools.approvals(people);
            return timeline.isPresent() ? asked.timeline(timeline.get()) : asked;
        }

        /** The policy of tools that have the arguments that it names. */
        ToolPolicy ofFitting(ToolPolicy tools) {
            ToolPolicy asked = of(tools)
                    .editable(editable.orElse(List.of(RequiresApproval.ALL)).toArray(String[]::new));
            asked = decideByLink ? asked.decideByLink() : asked;
            return remember.isPresent() ? remember.get().of(asked) : asked;
        }
    }

    /**
     * The further calls of the same assistant for which an approval counts, if the person says so.
     *
     * @param time how long
     * @param same the arguments that have to be those of the approved call; none for all
     * @param calls how many calls; 0 for any number of the very same one
     */
    public record Remember(Duration time, List<String> same, int calls) {

        private ToolPolicy of(ToolPolicy tools) {
            return calls == 0
                    ? tools.remember(time, Grant.Scope.SAME_CALL)
                    : tools.rememberWithin(
                            Bounds.same(same.toArray(String[]::new))
                                    .count(calls)
                                    .ofOwner(),
                            time);
        }
    }

    /**
     * The page of the people who decide.
     *
     * @param host the address that it listens at; the loopback by default
     * @param port its port; 0 for any free one
     * @param address where people reach it, for messages
     * @param halt the group whose people may halt the gateway; empty for nobody
     * @param people who sign in, by their tokens, to decide; nobody has to if there are none
     */
    public record Page(
            String host, int port, Optional<URI> address, Optional<String> halt, Map<String, Caller> people) {

        /** The page of whoever uses this machine. */
        static final Page LOCAL = new Page("127.0.0.1", DEFAULT_PORT, Optional.empty(), Optional.empty(), Map.of());

        /** The people to whom a link to a question is of use. */
        List<String> whom(Notice.Question question) {
            return people.values().stream()
                    .filter(person -> question.audiences().isEmpty()
                            || question.audiences().stream().anyMatch(group -> group.has(person)))
                    .map(Caller::id)
                    .toList();
        }

        /** The person of a name. */
        Optional<Caller> person(String id) {
            return people.values().stream()
                    .filter(person -> person.id().equals(id))
                    .findFirst();
        }
    }

    /** The same with other servers and another store. */
    GatewayConfig with(Map<String, Server> others, String database) {
        return new GatewayConfig(others, policies, database, user, password, waiting, elicit, page, tells);
    }

    /** Refuses policies that ask about one call, and more people than the page knows: says who is missing, and in which line. */
    void requirePeople(List<Policy> together, String whose) {
        Approvals all = together.stream().map(Policy::people).reduce(Approvals.of(1), Voices::strictest);
        int found =
                new Voices(all, List.of()).counting(List.copyOf(page.people().values()));
        if (found == all.needed() || all.equals(Approvals.of(1))) {
            return;
        }
        String needed = all.groups().stream()
                .map(group -> group.needed() + " of "
                        + group.audience()
                                .map(Audience::name)
                                .map("the group "::concat)
                                .orElse("the people"))
                .collect(Collectors.joining(" and "));
        throw new IllegalArgumentException(
                "line " + together.get(together.size() - 1).line() + ": " + whose + " needs " + needed
                        + (all.groups().size() > 1 ? ", " + all.needed() + " different people" : "")
                        + ", and the page knows " + found
                        + ". Add them: page: { people: { grace: { token: ${GRACES_TOKEN}, groups: [...] } } }");
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
