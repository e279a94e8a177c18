package io.holdpoint.mcp;

import io.holdpoint.Approvals;
import io.holdpoint.Audience;
import io.holdpoint.Caller;
import io.holdpoint.Timeline;
import io.holdpoint.WhenExpired;
import io.holdpoint.hook.Extension;
import io.holdpoint.mcp.GatewayConfig.Page;
import io.holdpoint.mcp.GatewayConfig.Policy;
import io.holdpoint.mcp.GatewayConfig.Remember;
import io.holdpoint.mcp.GatewayConfig.Server;
import io.holdpoint.reach.Links;
import io.holdpoint.reach.Reach;
import io.holdpoint.reach.SlackWebhook;
import io.holdpoint.reach.Webhook;
import java.io.StringReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/** Reads the gateway's file from the nodes of its YAML, which know their lines. */
final class ConfigReader {

    private static final Timeline NO_END = new Timeline(Optional.empty(), WhenExpired.WAIT, List.of());
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{([A-Za-z_][A-Za-z0-9_]*)}");

    private final String file;
    private final Map<String, String> environment;

    private ConfigReader(String file, Map<String, String> environment) {
        this.file = file;
        this.environment = environment;
    }

    static GatewayConfig read(String file, String yaml, Map<String, String> environment) {
        ConfigReader reader = new ConfigReader(file, environment);
        try {
            Node root = Optional.ofNullable(compose(yaml)).orElseGet(() -> compose("{}"));
            return reader.config(
                    reader.new Part(root, "the file", "servers policies store user password wait elicit page tell"));
        } catch (MarkedYAMLException e) {
            int line = e.getProblemMark() == null ? 1 : e.getProblemMark().getLine() + 1;
            throw new IllegalArgumentException(
                    file + ", line " + line + ": is no YAML: " + e.getProblem() + ". Mend this line", e);
        } catch (YAMLException e) {
            throw new IllegalArgumentException(file + ": is no YAML: " + e.getMessage(), e);
        }
    }

    private static @Nullable Node compose(String yaml) {
        return new Yaml(new LoaderOptions()).compose(new StringReader(yaml));
    }

    private GatewayConfig config(Part all) {
        Map<String, Server> servers = new LinkedHashMap<>();
        all.named("servers").forEach((name, node) -> servers.put(name, server(name, node)));
        if (servers.isEmpty()) {
            throw all.refusal("servers", "there is no server", "name one: servers: { files: { command: npx } }");
        }
        List<Policy> policies = all.each("policies").stream().map(this::policy).toList();
        Page page = all.part("page", "host port address halt people")
                .map(this::page)
                .orElse(Page.LOCAL);
        return new GatewayConfig(
                servers,
                policies,
                all.text("store").orElse("jdbc:sqlite:holdpoint.db"),
                all.text("user"),
                all.text("password"),
                all.duration("wait").orElse(GatewayConfig.DEFAULT_WAIT),
                all.truth("elicit"),
                page,
                all.part("tell", "slack webhook links")
                        .map(tell -> tells(tell, page))
                        .orElse(List.of()));
    }

    private Server server(String name, Node node) {
        Part server = new Part(node, "the server " + name, "command args env url headers timeout");
        if (!name.matches("[A-Za-z0-9_-]{1,64}")) {
            throw refusal(node, "\"" + name + "\" is no name of a server", "use up to 64 letters, digits, - and _");
        }
        Optional<String> url = server.url("url").map(URI::toString);
        List<String> command = new ArrayList<>();
        if (url.isPresent()) {
            server.only("with a url", "url headers timeout");
        } else {
            server.only("without a url", "command args env timeout");
            command.add(server.required("command", "give it one, or the url of a server elsewhere"));
            command.addAll(server.names("args"));
        }
        return new Server(
                line(node),
                List.copyOf(command),
                server.texts("env"),
                url,
                server.texts("headers"),
                server.duration("timeout").orElse(GatewayConfig.DEFAULT_TIMEOUT));
    }

    private Policy policy(Node node) {
        Part policy = new Part(
                node,
                "the policy",
                "tools approval approvals group expiresAfter remind editable when remember decideByLink");
        boolean required = policy.choice("approval", "required", Map.of("required", true, "none", false));
        if (!required) {
            policy.only("with approval: none", "tools approval when");
        }
        Approvals many = Approvals.of(policy.number("approvals", 1, 99).orElse(1));
        Approvals people =
                policy.text("group").map(group -> many.by(Audience.role(group))).orElse(many);
        if (policy.has("remember") && !people.equals(Approvals.of(1))) {
            throw policy.refusal(
                    "remember",
                    "what several people or a group approve is not remembered",
                    "remove remember, or approvals and group");
        }
        return new Policy(
                line(node),
                policy.required("tools", "name them with their server, like \"files.write_*\", or \"*\" for all"),
                required,
                policy.choice("when", "always", Map.of("always", false, "not readOnly", true)),
                people,
                timeline(policy),
                policy.has("editable") ? Optional.of(policy.names("editable")) : Optional.empty(),
                policy.part("remember", "for same calls").map(this::remember),
                policy.truth("decideByLink"));
    }

