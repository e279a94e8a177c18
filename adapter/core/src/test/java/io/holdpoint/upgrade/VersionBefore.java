package io.holdpoint.upgrade;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarInputStream;
import java.util.zip.GZIPInputStream;

/**
 * The library before deadlines and votes, whose tables were of version 4: {@code io.holdpoint} out of a jar of this repository's
 * commit 84a2c318, and a {@link VersionNode} on top of it. What the library stands on is that of the tests. The jar was made from the
 * sources and resources of the modules agui, core and jdbc, without {@code remote}, {@code micrometer} and {@code META-INF}, by
 * {@code javac -g:none -parameters --release 17}, {@code jar cfM0} and {@code gzip -9}.
 */
final class VersionBefore extends ClassLoader {

    static final VersionBefore CLASSES = new VersionBefore();

    private static final String JAR = "holdpoint-84a2c318.jar.gz";

    private final Map<String, byte[]> files = new HashMap<>();

    private VersionBefore() {
        super(VersionBefore.class.getClassLoader());
        try (JarInputStream jar =
                new JarInputStream(new GZIPInputStream(VersionBefore.class.getResourceAsStream(JAR)))) {
            for (JarEntry entry = jar.getNextJarEntry(); entry != null; entry = jar.getNextJarEntry()) {
                files.put(entry.getName(), jar.readAllBytes());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith("io.holdpoint.") || name.equals(Node.class.getName())) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : findClass(name);
        }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        String file = name.replace('.', '/') + ".class";
        if (!name.startsWith(VersionNode.class.getName()) && !files.containsKey(file)) {
            throw new ClassNotFoundException(name);
        }
        try (InputStream in = getResourceAsStream(file)) {
            byte[] bytes = in.readAllBytes();
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    @Override
    public InputStream getResourceAsStream(String name) {
        byte[] file = files.get(name);
        return file != null ? new ByteArrayInputStream(file) : super.getResourceAsStream(name);
    }
}
