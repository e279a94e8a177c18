package io.holdpoint.demo.e2e;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.PostDiscoveryFilter;

/**
 * On tests of how the demo's pages and the card look, read and are operated, which hold no law: each build takes a quarter of them, which is printed.
 * {@code -Dholdpoint.pages=all} takes them all, and a number from 1 to 4 repeats a part.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@interface InTurns {

    /** Leaves out what has its turn in another build; found by JUnit as a service. */
    final class Filter implements PostDiscoveryFilter {

        @Override
        public FilterResult apply(TestDescriptor test) {
            boolean included = test.getSource()
                    .filter(MethodSource.class::isInstance)
                    .map(MethodSource.class::cast)
                    .filter(method -> method.getJavaClass().isAnnotationPresent(InTurns.class))
                    .map(method -> Part.isTurnOf(method.getMethodName()))
                    .orElse(true);
            return FilterResult.includedIf(included);
        }
    }

    /** Which quarter. */
    final class Part {

        static final int PARTS = 4;
        private static final int TURN = turn("holdpoint.pages", PARTS, 1);

        private Part() {}

        static boolean isTurnOf(String method) {
            return TURN == 0 || 1 + Math.floorMod(method.hashCode(), PARTS) == TURN;
        }

        /** One of so many parts, another one every so many builds; 0 for all. The processes that share a build's tests share its jar. */
        static int turn(String property, int parts, int builds) {
            String asked = System.getProperty(property);
            boolean isBuild = System.getProperty("demo.jar") != null; // and not Maven, which looks for the classes
            if (!isBuild || "all".equals(asked) || Boolean.getBoolean("docs.pictures")) {
                return 0;
            }
            int turn = asked == null
                    ? 1 + (int) (DemoProcess.jar().toFile().lastModified() / 1000 / builds % parts)
                    : Integer.parseInt(asked);
            System.out.println("-D" + property + "=" + turn);
            return turn;
        }
    }
}