    private Optional<Timeline> timeline(Part policy) {
        Optional<Timeline> timeline = policy.duration("expiresAfter").map(Timeline::expiresAfter);
        return policy.duration("remind")
                .map(after ->
                        policy.fitting("remind", () -> timeline.orElse(NO_END).remind(after)))
                .or(() -> timeline);
    }

    private Remember remember(Part remember) {
        Duration time = remember.duration("for").orElse(Duration.ZERO);
        if (time.toSeconds() % 60 > 0 || time.toMinutes() < 1 || time.toDays() > 30) {
            throw remember.refusal("for", "for is " + time, "give whole minutes, from PT1M to P30D");
        }
        if (remember.has("same") != remember.has("calls")) {
            throw remember.refusal("same", "same and calls go together", "give both, or none: same: [path], calls: 20");
        }
        return new Remember(
                time, remember.names("same"), remember.number("calls", 1, 1_000).orElse(0));
    }

    private Page page(Part page) {
        String host = page.text("host").orElse("127.0.0.1");
        Map<String, Caller> people = new LinkedHashMap<>();
        page.named("people").forEach((id, node) -> {
            Part person = new Part(node, "the person " + id, "token groups");
            String token = person.required("token", "give one: token: ${TOKEN_OF_" + id + "}");
            if (!token.matches("[A-Za-z0-9._~+/-]{16,}=*") || people.containsKey(token)) {
                throw person.refusal(
                        "token",
                        "the token of " + id + " is too short, has other characters, or is somebody else's",
                        "take 16 letters and digits or more, such as those of: openssl rand -hex 16");
            }
            if (id.equals("anonymous") || id.startsWith("holdpoint:") || id.startsWith(HeldCalls.ASSISTANT)) {
                throw refusal(node, "the name \"" + id + "\" is taken by the record", "choose another one");
            }
            people.put(token, Caller.of(id, person.names("groups").toArray(String[]::new)));
        });
        if (people.isEmpty() && !Set.of("127.0.0.1", "::1", "localhost").contains(host)) {
            throw page.refusal(
                    "host",
                    "everybody in the network of " + host + " could decide",
                    "say who may: page: { people: { grace: { token: ${GRACES_TOKEN} } } }, or leave host out");
        }
        Optional<String> halt = page.text("halt");
        if (halt.isPresent()
                && people.values().stream().noneMatch(person -> person.roles().contains(halt.get()))) {
            throw page.refusal("halt", "nobody of the page is in the group " + halt.get(), "name a group of somebody");
        }
        int port = page.number("port", 0, 65_535).orElse(GatewayConfig.DEFAULT_PORT);
        return new Page(host, port, page.url("address"), halt, people);
    }

    // --- people outside

    private List<Extension> tells(Part tell, Page page) {
        URI address = page.address()
                .orElseThrow(() -> refusal(
                        tell.node,
                        "messages have to lead to the page",
                        "say where people reach it: page: { address: \"https://holdpoint.example.com\" }"));
        if (tell.has("links") && (!tell.has("webhook") || page.people().isEmpty())) {
            throw tell.refusal("links", "nobody gets these links", "name the people of the page, and a webhook");
        }
        List<Extension> all = new ArrayList<>();
        tell.url("slack").ifPresent(slack -> all.add(Reach.notifier("slack", SlackWebhook.to(slack, address))));
        tell.part("webhook", "url secret").ifPresent(webhook -> {
            URI url = webhook.url("url").orElseThrow(() -> webhook.missing("url", "say who receives it"));
            String secret = webhook.required("secret", "give the one that the receiver knows");
            Webhook to = webhook.fitting("secret", () -> Webhook.to(url, secret));
            all.add(Reach.notifier("webhook", to.links(page::whom)));
        });
        tell.text("links").ifPresent(secret -> {
            URI agent = address.resolve(address.getPath().replaceFirst("/*$", "/agent"));
            all.add(Reach.links(tell.fitting(
                    "links", () -> Links.signed(agent, Links.Key.of("gateway", secret.getBytes(StandardCharsets.UTF_8)))
                            .page(link -> address))));
        });
        return all;
    }

    /** Names with values, such as a server or a policy. */
    private final class Part {

        private final Node node;
        private final String of;
        private final Map<String, Node> fields;

        private Part(Node node, String of, String names) {
            this.node = node;
            this.of = of;
            fields = map(node, of);
            only("", names);
        }

        /** Refuses other names than these, which a part has in some case. */
        private void only(String when, String names) {
            Set<String> known = new TreeSet<>(List.of(names.split(" ")));
            for (String name : fields.keySet()) {
                if (!known.contains(name)) {
                    throw refusal(name, (of + " " + when).strip() + " has no \"" + name + "\"", "it may have " + known);
                }
            }
        }

        private boolean has(String name) {
            return fields.containsKey(name);
        }

        private Optional<Node> at(String name) {
            return Optional.ofNullable(fields.get(name));
        }

