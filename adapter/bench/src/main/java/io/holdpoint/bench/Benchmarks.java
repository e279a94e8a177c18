package io.holdpoint.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Prints one table: what Holdpoint does in a second, beside a baseline that was measured in turn with it on the same machine, and
 * the ratio. Each group of rows has a process of its own. Arguments name the groups to measure; without any, all of them are.
 */
public final class Benchmarks {

    private Benchmarks() {}

    /** A process of its own, and what it prints. */
    private enum Group {
        IN_PROCESS {
            @Override
            void measure() throws Exception {
                InProcess.measure();
            }
        },
        UNGATED {
            @Override
            void measure() throws Exception {
                Ungated.measure();
            }
        },
        HTTP {
            @Override
            void measure() throws Exception {
                Http.cycles();
            }
        },
        STREAM {
            @Override
            void measure() throws Exception {
                Http.streams();
            }
        },
        SQLITE {
            @Override
            void measure() throws Exception {
                Databases.sqlite();
            }
        },
        POSTGRESQL {
            @Override
            void measure() throws Exception {
                Databases.postgresql();
            }
        },
        GROWTH {
            @Override
            void measure() throws Exception {
                Growth.measure();
            }
        },
        COLD_IN_PROCESS {
            @Override
            void measure() throws Exception {
                InProcess.cold();
            }
        },
        COLD_HTTP {
            @Override
            void measure() throws Exception {
                Http.cold();
            }
        };

        abstract void measure() throws Exception;
    }

    /**
     * Measures.
     *
     * @param arguments names of groups, in lower case and with hyphens; {@code run} and a name measures in this process
     */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length == 2 && arguments[0].equals("run")) {
            group(arguments[1]).measure();
            System.exit(0); // pools of the library and of the databases may have threads
        }
        System.out.println(Pair.HEAD);
        List<Group> groups = new ArrayList<>();
        for (String name : arguments) {
            groups.add(group(name));
        }
        for (Group group : groups.isEmpty() ? List.of(Group.values()) : groups) {
            fork(group);
        }
    }

    private static Group group(String name) {
        return Group.valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    private static void fork(Group group) throws IOException, InterruptedException {
        int exit = new ProcessBuilder(
                        System.getProperty("java.home") + "/bin/java",
                        "-Xmx1g",
                        "-Dscale=" + System.getProperty("scale", "1"),
                        "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Benchmarks.class.getName(),
                        "run",
                        group.name())
                .inheritIO()
                .start()
                .waitFor();
        if (exit != 0) {
            System.out.println("| " + group + " failed | | | | | | | exit code " + exit + " |");
        }
    }
}
