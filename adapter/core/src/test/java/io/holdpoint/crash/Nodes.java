package io.holdpoint.crash;

import java.util.concurrent.BlockingDeque;
import java.util.concurrent.LinkedBlockingDeque;

/**
 * Processes to be used up. One is always started ahead, so that it is there when another one has been killed. Thread-safe.
 */
final class Nodes implements AutoCloseable {

    private final BlockingDeque<NodeProcess> idle = new LinkedBlockingDeque<>();

    NodeProcess take() {
        NodeProcess ready = idle.pollFirst();
        if (ready == null) {
            ready = NodeProcess.start();
        }
        if (idle.isEmpty()) {
            idle.addLast(NodeProcess.start());
        }
        return ready;
    }

    /** A process whose database is closed can be used again. */
    void giveBack(NodeProcess node) {
        idle.addFirst(node);
    }

    @Override
    public void close() {
        idle.forEach(NodeProcess::close);
    }
}
