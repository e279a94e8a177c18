package io.holdpoint.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.store.InMemoryStore;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a client writes that no honest one would, or a model has it write: its session goes on. */
@Timeout(60)
class StrangeClientsTest {

    private static final List<String> SESSION = List.of(
            "{'jsonrpc':'2.0','id':1,'method':'initialize','params':{'protocolVersion':'2025-06-18','capabilities':{},"
                    + "'clientInfo':{'name':'a','version':'1'}}}",
            "{'jsonrpc':'2.0','method':'notifications/initialized'}");
    private static final String META = "'_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28',"
            + "'io.modelcontextprotocol/clientInfo':{'name':'a','version':'1'},"
            + "'io.modelcontextprotocol/clientCapabilities':{}}";
    private static final List<String> NEW_ERA =
            List.of("{'jsonrpc':'2.0','id':1,'method':'tools/list','params':{" + META + "}}");

    private final Notes notes = new Notes();

    static Stream<Arguments> lines() {
        return Stream.of(SESSION, NEW_ERA).flatMap(begin -> Stream.of(
                        "{'jsonrpc':'2.0','id':2,'method':'tools/call','params':{'name':'read','arguments':{'text':1e99999999999999999999},"
                                + META + "}}",
                        "{'jsonrpc':'2.0','id':2,'method':'tools/call','params':{'name':'read','arguments':7," + META
                                + "}}",
                        "{'jsonrpc':'2.0','id':{},'method':'tools/call','params':7}",
                        "{'jsonrpc':'2.0','id':null,'method':7}",
                        "{}",
                        "no message")
                .map(line -> Arguments.of(begin, line)));
    }

    @ParameterizedTest
    @MethodSource("lines")
    void aLineThatIsNoMessageEndsNoSession(List<String> begin, String line) throws Exception {
        PipedOutputStream client = new PipedOutputStream();
        PipedInputStream told = new PipedInputStream(1 << 16);
        GatewayConfig config = ConfigReader.read(
                "gateway.yml",
                "servers: { notes: { command: notes } }\npolicies: [ { tools: '*', approval: none } ]",
                Map.of());
        try (McpGateway gateway =
                new McpGateway(config, new InMemoryStore(), "Ask grace.", Clock.systemUTC(), server -> notes::start)) {
            gateway.serve(new PipedInputStream(client, 1 << 16), new PipedOutputStream(told));
            String last = "{'jsonrpc':'2.0','id':3,'method':'tools/list','params':{" + META + "}}";
            for (String each :
                    Stream.of(begin, List.of(line, last)).flatMap(List::stream).toList()) {
                client.write((each.replace('\'', '"') + "\n").getBytes(StandardCharsets.UTF_8));
                client.flush();
            }
            BufferedReader lines = new BufferedReader(new InputStreamReader(told, StandardCharsets.UTF_8));
            String answer = lines.readLine();
            while (!answer.contains("\"id\":3")) {
                answer = lines.readLine();
            }
            assertThat(answer).contains("\"write\"");
        }
    }
}
