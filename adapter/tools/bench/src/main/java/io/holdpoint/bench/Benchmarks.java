package io.holdpoint.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Prints one table, in Markdown: what Holdpoint does in a second, beside a baseline that was measured in turn with it on the same
 * machine, and the ratio. Each group of rows has a process of its own. Arguments name the groups to measure; without any, all
 * of them are. {@code --quick} measures a tenth of everything.
 */
public final class Benchmarks {

    private static final String QUICK = "--quick";

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
        PRESSED {
            @Override
            void measure() throws Exception {
                Pressed.measure();
            }
        },
        TOLD {
            @Override
            void measure() throws Exception {
                Told.measure();
            }
        },
        GROWTH {
            @Override
            void measure() throws Exception {
                Growth.inMemory();
            }
        },
        GROWTH_SQLITE {
            @Override
            void measure() throws Exception {
                Growth.sqlite();
            }
        },
        COLD_IN_PROCESS {
            @Override
            void measure() throws Exception {
                InProcess.cold("plain");
            }
        },
        COLD_HTTP {
            @Override
            void measure() throws Exception {
                Http.cold();
            }
        },
        PEER {
            @Override
            void measure() throws Exception {
                InProcess.besidePeer();
            }
        },
        COLD_PEER {
            @Override
            void measure() throws Exception {
                InProcess.cold("agentscope");
            }
        },
        SIZE {
            @Override
            void measure() throws Exception {
                Size.inMemory();
            }
        },
        SIZE_SQLITE {
            @Override
            void measure() throws Exception {
                Size.sqlite();
            }
        },
        IDLE {
            @Override
            void measure() throws Exception {
                Size.idle();
            }
        },
        WARM_UP {
            @Override
            void measure() throws Exception {
                WarmUp.measure();
            }
        };

        abstract void measure() throws Exception;
    }

    /**
     * Measures.
     *
     * @param arguments names of groups, in lower case and with hyphens, and {@code --quick}; {@code run} and a name measures in
     *     this process, as does {@code cold}
     */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length == 2 && arguments[0].equals("run")) {
            int exit = 1;
            try {
                group(arguments[1]).measure();
                exit = 0;
            } catch (Exception e) {
                e.printStackTrace();
            }
            System.exit(exit); // pools of the library and of the databases may have threads
        }
        if (arguments.length == 3 && arguments[0].equals("cold")) {
            InProcess.first(arguments[1], Integer.parseInt(arguments[2]));
            System.exit(0);
        }
        if (arguments.length == 3 && arguments[0].equals("warm-up")) {
            WarmUp.inThisJvm(arguments[1], Double.parseDouble(arguments[2]));
            System.exit(0);
        }
        boolean quick = false;
        List<Group> groups = new ArrayList<>();
        for (String argument : arguments) {
            if (argument.equals(QUICK)) {
                quick = true;
            } else {
                groups.add(group(argument));
            }
        }
        long start = System.nanoTime();
        System.out.printf(Locale.ROOT, "%s%n%n%s%n", machine(quick), Pair.HEAD);
        for (Group group : groups.isEmpty() ? List.of(Group.values()) : groups) {
            fork(group, quick ? "0.1" : "1");
        }
        System.out.printf("%nIn %d s.%n", (System.nanoTime() - start) / 1_000_000_000);
    }

    private static String machine(boolean quick) {
        return String.format(
                Locale.ROOT,
                "%s, %d processors, load average %.1f before, JDK %s%s.",
                System.getProperty("os.name") + " " + System.getProperty("os.arch"),
                Runtime.getRuntime().availableProcessors(),
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
                Runtime.version(),
                quick ? ", a tenth of the cycles, which is not hot" : "");
    }

    /** This program in another JVM. */
    static ProcessBuilder java(String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                System.getProperty("java.home") + "/bin/java",
                "-Xmx2g",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
                "-cp",
                System.getProperty("java.class.path"),
                Benchmarks.class.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command);
    }

    private static Group group(String name) {
        return Group.valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    private static void fork(Group group, String scale) throws IOException, InterruptedException {
        ProcessBuilder java = java("run", group.name());
        java.command().add(1, "-Dscale=" + scale);
        int exit = java.inheritIO().start().waitFor();
        if (exit != 0) {
            System.out.println("| " + group + " failed | | | | | | | exit code " + exit + " |");
        }
    }
}
