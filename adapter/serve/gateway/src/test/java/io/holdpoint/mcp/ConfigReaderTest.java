package io.holdpoint.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdpoint.Approvals;
import io.holdpoint.Audience;
import io.holdpoint.Caller;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the gateway's file says, and what is wrong with it. */
class ConfigReaderTest {

    private static final String SERVER = "servers: { files: { command: npx } }";

    private static GatewayConfig read(String yaml) {
        return ConfigReader.read(
                "gateway.yml",
                yaml,
                Map.of(
                        "TOKEN", "0123456789abcdef0123",
                        "KEY", "k",
                        "HOOK", "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3",
                        "LONG", "0123456789abcdef0123456789abcdef"));
    }

    @Test
    void everythingThatItMaySay() {
        GatewayConfig config = read("""
                servers:
                  files: { command: npx, args: [-y, "@modelcontextprotocol/server-filesystem", /data], env: { A: "${KEY}" } }
                  crm: { url: "https://crm.example.com/mcp?x=1", headers: { Authorization: "Bearer ${KEY}" }, timeout: PT10S }
                policies:
                  - { tools: "files.write_*", approval: required, expiresAfter: P1D, editable: [content] }
                  - { tools: "crm.delete_*", approvals: 1, group: leads }
                  - { tools: "*", when: not readOnly, approval: required, remind: PT1H, decideByLink: true, remember: { for: PT1H, same: [path], calls: 20 } }
                store: jdbc:postgresql://db/holdpoint
                user: gateway
                password: ${KEY}
                wait: PT1M
                elicit: true
                page:
                  host: 0.0.0.0
                  port: 8000
                  address: "https://holdpoint.example.com"
                  halt: leads
                  people: { grace: { token: "${TOKEN}", groups: [leads] } }
                tell:
                  slack: "https://hooks.slack.com/services/${KEY}"
                  webhook: { url: "https://erp.example/approvals", secret: "${HOOK}" }
                  links: "${LONG}"
                """);

        assertThat(config.servers()).containsOnlyKeys("files", "crm");
        assertThat(config.servers().get("files").command())
                .containsExactly("npx", "-y", "@modelcontextprotocol/server-filesystem", "/data");
        assertThat(config.servers().get("files").env()).containsEntry("A", "k");
        assertThat(config.servers().get("crm").headers()).containsEntry("Authorization", "Bearer k");
        assertThat(config.servers().get("crm").timeout()).isEqualTo(Duration.ofSeconds(10));
        assertThat(config.policies()).extracting(GatewayConfig.Policy::line).containsExactly(5, 6, 7);
        assertThat(config.policies().get(0).editable()).contains(List.of("content"));
        assertThat(config.policies().get(1).people()).isEqualTo(Approvals.of(1).by(Audience.role("leads")));
        assertThat(config.policies().get(2).remember())
                .contains(new GatewayConfig.Remember(Duration.ofHours(1), List.of("path"), 20));
        assertThat(config.policies().get(2).timeline().orElseThrow().steps()).hasSize(1);
        assertThat(config.policies().get(2).decideByLink()).isTrue();
        assertThat(config.page().halt()).contains("leads");
        assertThat(config.tells()).hasSize(3);
        assertThat(config.policies().get(2).unlessReadOnly()).isTrue();
        assertThat(config.page().people().values()).extracting(Caller::id).containsExactly("grace");
        assertThat(config.waiting()).isEqualTo(Duration.ofMinutes(1));
        assertThat(config.elicit()).isTrue();
    }

