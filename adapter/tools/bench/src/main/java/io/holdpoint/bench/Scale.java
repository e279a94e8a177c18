package io.holdpoint.bench;

/** How much is measured: 1 unless the system property {@code scale} says otherwise, as the quick mode does. */
final class Scale {

    private static final double SCALE = Double.parseDouble(System.getProperty("scale", "1"));

    private Scale() {}

    static int of(int count) {
        return Math.max(1, (int) (count * SCALE));
    }
}
