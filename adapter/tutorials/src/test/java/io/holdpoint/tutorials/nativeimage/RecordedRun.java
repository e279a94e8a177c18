package io.holdpoint.tutorials.nativeimage;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.javalin.Javalin;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.StackWalker.StackFrame;
import java.lang.reflect.Member;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.aot.agent.RecordedInvocation;
import org.springframework.aot.agent.RecordedInvocationsPublisher;

/**
 * Runs tutorials in a JVM that has Spring's agent, and writes what the library reaches by reflection, by a proxy or as a resource, a line
 * each: {@code type NAME}, {@code member TYPE#NAME}, {@code proxy NAMES} or {@code resource NAME}. Those of the tutorials themselves are left out.
 */
final class RecordedRun {

    private static final Set<String> REACHED = new ConcurrentSkipListSet<>();

    private RecordedRun() {}

    public static void main(String[] arguments) throws Exception {
        RecordedInvocationsPublisher.addListener(RecordedRun::record);
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), true, UTF_8);
        io.holdpoint.tutorials.t01.Main.run(new ByteArrayInputStream("y\n".getBytes(UTF_8)), nowhere);
        io.holdpoint.tutorials.t03.Main.run(nowhere); // edits
        io.holdpoint.tutorials.t04.Main.run(nowhere); // several calls in one message
        io.holdpoint.tutorials.t05.Main.run(nowhere); // questions
        io.holdpoint.tutorials.t06.Main.run(nowhere); // conditions, tools of MCP
        for (String database : Arrays.asList(arguments).subList(1, arguments.length)) {
            io.holdpoint.tutorials.t07.Main.run(database, nowhere);
            io.holdpoint.tutorials.t07.Main.run(database, nowhere);
        }
        io.holdpoint.tutorials.t08.Main.run(nowhere); // a second person
        io.holdpoint.tutorials.t12.Main.run(nowhere); // agents in tools, one of them over HTTP
        io.holdpoint.tutorials.t13.Main.run(nowhere); // votes
        io.holdpoint.tutorials.t14.Main.run(freePort(), nowhere); // notices and links
        io.holdpoint.tutorials.t17.Main.run(nowhere); // a stream over HTTP
        overHttp(nowhere);
        Files.write(Path.of(arguments[0]), REACHED);
        System.exit(0);
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    private static void overHttp(PrintStream out) throws Exception {
        Javalin server = io.holdpoint.tutorials.t02.Main.start(0, out);
        URI agent = URI.create("http://127.0.0.1:" + server.port() + "/agent/");
        for (String path : new String[] {"inbox", "card.js", "threads"}) {
            HttpRequest request = HttpRequest.newBuilder(agent.resolve(path)).build();
            HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
        }
        server.stop();
    }

    private static void record(RecordedInvocation call) {
        String caller = call.getStackFrames()
                .map(StackFrame::getClassName)
                .filter(name -> !name.startsWith("org.springframework.aot.") && !name.startsWith("java."))
                .findFirst()
                .orElse("");
        Object on = call.isStatic() ? null : call.getInstance();
        String method = call.getMethodReference().getMethodName();
        if (method.startsWith("getResource")) {
            if (isOurs(caller)) {
                REACHED.add("resource " + absolute(on, call.getArgument(0)));
            }
        } else if (method.equals("newProxyInstance")) {
            String types = Stream.of(call.<Class<?>[]>getArgument(1))
                    .map(Class::getName)
                    .collect(Collectors.joining(","));
            add("proxy ", types, "", caller);
        } else if (on instanceof Member member) {
            add("member ", member.getDeclaringClass().getName(), "#" + member.getName(), caller);
        } else {
            String name = on instanceof Class<?> type ? type.getName() : String.valueOf(call.<Object>getArgument(0));
            add("type ", name, "", caller);
        }
    }

    /** What others reach of their own is for them to say. */
    private static void add(String kind, String type, String member, String caller) {
        if (isOurs(type) || isOurs(caller) && isKnown(type)) {
            REACHED.add(kind + type + member);
        }
    }

    private static String absolute(Object on, String name) {
        return on instanceof Class<?> type && !name.startsWith("/")
                ? type.getPackageName().replace('.', '/') + "/" + name
                : name.replaceFirst("^/", "");
    }

    /** Not of the program, nor of the JDK, which native-image knows. */
    private static boolean isKnown(String type) {
        return isOurs(type) || !type.startsWith("java.") && !type.startsWith("io.holdpoint.");
    }

    private static boolean isOurs(String type) {
        return type.startsWith("io.holdpoint.")
                && !type.startsWith("io.holdpoint.tutorials.")
                && !type.startsWith("io.holdpoint.test.");
    }
}
