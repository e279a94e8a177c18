package io.holdpoint.crash;

import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.testing.Shape;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/**
 * What makes a {@link CrashNode} start in half the time: an archive of the classes that it loads, as the JDK writes it (class
 * data sharing), made once by a node that runs a conversation and ends. It needs a class path of jars.
 */
final class FastStart {

    private static final List<String> OPTIONS = make();

    private FastStart() {}

    /** Options of {@code java}, the class path included. */
    static List<String> options() {
        return OPTIONS;
    }

    private static List<String> make() {
        try {
            Path directory = Files.createTempDirectory("crash-node");
            deleteAtExit(directory);
            String classPath = jars(directory);
            Path archive = directory.resolve("classes.jsa");
            NodeProcess node = NodeProcess.start(
                    List.of("-XX:ArchiveClassesAtExit=" + archive, "-Xlog:disable", "-cp", classPath));
            rehearse(node, directory);
            node.end();
            return Files.exists(archive)
                    ? List.of("-XX:SharedArchiveFile=" + archive, "-cp", classPath)
                    : List.of("-cp", classPath);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void rehearse(NodeProcess node, Path directory) {
        String threadId = "rehearsal";
        Database database = Database.sqlite(directory.resolve(threadId));
        String effects = directory.resolve("effects").toString();
        node.open(new Order.Open(database, effects, Shape.STREAMING, 0, CrashPoints.Detail.ALL, 0));
        Message said = new Message.User("m", MessageContent.text("visit:ada transfer:eve"));
        node.run(RunAgentInput.of(threadId, "r1", List.of(said)), event -> {});
        node.run(RunAgentInput.of(threadId, "r2", List.of(said)), event -> {});
        node.closeDatabase();
    }

    private static String jars(Path directory) throws IOException {
        List<String> jars = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Path path = Path.of(entry);
            jars.add(Files.isDirectory(path) ? jar(path, directory.resolve("classes-" + jars.size() + ".jar")) : entry);
        }
        return String.join(File.pathSeparator, jars);
    }

    private static String jar(Path classes, Path jar) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(classes)) {
            files = all.filter(Files::isRegularFile).toList();
        }
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(out)) {
            for (Path file : files) {
                entries.putNextEntry(
                        new JarEntry(classes.relativize(file).toString().replace(File.separatorChar, '/')));
                Files.copy(file, entries);
            }
        }
        return jar.toString();
    }

    private static void deleteAtExit(Path directory) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            File[] files = directory.toFile().listFiles();
            Arrays.stream(files == null ? new File[0] : files).forEach(File::delete);
            directory.toFile().delete();
        }));
    }
}
