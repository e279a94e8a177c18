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

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");
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
            Node root = new Yaml(new LoaderOptions()).compose(new StringReader(yaml));
            if (root == null) {
                throw new IllegalArgumentException(
                        file + " is empty. It needs servers, such as: servers: { files: { command:"
                                + " npx, args: [-y, \"@modelcontextprotocol/server-filesystem\", /data] } }");
            }
            return reader.config(root);
        } catch (MarkedYAMLException e) {
            int line = e.getProblemMark() == null ? 1 : e.getProblemMark().getLine() + 1;
            throw new IllegalArgumentException(
                    file + ", line " + line + ": is no YAML: " + e.getProblem() + ". Mend this line", e);
        } catch (YAMLException e) {
            throw new IllegalArgumentException(file + ": is no YAML: " + e.getMessage(), e);
        }
    }

    private GatewayConfig config(Node root) {
        Map<String, Node> fields =
                fields(root, "the file", "servers policies store user password wait elicit page tell");
        Node servers = fields.get("servers");
        if (servers == null || map(servers, "servers").isEmpty()) {
            throw refusal(
                    servers == null ? root : servers,
                    "there is no server",
                    "name at least one: servers: { files: { command: npx, args: [...] } }");
        }
        Map<String, Server> named = new LinkedHashMap<>();
        for (Map.Entry<String, Node> entry : map(servers, "servers").entrySet()) {
            if (!NAME.matcher(entry.getKey()).matches()) {
                throw refusal(
                        entry.getValue(),
                        "\"" + entry.getKey() + "\" is no name of a server",
                        "use up to 64 letters, digits, hyphens and underscores");
            }
            named.put(entry.getKey(), server(entry.getKey(), entry.getValue()));
        }
        List<Policy> policies = new ArrayList<>();
        for (Node policy : each(fields.get("policies"), "policies")) {
            policies.add(policy(policy));
        }
        Page page = page(fields.get("page"));
        GatewayConfig config = new GatewayConfig(
                named,
                List.copyOf(policies),
                text(fields.get("store"), "store").orElse("jdbc:sqlite:holdpoint.db"),
                text(fields.get("user"), "user"),
                text(fields.get("password"), "password"),
                duration(fields.get("wait"), "wait").orElse(GatewayConfig.DEFAULT_WAIT),
                truth(fields.get("elicit"), "elicit"),
                page,
                tells(fields.get("tell"), page));
        for (Policy policy : policies) { // a question that nobody could answer must not be asked
            config.missing(List.of(policy), "the policy for \"" + policy.tools() + "\"")
                    .ifPresent(line -> {
                        throw new IllegalArgumentException(file + ", " + line);
                    });
        }
        return config;
    }

    private Server server(String name, Node node) {
        Map<String, Node> fields = fields(node, "the server " + name, "command args env url headers timeout");
        Optional<String> command = text(fields.get("command"), "command");
        Optional<String> url = text(fields.get("url"), "url");
        if (command.isPresent() == url.isPresent()) {
            throw refusal(
                    node,
                    "the server " + name + " has "
                            + (url.isPresent() ? "both command and url" : "neither command nor url"),
                    "give one: command: npx for a process of this machine, url: https://... for another one");
        }
        for (String ofProcess : url.isPresent() ? List.of("args", "env") : List.of("headers")) {
            if (fields.containsKey(ofProcess)) {
                throw refusal(
                        fields.get(ofProcess),
                        ofProcess + " does not go with " + (url.isPresent() ? "url" : "command"),
                        "remove it");
            }
        }
        if (url.isPresent()) {
            url(fields.get("url"), "url");
        }
        List<String> all = new ArrayList<>();
        command.ifPresent(all::add);
        for (Node argument : each(fields.get("args"), "args")) {
            all.add(scalar(argument, "args"));
        }
        return new Server(
                line(node),
                List.copyOf(all),
                texts(fields.get("env"), "env"),
                url,
                texts(fields.get("headers"), "headers"),
                duration(fields.get("timeout"), "timeout").orElse(GatewayConfig.DEFAULT_TIMEOUT));
    }

    private URI url(Node node, String name) {
        String text = scalar(node, name);
        if (!text.matches("https?://[A-Za-z0-9\\[][^\\s\"<>\\\\^`{|}]*")) {
            throw refusal(node, name + " is no address of a server", "write it like https://crm.example.com/mcp");
        }
        return fitting(node, () -> URI.create(text));
    }

    private Policy policy(Node node) {
        Map<String, Node> fields = fields(
                node,
                "the policy",
                "tools approval approvals group expiresAfter remind editable when remember decideByLink");
        String tools = text(fields.get("tools"), "tools")
                .orElseThrow(() -> refusal(
                        node,
                        "tools are missing",
                        "name them with their server: tools: \"files.write_*\", or \"*\" for all"));
        boolean required =
                choice(fields.get("approval"), "approval", "required", Map.of("required", true, "none", false));
        if (!required) {
            for (String more : fields.keySet()) {
                if (!Set.of("tools", "approval", "when").contains(more)) {
                    throw refusal(fields.get(more), more + " does not go with approval: none", "remove one of them");
                }
            }
        }
        Approvals people =
                Approvals.of(number(fields.get("approvals"), "approvals", 1, 99).orElse(1));
        if (fields.containsKey("group")) {
            people = people.by(Audience.role(scalar(fields.get("group"), "group")));
        }
        if (fields.containsKey("remember") && !people.equals(Approvals.of(1))) {
            throw refusal(
                    fields.get("remember"),
                    "what several people or a group approve is not remembered",
                    "remove remember, or approvals and group");
        }
        return new Policy(
                line(node),
                tools,
                required,
                choice(fields.get("when"), "when", "always", Map.of("always", false, "not readOnly", true)),
                people,
                timeline(fields),
                Optional.ofNullable(fields.get("editable")).map(names -> names(names, "editable")),
                Optional.ofNullable(fields.get("remember")).map(this::remember),
                truth(fields.get("decideByLink"), "decideByLink"));
    }

    private Optional<Timeline> timeline(Map<String, Node> fields) {
        Optional<Timeline> timeline =
                duration(fields.get("expiresAfter"), "expiresAfter").map(Timeline::expiresAfter);
        return duration(fields.get("remind"), "remind")
                .map(after -> fitting(
                        fields.get("remind"), () -> timeline.orElse(NO_END).remind(after)))
                .or(() -> timeline);
    }

    private Remember remember(Node node) {
        Map<String, Node> fields = fields(node, "remember", "for same calls");
        Duration time = duration(fields.getOrDefault("for", node), "for").orElseThrow();
        if (time.toSeconds() % 60 > 0 || time.toMinutes() < 1 || time.toDays() > 30) {
            throw refusal(node, "for is " + time, "give whole minutes, from PT1M to P30D");
        }
        if (fields.containsKey("same") != fields.containsKey("calls")) {
            throw refusal(
                    node,
                    "same and calls go together",
                    "write { for: PT1H, same: [path], calls: 20 }, or { for: PT1H }");
        }
        return new Remember(
                time,
                names(fields.get("same"), "same"),
                number(fields.get("calls"), "calls", 1, 1_000).orElse(0));
    }

    private Page page(@Nullable Node node) {
        if (node == null) {
            return Page.LOCAL;
        }
        Map<String, Node> fields = fields(node, "the page", "host port address halt people");
        String host = text(fields.get("host"), "host").orElse("127.0.0.1");
        Map<String, Caller> people = new LinkedHashMap<>();
        if (fields.containsKey("people")) {
            map(fields.get("people"), "people").forEach((id, person) -> {
                Map<String, Node> said = fields(person, "the person " + id, "token groups");
                String token = text(said.get("token"), "token")
                        .orElseThrow(() -> refusal(
                                person,
                                "the person " + id + " has no token",
                                "give one: token: ${TOKEN_OF_" + id + "}"));
                if (!token.matches("[A-Za-z0-9._~+/-]{16,}=*") || people.containsKey(token)) {
                    throw refusal(
                            said.get("token"),
                            "the token of " + id + " is too short, has other characters, or is somebody else's",
                            "take 16 letters and digits or more, such as those of: openssl rand -hex 16");
                }
                if (id.equals("anonymous") || id.startsWith("holdpoint:") || id.startsWith(HeldCalls.ASSISTANT)) {
                    throw refusal(person, "the name \"" + id + "\" is taken by the record", "choose another one");
                }
                people.put(
                        token, Caller.of(id, names(said.get("groups"), "groups").toArray(String[]::new)));
            });
        }
        if (people.isEmpty() && !Set.of("127.0.0.1", "::1", "localhost").contains(host)) {
            throw refusal(
                    fields.get("host"),
                    "everybody in the network of " + host + " could decide",
                    "say who may: page: { people: { grace: { token: ${GRACES_TOKEN} } } }, or leave host out");
        }
        Optional<String> halt = text(fields.get("halt"), "halt");
        if (halt.isPresent()
                && people.values().stream().noneMatch(person -> person.roles().contains(halt.get()))) {
            throw refusal(
                    fields.get("halt"), "nobody of the page is in the group " + halt.get(), "name a group of somebody");
        }
        return new Page(
                host,
                number(fields.get("port"), "port", 0, 65_535).orElse(GatewayConfig.DEFAULT_PORT),
                Optional.ofNullable(fields.get("address")).map(address -> url(address, "address")),
                halt,
                people);
    }

    // --- people outside

    private List<Extension> tells(@Nullable Node node, Page page) {
        if (node == null) {
            return List.of();
        }
        URI address = page.address()
                .orElseThrow(() -> refusal(
                        node,
                        "messages have to lead to the page",
                        "say where people reach it: page: { address: \"https://holdpoint.example.com\" }"));
        List<Extension> all = new ArrayList<>();
        Map<String, Node> ways = fields(node, "tell", "slack webhook links");
        if (ways.containsKey("links")
                && (!ways.containsKey("webhook") || page.people().isEmpty())) {
            throw refusal(ways.get("links"), "nobody gets these links", "name the people of the page, and a webhook");
        }
        ways.forEach((name, value) -> {
            switch (name) {
                case "slack" -> all.add(Reach.notifier(name, SlackWebhook.to(url(value, name), address)));
                case "webhook" -> {
                    Map<String, Node> fields = fields(value, "the webhook", "url secret");
                    URI url = url(fields.getOrDefault("url", value), "url");
                    String secret =
                            text(fields.getOrDefault("secret", value), "secret").orElseThrow();
                    all.add(Reach.notifier(
                            name, fitting(value, () -> Webhook.to(url, secret).links(page::whom))));
                }
                default -> {
                    byte[] key = text(value, name).orElseThrow().getBytes(StandardCharsets.UTF_8);
                    URI agent = address.resolve(address.getPath().replaceFirst("/*$", "/agent"));
                    all.add(Reach.links(fitting(value, () -> Links.signed(agent, Links.Key.of("gateway", key))
                            .page(link -> address))));
                }
            }
        });
        return all;
    }

    // --- nodes

    private Map<String, Node> fields(Node node, String of, String names) {
        Set<String> known = Set.of(names.split(" "));
        Map<String, Node> fields = map(node, of);
        for (Map.Entry<String, Node> field : fields.entrySet()) {
            if (!known.contains(field.getKey())) {
                throw refusal(
                        field.getValue(),
                        of + " has no \"" + field.getKey() + "\"",
                        "it may have " + new TreeSet<>(known));
            }
        }
        return fields;
    }

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

    private List<Node> each(@Nullable Node node, String of) {
        if (node == null) {
            return List.of();
        }
        if (!(node instanceof SequenceNode sequence)) {
            throw refusal(node, of + " must be a list", "write it like [one, two]");
        }
        return sequence.getValue();
    }

    private List<String> names(@Nullable Node node, String of) {
        return each(node, of).stream().map(name -> scalar(name, of)).toList();
    }

    private Optional<Integer> number(@Nullable Node node, String name, int least, int most) {
        return text(node, name).map(text -> {
            int number = text.matches("[0-9]{1,5}") ? Integer.parseInt(text) : -1;
            if (number < least || number > most) {
                throw refusal(node, name + " is \"" + text + "\"", "give a number from " + least + " to " + most);
            }
            return number;
        });
    }

    /** Names the line of what does not fit. */
    private <T> T fitting(Node node, Supplier<T> made) {
        try {
            return made.get();
        } catch (IllegalArgumentException e) {
            throw refusal(node, String.valueOf(e.getMessage()), "mend this line");
        }
    }

    private Map<String, String> texts(@Nullable Node node, String of) {
        Map<String, String> texts = new LinkedHashMap<>();
        if (node != null) {
            map(node, of).forEach((name, value) -> texts.put(name, scalar(value, name)));
        }
        return texts;
    }

    private Optional<String> text(@Nullable Node node, String name) {
        return Optional.ofNullable(node).map(present -> scalar(present, name));
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

    private Optional<Duration> duration(@Nullable Node node, String name) {
        return text(node, name).map(text -> {
            try {
                Duration duration = Duration.parse(text);
                if (duration.isNegative() || duration.isZero() && !name.equals("wait")) {
                    throw refusal(node, name + " is " + text, "give a time that is longer than nothing, such as PT30S");
                }
                return duration;
            } catch (DateTimeParseException e) {
                throw refusal(node, name + " is \"" + text + "\"", "write it as ISO 8601 has it: PT30S, PT15M, P1D");
            }
        });
    }

    private boolean truth(@Nullable Node node, String name) {
        return choice(node, name, "false", Map.of("true", true, "false", false));
    }

    private <T> T choice(@Nullable Node node, String name, String byDefault, Map<String, T> values) {
        String chosen = text(node, name).orElse(byDefault);
        T value = values.get(chosen);
        if (value == null) {
            throw refusal(node, name + " is \"" + chosen + "\"", "it may be one of " + new TreeSet<>(values.keySet()));
        }
        return value;
    }

    private static int line(Node node) {
        return node.getStartMark().getLine() + 1;
    }

    private IllegalArgumentException refusal(@Nullable Node node, String found, String remedy) {
        return new IllegalArgumentException(
                file + (node == null ? "" : ", line " + line(node)) + ": " + found + ". To mend it: " + remedy);
    }
}
