package io.holdpoint;

import org.jspecify.annotations.Nullable;

/**
 * Takes a turn by calling the AI Service, once: {@code (assistant, turn) -> assistant.chat(turn.contents())}.
 *
 * <p>Called again, with the same turn, when a held turn is resumed: the call then continues where the turn stopped. It
 * must reach the same method of the AI Service. A second call of the AI Service is an {@link IllegalStateException}.
 *
 * @param <A> the AI Service
 */
@FunctionalInterface
public interface TurnFunction<A> {

    /**
     * Calls the AI Service.
     *
     * @param assistant the AI Service, built for this run
     * @param turn what the user said
     * @return what the AI Service returned: a {@code TokenStream} that was not started, or a value
     */
    @Nullable
    Object apply(A assistant, UserTurn turn);
}
