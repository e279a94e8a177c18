package io.holdpoint.crash;

import io.holdpoint.testing.TestDatabase;
import java.nio.file.Path;

/** The databases of the library. */
enum Engine {
    /** A new file for each thread. */
    SQLITE {
        @Override
        Kills.Databases in(Path directory) {
            return threadId -> Database.sqlite(directory.resolve(threadId));
        }
    },
    /** One server for all. */
    POSTGRESQL {
        @Override
        Kills.Databases in(Path directory) {
            return threadId -> postgres();
        }
    };

    abstract Kills.Databases in(Path directory);

    /** One schema for all, on a server that runs until this process ends. */
    static Database postgres() {
        return new Database(Schema.INSTANCE.url());
    }

    /** Made when it is used. */
    private static final class Schema {

        private static final TestDatabase INSTANCE = TestDatabase.postgres();
    }
}