        private Optional<Part> part(String name, String names) {
            return at(name).map(part -> new Part(part, name, names));
        }

        /** Values of any names. */
        private Map<String, Node> named(String name) {
            return at(name).map(named -> map(named, name)).orElse(Map.of());
        }

        private Map<String, String> texts(String name) {
            Map<String, String> texts = new LinkedHashMap<>();
            named(name).forEach((each, value) -> texts.put(each, scalar(value, each)));
            return texts;
        }

        private List<Node> each(String name) {
            if (has(name) && !(fields.get(name) instanceof SequenceNode)) {
                throw refusal(name, name + " must be a list", "write it like [one, two]");
            }
            return at(name).map(list -> ((SequenceNode) list).getValue()).orElse(List.of());
        }

        private List<String> names(String name) {
            return each(name).stream().map(each -> scalar(each, name)).toList();
        }

        private Optional<String> text(String name) {
            return at(name).map(value -> scalar(value, name));
        }

        private String required(String name, String remedy) {
            return text(name).orElseThrow(() -> missing(name, remedy));
        }

        private IllegalArgumentException missing(String name, String remedy) {
            return refusal(name, of + " has no " + name, remedy);
        }

        private Optional<URI> url(String name) {
            return text(name).map(text -> {
                if (!text.matches("https?://[A-Za-z0-9\\[][^\\s\"<>\\\\^`{|}]*")) {
                    throw refusal(name, name + " is no address of a server", "write it like https://example.com/mcp");
                }
                return fitting(name, () -> URI.create(text));
            });
        }

        private Optional<Integer> number(String name, int least, int most) {
            return text(name).map(text -> {
                int number = text.matches("[0-9]{1,5}") ? Integer.parseInt(text) : -1;
                if (number < least || number > most) {
                    throw refusal(name, name + " is \"" + text + "\"", "give a number from " + least + " to " + most);
                }
                return number;
            });
        }

        private Optional<Duration> duration(String name) {
            return text(name).map(text -> {
                try {
                    Duration duration = Duration.parse(text);
                    if (duration.isNegative() || duration.isZero() && !name.equals("wait")) {
                        throw refusal(name, name + " is " + text, "give a longer time, such as PT30S");
                    }
                    return duration;
                } catch (DateTimeParseException e) {
                    throw refusal(name, name + " is \"" + text + "\"", "write it as ISO 8601 has it: PT30S, P1D");
                }
            });
        }

        private boolean truth(String name) {
            return choice(name, "false", Map.of("true", true, "false", false));
        }

        private <T> T choice(String name, String byDefault, Map<String, T> values) {
            String chosen = text(name).orElse(byDefault);
            return Optional.ofNullable(values.get(chosen))
                    .orElseThrow(() -> refusal(
                            name,
                            name + " is \"" + chosen + "\"",
                            "it may be one of " + new TreeSet<>(values.keySet())));
        }

        /** Names the line of what does not fit. */
        private <T> T fitting(String name, Supplier<T> made) {
            try {
                return made.get();
            } catch (IllegalArgumentException e) {
                String why = String.valueOf(e.getMessage()).replaceFirst("\\.$", "");
                throw refusal(name, why.startsWith(name) ? why : name + ": " + why, "give another " + name);
            }
        }

        private IllegalArgumentException refusal(String name, String found, String remedy) {
            return ConfigReader.this.refusal(at(name).orElse(node), found, remedy);
        }
    }

    // --- nodes

    private Map<String, Node> map(Node node, String of) {
        if (!(node instanceof MappingNode mapping)) {
            throw refusal(node, of + " must be names with values", "write it like name: value");
        }
        Map<String, Node> fields = new LinkedHashMap<>();
        for (NodeTuple tuple : mapping.getValue()) {
            String name = tuple.getKeyNode() instanceof ScalarNode key ? key.getValue() : "";
            if (name.isEmpty() || fields.putIfAbsent(name, tuple.getValueNode()) != null) {
                throw refusal(
                        tuple.getKeyNode(),
                        name.isEmpty() ? of + " has something that is no name" : "\"" + name + "\" stands there twice",
                        "give each name once");
            }
        }
        return fields;
    }

    private String scalar(Node node, String name) {
        if (!(node instanceof ScalarNode scalar) || scalar.getValue().isBlank()) {
            throw refusal(node, name + " must be a text", "write it like " + name + ": text");
        }
        Matcher variables = VARIABLE.matcher(scalar.getValue());
        return variables.replaceAll(found -> {
            String value = environment.get(found.group(1));
            if (value == null) {
                throw refusal(
                        node, "the variable " + found.group(1) + " is not set", "set it in the gateway's environment");
            }
            return Matcher.quoteReplacement(value);
        });
    }

    private static int line(Node node) {
        return node.getStartMark().getLine() + 1;
    }

    private IllegalArgumentException refusal(Node node, String found, String remedy) {
        return new IllegalArgumentException(file + ", line " + line(node) + ": " + found + ". To mend it: " + remedy);
    }
}
