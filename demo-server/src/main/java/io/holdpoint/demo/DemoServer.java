package io.holdpoint.demo;

/** Starts the demo server. */
public final class DemoServer {

    private DemoServer() {}

    /**
     * Starts the server.
     *
     * @param args not used
     */
    public static void main(String[] args) {
        System.out.println("Holdpoint demo");
    }
}
