package io.holdpoint.store.jdbc;

import io.holdpoint.store.StoreException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The native library inside {@code org.xerial:sqlite-jdbc}, which the driver extracts to a folder at every start: {@code
 * java.io.tmpdir}, unless the system property {@code org.sqlite.tmpdir} names another. A process that is killed leaves its copy
 * there (about 1 MB each); a store on SQLite removes those that are older than ten minutes. Where that folder is read-only or
 * mounted {@code noexec} the driver cannot be used at all: a folder of the application's own avoids that.
 */
public final class SqliteLibrary {

    private static final Logger LOG = LoggerFactory.getLogger(SqliteLibrary.class);
    private static final String FOLDER = "org.sqlite.tmpdir";
    /** A younger copy may belong to a process that has extracted it and is about to load it. */
    private static final Duration LONGEST_START = Duration.ofMinutes(10);

    private SqliteLibrary() {}

    /**
     * Lets the driver extract its library to a folder, removes the copies that killed processes left there, and loads it.
     * Call it before the first connection. Does not change the folder if the system property {@code org.sqlite.tmpdir} or
     * {@code org.sqlite.lib.path} is set.
     *
     * @param folder of the application's own, on a file system that allows to execute; created if it is missing
     * @throws StoreException if the library cannot be extracted or loaded, or does not exist for this platform; says what
     *     to do
     */
    public static void loadFrom(Path folder) {
        if (System.getProperty(FOLDER) == null && System.getProperty("org.sqlite.lib.path") == null) {
            try {
                Files.createDirectories(folder);
                removeCopies(folder, Instant.MAX);
            } catch (IOException e) {
                throw new StoreException(
                        "SQLite's native library cannot be extracted to " + folder.toAbsolutePath() + ": "
                                + e.getMessage() + ". Choose a folder that this process may write to.",
                        e);
            }
            System.setProperty(FOLDER, folder.toAbsolutePath().toString());
        }
        try {
            DriverManager.getConnection("jdbc:sqlite::memory:").close();
        } catch (SQLException | LinkageError e) {
            throw unusable(e);
        }
    }

    /** Explains a failure of the driver to load its library. */
    static StoreException unusable(Throwable cause) {
        return new StoreException(
                "SQLite's native library cannot be loaded on " + System.getProperty("os.name") + " "
                        + System.getProperty("os.arch") + ". The driver extracts it to "
                        + System.getProperty(FOLDER, System.getProperty("java.io.tmpdir"))
                        + ": if that folder is read-only or mounted noexec, set -D" + FOLDER
                        + "=FOLDER to another one. If org.xerial:sqlite-jdbc is not on the class path, add it; if it"
                        + " has no library for this platform, use PostgreSQL. With --illegal-native-access=deny, allow"
                        + " it by --enable-native-access=ALL-UNNAMED. The driver said: " + cause,
                cause);
    }

    /** Removes what killed processes left in the folder in which the driver of this process has its own copy. */
    static void removeOldCopies() {
        Path folder = Path.of(System.getProperty(FOLDER, System.getProperty("java.io.tmpdir")));
        try {
            removeCopies(folder, Instant.now().minus(LONGEST_START));
        } catch (IOException e) {
            LOG.debug("{} cannot be read", folder, e);
        }
    }

    /** A copy that another process has loaded stays usable to it, or cannot be removed. */
    private static void removeCopies(Path folder, Instant before) throws IOException {
        try (DirectoryStream<Path> copies = Files.newDirectoryStream(folder, "sqlite-*sqlitejdbc.*")) {
            for (Path copy : copies) {
                try {
                    if (Files.getLastModifiedTime(copy).toInstant().isBefore(before)) {
                        Files.deleteIfExists(copy);
                    }
                } catch (IOException e) {
                    LOG.debug("{} is in use", copy, e);
                }
            }
        }
    }
}
