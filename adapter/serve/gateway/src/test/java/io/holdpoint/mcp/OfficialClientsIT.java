package io.holdpoint.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packaged program between the official clients and the official filesystem server, all from npm. */
class OfficialClientsIT {

    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();
    private static final String JAR = Path.of(System.getProperty("gateway.jar", "target/holdpoint-gateway.jar"))
            .toAbsolutePath()
            .toString();
    private static final Path NODE = Path.of("target", "node").toAbsolutePath();

    @TempDir
    private Path directory;

    private Path data;

    @BeforeEach
    void makeFolder() throws IOException {
        data = Files.createDirectories(directory.resolve("data"));
    }

    @Test
    void theFiveMinutesOfTheGuide() throws Exception {
        String guide = Path.of("..", "..", "docs", "guides", "mcp-gateway.md")
                .toAbsolutePath()
                .toString();
        assertThat(node("client.mjs", guide, JAVA, JAR, data.toString()))
                .containsExactly(
                        "read: hello",
                        "asked: 1 tools.write_file there: false",
                        "decided: 202",
                        "wrote: true written",
                        "again: true there: false");
    }

    @Test
    void clientsOfEachEraWithFormsAndWithout() throws Exception {
        assertThat(node("eras.mjs", JAVA, JAR, config("PT20S"), data.toString()))
                .containsExactly(
                        "1.x with forms: true a",
                        "1.x declined: The call of \"write_file\" was not executed. A person declined this call. No reason was given. Do not repeat this call unless the user asks for it. not there",
                        "forms: 2 true",
                        "2.x over stdio: 2026-07-28 true c",
                        "2.x declined: true not there",
                        "2.x over HTTP: 2026-07-28 true not there",
                        "later: true d",
                        "2026-07-28 asked: true e",
                        "2026-07-28 declined: true not there",
                        "forms: 6");
    }

    /** The model says in its arguments that it approves, which counts for nothing. */
    @Test
    void theInboxForClientsOfEachEra() throws Exception {
        Path paid = directory.resolve("paid");
        assertThat(node(
                        "inbox.mjs",
                        Stream.concat(Stream.of(paid.toString()), InboxProgram.command(paid).stream())
                                .toArray(String[]::new)))
                .containsExactly(
                        "1.x: sessions Pay \"Bob\"? Pay \"Eve\"?",
                        "Nothing was decided: the user has closed the form.",
                        "The answer is stored.",
                        "The answer is stored.",
                        "pay {\"to\":\"Bob\"} pay {\"to\":\"Bob\"} pay {\"to\":\"Eve\"} paid: Eve",
                        "2.x: 2026-07-28 Pay \"Bob\"? Pay \"Eve\"?",
                        "Nothing was decided: the user has closed the form.",
                        "The answer is stored.",
                        "The answer is stored.",
                        "pay {\"to\":\"Bob\"} pay {\"to\":\"Bob\"} pay {\"to\":\"Eve\"} paid: Eve Eve");
    }

    /** The frame shows the card in the host's language, and asks by the host's form; where that has none, nothing is decided. */
    @Test
    void theCardInAFrameOfTheOfficialHost() throws Exception {
        Path paid = directory.resolve("paid");
        List<String> arguments = new ArrayList<>(List.of(paid.toString(), browser()));
        arguments.addAll(InboxProgram.command(paid));
        assertThat(node("app.mjs", arguments.toArray(String[]::new)))
                .containsExactly(
                        "dark Wartet auf Sie pay Pay \"Bob\"? Vorgeschlagen von ada, nicht von einem Modell. To Bob Als JSON"
                                + " Ihr Assistent zeigt ein Formular: nur was Sie dort sagen, zählt.",
                        "Antworten… Seite öffnen - holdpoint-card",
                        "closed: nothing",
                        "approved: Bob - Nicht mehr offen pay Pay \"Bob\"? Vorgeschlagen von ada, nicht von einem Modell. To Bob Als JSON",
                        "light Waiting for you pay Pay \"Eve\"? Proposed by ada, not by a model. To Eve As JSON"
                                + " Your assistant shows a form: only what you say there counts.",
                        "without forms: Bob https://people.example/");
    }

    /** Without a browser the test is skipped, except on a build server. */
    private static String browser() {
        Stream<Path> usual = Stream.of("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
                .flatMap(name -> Stream.of(System.getenv("PATH").split(File.pathSeparator))
                        .map(folder -> Path.of(folder, name)));
        return Stream.concat(Stream.ofNullable(System.getenv("CHROMIUM")).map(Path::of), usual)
                .filter(Files::isExecutable)
                .findFirst()
                .orElseGet(() -> missing("the card in a frame of an MCP host. It needs Chromium"))
                .toString();
    }

    private static <T> T missing(String what) {
        String message = "NOT TESTED: " + what;
        assertThat(System.getenv("CI")).as(message).isNotEqualTo("true");
        System.err.println(message);
        return abort(message);
    }

    /** The inspector opens a session for each call, in which the same call finds its question. */
    @Test
    void theOfficialInspector() throws Exception {
        assertThat(node("inspector.mjs", JAVA, JAR, config("PT1S"), data.toString()))
                .containsExactly(
                        "tools: true", "read: hello", "held: true there: false", "later: true written", "questions: 1");
    }

    private String config(String wait) throws IOException {
        Path server = NODE.resolve("node_modules/@modelcontextprotocol/server-filesystem/dist/index.js");
        return Files.writeString(
                        directory.resolve("gateway.yml"),
                        "servers: { files: { command: node, args: ['" + server + "', '" + data
                                + "'] } }\npolicies: [ { tools: '*', when: not readOnly } ]\nelicit: true\nwait: "
                                + wait
                                + "\nstore: 'jdbc:sqlite:" + directory.resolve("gateway.db")
                                + "'\npage: { port: 0 }")
                .toString();
    }

    private static Stream<String> node(String script, String... arguments) throws Exception {
        return run(
                        NODE,
                        Stream.concat(Stream.of("node", script), Stream.of(arguments))
                                .toList())
                .lines();
    }

    /** Without Node.js the test is skipped, except on a build server. */
    @BeforeAll
    static void install() throws Exception {
        try {
            run(Path.of("."), List.of("npm", "--version"));
        } catch (IOException missing) {
            missing("the gateway with the official MCP clients. It needs Node.js 20 or later.");
        }
        Files.createDirectories(NODE);
        for (String file : List.of(
                "package.json",
                "package-lock.json",
                "app.mjs",
                "client.mjs",
                "eras.mjs",
                "inbox.mjs",
                "inspector.mjs")) {
            Files.write(NODE.resolve(file), Files.readAllBytes(Path.of("src", "test", "node", file)));
        }
        run(NODE, List.of("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"));
    }

    private static String run(Path directory, List<String> command) throws Exception {
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(printed).isZero();
        return printed;
    }
}