    @Test
    void aServerIsEnough() {
        GatewayConfig config = read(SERVER);

        assertThat(config.store()).isEqualTo("jdbc:sqlite:holdpoint.db");
        assertThat(config.waiting()).isEqualTo(Duration.ofSeconds(30));
        assertThat(config.page().host()).isEqualTo("127.0.0.1");
        assertThat(config.elicit()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a: [| line 1: is no YAML",
                "# nothing| line 1: there is no server",
                "policies: []| line 1: there is no server",
                "servers: {}| there is no server",
                "servers: { 'a b': { command: x } }| \"a b\" is no name of a server",
                "servers: { a: { comand: x } }| the server a has no \"comand\"",
                "servers: { a: { } }| the server a has no command",
                "servers: { a: { command: x, url: 'http://x/' } }| the server a with a url has no \"command\"",
                "servers: { a: { url: crm } }| url is no address of a server",
                "servers: { a: { url: 'http://x/', args: [b] } }| the server a with a url has no \"args\"",
                "servers: { a: { command: x, headers: { b: c } } }| the server a without a url has no \"headers\"",
                "servers: { a: { command: x }, a: { command: y } }| \"a\" stands there twice",
                "servers: { a: { command: '${NONE}' } }| the variable NONE is not set",
                "servers: { a: { command: x, timeout: 30s } }| write it as ISO 8601",
                "servers: { a: { command: x } }\\npolicies: [ { approval: required } ]| line 2: the policy has no tools",
                "servers: { a: { command: x } }\\npolicies: [ { tools: b, approval: never } ]| line 2: approval is \"never\"",
                "servers: { a: { command: x } }\\npolicies: [ { tools: b, when: readOnly } ]| line 2: when is \"readOnly\"",
                "servers: { a: { command: x } }\\npolicies: [ { tools: b, approvals: 0 } ]| line 2: approvals is \"0\"",
                "servers: { a: { command: x } }\\npolicies: [ { tools: b, approval: none, approvals: 2 } ]| the policy with approval: none has no \"approvals\"",
                "servers: { a: { command: x } }\\npolicies: [ { tools: b, approval: none, decideByLink: true } ]| the policy with approval: none has no \"decideByLink\"",
                "servers: { a: { command: x } }\\npolicies: [ { tools: b, remind: PT1H, expiresAfter: PT1H } ]| line 2: remind must be between the question and its end (PT1H), but would be PT1H after the question. To mend it: give another remind",
                "servers: { a: { command: x } }\\npolicies: [ { tools: b, remember: { for: PT10S } } ]| line 2: for is PT10S",
                "servers: { a: { command: x } }\\npolicies: [ { tools: b, remember: { for: PT1H, same: [c] } } ]| line 2: same and calls go together",
                "servers: { a: { command: x } }\\npolicies: [ { tools: b, approvals: 2, remember: { for: PT1H } } ]| is not remembered",
                "servers: { a: { command: x } }\\npage: { halt: leads }| line 2: nobody of the page is in the group leads",
                "servers: { a: { command: x } }\\ntell: { slack: 'https://x' }| line 2: messages have to lead to the page",
                "servers: { a: { command: x } }\\npage: { address: 'https://x' }\\ntell: { slak: y }| tell has no \"slak\"",
                "servers: { a: { command: x } }\\npage: { address: 'https://x' }\\ntell: { slack: y }| slack is no address",
                "servers: { a: { command: x } }\\npage: { address: 'https://x', people: { g: { token: 0123456789abcdef } } }\\ntell: { webhook: { url: 'http://x', secret: '${HOOK}' }, links: short }| line 3: links: The key \"gateway\" has 5 bytes and must have at least 32: take random ones. To mend it: give another links",
                "servers: { a: { command: x } }\\npage: { address: 'https://x', people: { g: { token: 0123456789abcdef } } }\\ntell: { links: '${LONG}' }| line 3: nobody gets these links",
                "servers: { a: { command: x } }\\npage: { address: 'https://x' }\\ntell: { webhook: { url: 'http://x', secret: '${HOOK}' }, links: '${LONG}' }| line 3: nobody gets these links",
                "servers: { a: { command: x } }\\npage: { address: 'https://x' }\\ntell: { webhook: { url: 'http://x', secret: y } }| line 3: secret: Webhook.to(...): a secret must be whsec_",
                "servers: { a: { command: x } }\\npolicies: { tools: b }| policies must be a list",
                "servers: { a: { command: x } }\\nwait: -PT1S| line 2: wait is -PT1S",
                "servers: { a: { command: x } }\\npage: { port: 70000 }| line 2: port is \"70000\"",
                "servers: { a: { command: x } }\\npage: { host: 0.0.0.0 }| everybody in the network of 0.0.0.0 could decide",
                "servers: { a: { command: x } }\\npage: { people: { grace: { } } }| the person grace has no token",
                "servers: { a: { command: x } }\\npage: { people: { grace: { token: short } } }| the token of grace is too short",
                "servers: { a: { command: x } }\\npage: { people: { 'mcp:x': { token: 0123456789abcdef } } }| is taken by the record",
            })
    void whatIsWrongIsNamedWithItsLineAndTheRemedy(String yaml, String expected) {
        assertThatThrownBy(() -> read(yaml.replace("\\n", "\n")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("gateway.yml")
                .hasMessageContaining(expected);
    }

    @Test
    void theFileOfTheGuideIsOne() throws IOException {
        Matcher file = Pattern.compile("(?s)```yaml\n(.*?)```")
                .matcher(Files.readString(Path.of("..", "..", "docs", "guides", "mcp-gateway.md")));
        assertThat(file.find()).isTrue();
        GatewayConfig config = ConfigReader.read(
                "gateway.yml",
                file.group(1),
                Map.of(
                        "CRM_TOKEN", "crm",
                        "TOKEN_OF_GRACE", "token-of-grace-0123",
                        "TOKEN_OF_HENRY", "token-of-henry-0123"));

        assertThat(config.servers()).containsOnlyKeys("files", "crm");
        assertThat(config.policies()).hasSize(3);
        assertThat(file.find()).isTrue();
        Map<String, String> secrets = Map.of(
                "SLACK_WEBHOOK", "https://hooks.slack.com/services/x",
                "WEBHOOK_SECRET", "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3",
                "LINK_KEY", "0123456789abcdef0123456789abcdef",
                "TOKEN_OF_GRACE", "token-of-grace-0123");
        assertThat(ConfigReader.read("gateway.yml", SERVER + "\n" + file.group(1), secrets)
                        .tells())
                .hasSize(3);
    }

    @Test
    void noValueOfAVariableStandsInAMessage() {
        assertThatThrownBy(() -> read(SERVER + "\npage: { people: { grace: { token: '${KEY}' } } }"))
                .hasMessageContaining("the token of grace is too short")
                .hasMessageNotContaining("\"k\"");
    }

    @Test
    void whoeverHasToApproveSomethingHasToApproveItInEveryCaseOfLettersAndWithoutAnybodyOnlyThatRunsWhichIsNamed() {
        GatewayConfig config = read(SERVER + "\npolicies: [ { tools: 'files.write_*', approval: required },"
                + " { tools: 'files.write_*', approval: none }, { tools: 'files.a+*' } ]");
        List<GatewayConfig.Policy> policies = config.policies();

        for (String name : List.of("write_a", "write_", "write_a\nb", "write_\u2028")) {
            assertThat(policies.get(0).names(tool(name))).as(name).isTrue();
            assertThat(policies.get(1).names(tool(name))).as(name).isTrue();
        }
        assertThat(policies.get(0).names(tool("Write_x"))).isTrue();
        assertThat(policies.get(1).names(tool("Write_x"))).isFalse();
        for (String other : List.of("overwrite_a", "write-a", "\nwrite_a", "write")) {
            assertThat(policies.get(0).names(tool(other))).as(other).isFalse();
        }
        assertThat(policies.get(2).names(tool("a+b"))).isTrue();
        assertThat(policies.get(2).names(tool("aab"))).isFalse();
    }

    private static UpstreamTool tool(String name) {
        return new UpstreamTool("files", new Tool(name, null, "", Map.of(), null, null, null, null));
    }

    @Test
    void aCommandInAnotherDirectoryIsAnotherServer() {
        List<String> command = List.of("server-filesystem", ".");
        String store = Gateway.ofCommand(Path.of("/a"), command, Map.of()).store();

        assertThat(Gateway.ofCommand(Path.of("/a"), command, Map.of()).store()).isEqualTo(store);
        assertThat(Gateway.ofCommand(Path.of("/b"), command, Map.of()).store()).isNotEqualTo(store);
    }

    @Test
    void noPasswordOfTheStoreStandsInAMessage() {
        GatewayConfig config = read(SERVER + "\nstore: 'jdbc:nosuch://db/holdpoint?password=${TOKEN}'");

        assertThatThrownBy(() -> Gateway.start(config, true, InputStream.nullInputStream()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("The store jdbc:nosuch://db/holdpoint cannot be used")
                .hasMessageNotContaining("0123456789abcdef0123");
    }

    @Test
    void aFileThatIsNotThereIsNamed() {
        assertThatThrownBy(() -> GatewayConfig.read(Path.of("nowhere.yml"), Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nowhere.yml");
    }
}
