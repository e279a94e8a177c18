package io.holdpoint.tutorials;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What each text asks the reader to change is changed in a copy of its program, which is compiled and run. */
@Tag("deep")
class ExercisesTest {

    private static final int LONGEST_SECONDS = 240;

    @TempDir
    private Path folder;

    private final List<String> arguments = new ArrayList<>();
    private String program = "";
    private String main = "";

    private ExercisesTest tutorial(String tutorial) throws IOException {
        main = "io.holdpoint.tutorials.t" + tutorial + ".Main";
        program = Files.readString(source(tutorial));
        return this;
    }

    private static Path source(String tutorial) {
        return Path.of("src", "main", "java", "io", "holdpoint", "tutorials", "t" + tutorial, "Main.java");
    }

    private ExercisesTest with(String text, String replacement) {
        assertThat(program).contains(text);
        program = program.replace(text, replacement);
        return this;
    }

    /** All that the changed program prints, with the trace of an exception that ends it. */
    private String prints(String... typed) throws Exception {
        List<URL> classes = new ArrayList<>(List.of(compiled().toUri().toURL()));
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            classes.add(Path.of(entry).toUri().toURL());
        }
        InputStream in = System.in;
        PrintStream out = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        try (Changed changed = new Changed(classes.toArray(URL[]::new));
                PrintStream printing = new PrintStream(printed, true, UTF_8)) {
            System.setIn(new ByteArrayInputStream(String.join("\n", typed).getBytes(UTF_8)));
            System.setOut(printing);
            try {
                changed.loadClass(main).getMethod("main", String[].class).invoke(null, (Object)
                        arguments.toArray(String[]::new));
            } catch (InvocationTargetException e) {
                printing.print("Exception in thread \"main\" ");
                e.getCause().printStackTrace(printing);
            }
        } finally {
            System.setIn(in);
            System.setOut(out);
        }
        return printed.toString(UTF_8);
    }

    /** Takes the tutorials' classes from here, where the changed one stands first, and all others as they are loaded already. */
    private static final class Changed extends URLClassLoader {

        Changed(URL... classes) {
            super(classes, ExercisesTest.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("io.holdpoint.tutorials.")) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded == null ? findClass(name) : loaded;
            }
        }
    }

    private Path compiled() throws IOException {
        Path source = Files.writeString(folder.resolve("Main.java"), program);
        Path classes = Files.createDirectories(folder.resolve("classes"));
        int failed = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-parameters",
                        "-proc:none",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-d",
                        classes.toString(),
                        source.toString());
        assertThat(failed).isZero();
        return classes;
    }

    /** As {@link #prints}, in a process of its own, as the reader runs it. */
    private String printsAlone(String... typed) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                compiled() + File.pathSeparator + System.getProperty("java.class.path"),
                main));
        command.addAll(arguments);
        Path printed = folder.resolve("printed.txt");
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(printed.toFile())
                .start();
        try {
            process.getOutputStream().write(String.join("\n", typed).getBytes(UTF_8));
            process.getOutputStream().close();
            assertThat(process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS))
                    .as(() -> "ends within " + LONGEST_SECONDS + " seconds; it printed:\n" + read(printed)
                            + threads(process))
                    .isTrue();
            return Files.readString(printed);
        } finally {
            process.destroyForcibly();
        }
    }

    private static String read(Path printed) {
        try {
            return Files.readString(printed);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What keeps a program from ending. */
    private static String threads(Process process) {
        try {
            Process dump = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "jcmd")
                                    .toString(),
                            String.valueOf(process.pid()),
                            "Thread.print")
                    .redirectErrorStream(true)
                    .start();
            return new String(dump.getInputStream().readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void theProgramOfTheReadmeRunsAsItStands() throws Exception {
        String readme = Files.readString(Path.of("..", "..", "README.md"));
        program = readme.split("(?m)^```(java)?\\n", 7)[5];
        main = "Main";

        assertThat(printsAlone("y"))
                .contains("Send email to \"ada@example.com\" with subject 'Hi'? (y/n)\n"
                        + "Sent to ada@example.com: Hi. See you on Friday.\nI was told: sent\n");
        assertThat(printsAlone("n"))
                .contains("I was told: The call of \"sendEmail\" was not executed")
                .doesNotContain("Sent to");
    }

    @Test
    void aMessageShowsTheBodyToo() throws Exception {
        assertThat(tutorial("01")
                        .with("'{{subject}}'?", "'{{subject}}'? {{body}}")
                        .prints("y"))
                .contains("\"See you on Friday.\" (y/n)", "(sendEmail runs");
    }

    @Test
    void aModelThatAsksBackIsHeard() throws Exception {
        assertThat(tutorial("01")
                        .with("return model.calls(", "return model.says(\"What is her address?\").calls(")
                        .prints("y"))
                .contains("Nothing is held; the model said: \"What is her address?\"");
    }

    @Test
    void nothingMayBeEdited() throws Exception {
        String printed =
                tutorial("03").with("{\"amount\", \"reference\"}", "{}").prints();

        assertThat(printed.lines().filter(line -> line.startsWith("Refused:"))).hasSize(3);
        assertThat(printed).doesNotContain("pay runs", "Exception in thread");
    }

    @Test
    void bothBookingsAreDenied() throws Exception {
        assertThat(tutorial("04")
                        .with("flight.approve(), hotel.deny", "flight.deny(), hotel.deny")
                        .prints())
                .doesNotContain("bookFlight runs", "Exception")
                .contains("was not executed");
    }

    @Test
    void aChildIsNoGuest() throws Exception {
        assertThat(tutorial("05")
                        .with(
                                "@AsksUser(message = \"Who is the guest on {{day}}?\")",
                                "@AsksUser(message = \"Who is the guest on {{day}}?\", responseSchema ="
                                        + " \"{\\\"properties\\\": {\\\"age\\\": {\\\"minimum\\\": 18}}}\")")
                        .with("new Guest(\"Ada\", 36, true)", "new Guest(\"Ada\", 12, true)")
                        .prints())
                .contains("INTERRUPT_PAYLOAD_INVALID", "age", "18");
    }

    @Test
    void aPolicyTightensAnAnnotation() throws Exception {
        assertThat(tutorial("06")
                        .with("agent.send(", "agent.as(io.holdpoint.Caller.of(\"ada\", \"intern\")).send(")
                        .with("agent.resume(", "agent.as(io.holdpoint.Caller.of(\"ada\", \"intern\")).resume(")
                        .with(
                                ".toolPolicies(",
                                ".toolPolicies(ToolPolicy.named(\"refund\").when(call ->"
                                        + " ApprovalVerdict.requireApprovalIf(call.caller().roles().contains(\"intern\"))), ")
                        .prints())
                .contains("Held: Run refund? (amount: 20)");
    }

    @Test
    void aCallThatWasCutOffIsAskedAbout() throws Exception {
        String halts = "Runtime.getRuntime().halt(1);\n            return \"transferred\";";
        String url = "jdbc:sqlite:" + folder.resolve("tutorial.db");
        arguments.add(url);

        assertThat(tutorial("07")
                        .with("return \"transferred\";", "if (true) " + halts)
                        .printsAlone())
                .contains("Held: Transfer 200 euros");
        assertThat(printsAlone()).contains("(transfer runs").doesNotContain("One node");
        assertThat(printsAlone()).contains("RUN_IN_PROGRESS");
        try (Connection database = DriverManager.getConnection(url)) {
            assertThat(database.createStatement().executeUpdate("UPDATE holdpoint_lease SET ends_at = 0"))
                    .isOne();
        }

        assertThat(tutorial("07").printsAlone())
                .contains("Found: The run was stopped while \"transfer\" was running", "One node: Bob has his money.")
                .doesNotContain("(transfer runs");
    }

    @Test
    void aManagerApprovesHerOwnRaise() throws Exception {
        assertThat(tutorial("08")
                        .with(
                                "ApprovalAuthorizer.fourEyes(ApprovalAuthorizer.role(\"manager\"))",
                                "ApprovalAuthorizer.role(\"manager\")")
                        .prints())
                .contains("Ada approves her own:  The salary is raised.")
                .doesNotContain("Exception");
    }

    @Test
    void theOtherServersQuestionIsDenied() throws Exception {
        assertThat(tutorial("12")
                        .with(
                                "Map.of(\"approved\", true)",
                                "Map.of(\"approved\", false, \"reason\", \"no van on Monday\")")
                        .prints())
                .contains("no van on Monday")
                .doesNotContain("fetch runs");
    }

    @Test
    void afterFiveDaysNothingRuns() throws Exception {
        assertThat(tutorial("13")
                        .with("Duration.ofHours(45)", "Duration.ofDays(5)")
                        .prints())
                .contains("NOT_EXECUTED", "Heidi approves:        Refused")
                .doesNotContain("pay runs");
    }

    @Test
    void aDenialByMailRunsNothing() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        assertThat(tutorial("14")
                        .with("run(8080", "run(" + port)
                        .with("decision=approve", "decision=deny")
                        .prints())
                .contains("denied by grace, not executed", "You have denied this. It was not executed.")
                .doesNotContain("pay runs", "Exception in thread");
    }

    @Test
    void aDenialInSlackRunsNothing() throws Exception {
        assertThat(tutorial("15")
                        .with("\"U-GRACE\", \"approve\"", "\"U-GRACE\", \"deny\"")
                        .prints())
                .contains("denied by grace, not executed")
                .doesNotContain("pay runs", "Exception in thread");
    }

    @Test
    void aDenialThroughTheEngineRunsNothing() throws Exception {
        assertThat(tutorial("16")
                        .with("Answer(\"grace\", true)", "Answer(\"grace\", false)")
                        .prints())
                .contains("The workflow ends: denied by grace, not executed")
                .doesNotContain("pay runs", "Exception in thread");
    }

    @Test
    void aDeniedDocumentIsNotPublished() throws Exception {
        assertThat(tutorial("17")
                        .with("start(8080, Duration.ofMillis(150)", "start(0, Duration.ZERO")
                        .with("second.approve()", "second.deny(\"Not yet.\")")
                        .prints())
                .contains("Held:      Publish \"The pool\", version 3?")
                .doesNotContain("on the board", "Exception");
    }

    @Test
    void aKnownRecipientIsPaidUnasked() throws Exception {
        assertThat(tutorial("18")
                        .with("blocked.add(\"Mallory\")", "blocked.add(\"Bob\")")
                        .prints())
                .contains("Because: Nobody has paid Mallory before.", "(pay runs: Mallory, 10)", "Told:    paid")
                .doesNotContain("the recipient is blocked", "Exception");
    }

    @Test
    void aFactThatIsNeverTheSameLetsNothingRun() throws Exception {
        assertThat(tutorial("19")
                        .with(
                                ".holds(\"balance\", balance)",
                                ".holds(\"balance\", balance).holds(\"time\", System.nanoTime())")
                        .prints())
                .contains("balance was 0 and is 50000; time was ")
                .doesNotContain("deleteCustomer runs", "Exception");
    }

    @Test
    void aResultThatNamesNoDocumentIsNamedByItsTool() throws Exception {
        assertThat(tutorial("20").with("\\\"fileName\\\"", "\\\"n\\\"").prints())
                .contains("Asked:   This conversation has read the result of readFile: nobody vouches")
                .doesNotContain("pay runs: Mallory", "Exception");
    }
}
