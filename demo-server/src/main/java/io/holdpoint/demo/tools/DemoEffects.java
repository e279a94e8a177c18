package io.holdpoint.demo.tools;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * What the demo's tools really did, oldest first. It only ever grows at its end, up to {@value #CAPACITY} effects; then the
 * oldest ones go.
 *
 * <p>Thread-safe.
 */
public final class DemoEffects {

    static final int CAPACITY = 10_000;

    private static final Runnable NOTHING = () -> {};

    private final Clock clock;
    private final Deque<Effect> effects = new ArrayDeque<>();
    private Runnable afterNext = NOTHING;

    /**
     * Makes an empty list.
     *
     * @param clock tells when an effect happened
     */
    public DemoEffects(Clock clock) {
        this.clock = clock;
    }

    /**
     * Every effect that is still kept, oldest first.
     *
     * @return a copy that does not change
     */
    public synchronized List<Effect> all() {
        return List.copyOf(effects);
    }

    /**
     * Lets something happen right after the next effect, once, before its tool returns.
     *
     * @param what happens then
     */
    public synchronized void afterNext(Runnable what) {
        afterNext = what;
    }

    synchronized void add(String tool, JsonNode args, String toolCallId) {
        if (effects.size() == CAPACITY) {
            effects.removeFirst();
        }
        effects.addLast(new Effect(tool, args, toolCallId, clock.instant()));
        Runnable then = afterNext;
        afterNext = NOTHING;
        then.run();
    }
}
