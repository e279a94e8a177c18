package io.holdpoint.internal.turn;

/** The model has called tools more often than a turn allows. */
final class TooManyRoundsException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    TooManyRoundsException(int most) {
        super("Exceeded " + most
                + " tool calling round trips (maxToolCallingRoundTrips), rounds before a hold included");
    }
}
