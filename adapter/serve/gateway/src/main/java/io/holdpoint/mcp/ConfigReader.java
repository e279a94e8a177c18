package io.holdpoint.mcp;

import io.holdpoint.mcp.GatewayConfig.Page;
import io.holdpoint.mcp.GatewayConfig.Person;
import io.holdpoint.mcp.GatewayConfig.Policy;
import io.holdpoint.mcp.GatewayConfig.Server;
import java.io.StringReader;
import java.net.URI;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
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
        Map<String, Node> fields = fields(
                root, "the file", Set.of("servers", "policies", "store", "user", "password", "wait", "elicit", "page"));
        Node servers = fields.get("servers");
        if (servers == null) {
            throw refusal(
                    root,
                    "servers are missing",
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
        if (named.isEmpty()) {
            throw refusal(servers, "there is no server", "name at least one: files: { command: npx, args: [...] }");
        }
        List<Policy> policies = new ArrayList<>();
        for (Node policy : each(fields.get("policies"), "policies")) {
            policies.add(policy(policy));
        }
        Page page = page(fields.get("page"));
        requireVoters(policies, page);
        return new GatewayConfig(
                named,
                List.copyOf(policies),
                text(fields.get("store"), "store").orElse("jdbc:sqlite:holdpoint.db"),
                text(fields.get("user"), "user"),
                text(fields.get("password"), "password"),
                duration(fields.get("wait"), "wait").orElse(GatewayConfig.DEFAULT_WAIT),
                truth(fields.get("elicit"), "elicit"),
                page);
    }

    private Server server(String name, Node node) {
        Map<String, Node> fields =
                fields(node, "the server " + name, Set.of("command", "args", "env", "url", "headers", "timeout"));
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
            requireUrl(fields.get("url"), url.get());
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

    private void requireUrl(Node node, String url) {
        URI uri;
        try {
            uri = URI.create(url);
        } catch (IllegalArgumentException e) {
            throw refusal(node, "url is no address", "write it like https://crm.example.com/mcp");
        }
        if (uri.getHost() == null || !Set.of("http", "https").contains(String.valueOf(uri.getScheme()))) {
            throw refusal(node, "url is no address of a server", "write it like https://crm.example.com/mcp");
        }
    }

    private Policy policy(Node node) {
        Map<String, Node> fields = fields(
                node,
                "the policy",
                Set.of("tools", "approval", "approvals", "group", "expiresAfter", "editable", "when"));
        String tools = text(fields.get("tools"), "tools")
                .orElseThrow(() -> refusal(
                        node,
                        "tools are missing",
                        "name them with their server: tools: \"files.write_*\", or \"*\" for all"));
        boolean required =
                choice(fields.get("approval"), "approval", "required", Map.of("required", true, "none", false));
        if (!required) {
            for (String more : List.of("approvals", "group", "expiresAfter", "editable")) {
                if (fields.containsKey(more)) {
                    throw refusal(fields.get(more), more + " does not go with approval: none", "remove one of them");
                }
            }
        }
        int approvals = text(fields.get("approvals"), "approvals")
                .map(number -> {
                    if (!number.matches("[1-9][0-9]?")) {
                        throw refusal(
                                fields.get("approvals"),
                                "approvals is \"" + number + "\"",
                                "give a number from 1 to 99");
                    }
                    return Integer.parseInt(number);
                })
                .orElse(1);
        Optional<List<String>> editable = Optional.ofNullable(fields.get("editable"))
                .map(names -> each(names, "editable").stream()
                        .map(name -> scalar(name, "editable"))
                        .toList());
        return new Policy(
                line(node),
                tools,
                required,
                choice(fields.get("when"), "when", "always", Map.of("always", false, "not readOnly", true)),
                approvals,
                text(fields.get("group"), "group"),
                duration(fields.get("expiresAfter"), "expiresAfter"),
                editable);
    }

    private Page page(@Nullable Node node) {
        if (node == null) {
            return new Page("127.0.0.1", GatewayConfig.DEFAULT_PORT, Map.of());
        }
        Map<String, Node> fields = fields(node, "the page", Set.of("host", "port", "people"));
        String host = text(fields.get("host"), "host").orElse("127.0.0.1");
        int port = text(fields.get("port"), "port")
                .map(number -> {
                    if (!number.matches("[0-9]{1,5}") || Integer.parseInt(number) > 65_535) {
                        throw refusal(
                                fields.get("port"), "port is \"" + number + "\"", "give a number from 0 to 65535");
                    }
                    return Integer.parseInt(number);
                })
                .orElse(GatewayConfig.DEFAULT_PORT);
        Map<String, Person> people = new LinkedHashMap<>();
        if (fields.containsKey("people")) {
            map(fields.get("people"), "people").forEach((id, person) -> {
                Map<String, Node> said = fields(person, "the person " + id, Set.of("token", "groups"));
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
                List<String> groups = each(said.get("groups"), "groups").stream()
                        .map(group -> scalar(group, "groups"))
                        .toList();
                people.put(token, new Person(id, groups));
            });
        }
        if (people.isEmpty() && !Set.of("127.0.0.1", "::1", "localhost").contains(host)) {
            throw refusal(
                    fields.get("host"),
                    "everybody in the network of " + host + " could decide",
                    "say who may: page: { people: { grace: { token: ${GRACES_TOKEN} } } }, or leave host out");
        }
        return new Page(host, port, people);
    }

    /** A question that nobody could answer must not be asked. */
    private void requireVoters(List<Policy> policies, Page page) {
        for (Policy policy : policies) {
            long voters = page.people().values().stream()
                    .filter(person ->
                            policy.group().map(person.groups()::contains).orElse(true))
                    .count();
            boolean isNamed = policy.group().isPresent() || policy.approvals() > 1;
            if (isNamed && voters < policy.approvals()) {
                throw new IllegalArgumentException(file + ", line " + policy.line() + ": the policy for \""
                        + policy.tools()
                        + "\" needs " + policy.approvals() + " of "
                        + policy.group().map(group -> "the group " + group).orElse("the people")
                        + ", and the page knows "
                        + voters + ". Add them: page: { people: { grace: { token: ${GRACES_TOKEN}, groups: ["
                        + policy.group().orElse("") + "] } } }");
            }
        }
    }

    // --- nodes

    private Map<String, Node> fields(Node node, String of, Set<String> known) {
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
