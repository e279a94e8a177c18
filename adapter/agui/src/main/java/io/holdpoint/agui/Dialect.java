package io.holdpoint.agui;

/** The forms of AG-UI in which a stream can be written. Inputs are read in all of them, always. Immutable, so thread-safe. */
public enum Dialect {

    /** AG-UI 1.0, as {@link AguiCodec#writeEventBytes} writes it. */
    V1_0 {
        @Override
        public byte[] write(Event event) {
            return AguiCodec.writeEventBytes(event);
        }
    },

    /**
     * The proposal that came before it, for clients that know nothing else. {@code RUN_STARTED} names no protocol version, and
     * {@code RUN_FINISHED} says why the run ended like this; everything else is as in 1.0:
     *
     * <ul>
     *   <li>{@code "outcome":"success"}, with the {@code result} if there is one
     *   <li>{@code "outcome":"interrupt","interrupt":{"id":…,"reason":…,"payload":{…}}}. The payload has the
     *       {@code message}, {@code toolCallId}, {@code responseSchema}, {@code expiresAt} and {@code metadata} of the 1.0
     *       interrupt, and for a tool call its {@code proposal}: {@code {"tool":…,"args":{…}}}
     *   <li>of several interrupts, which the proposal does not know:
     *       {@code "outcome":"interrupt","interrupt":{"payload":{"interrupts":[{"id":…,"reason":…,"payload":{…}},…]}}}
     *   <li>no outcome for a run that was stopped: the proposal has none for it
     * </ul>
     *
     * <p>The answer is {@code "resume":{"interruptId":…,"payload":…}}; without a payload it lets go of the interrupt. Several
     * are answered together, without an {@code interruptId}: {@code "resume":{"payload":{"<id>":…,"<id>":…}}}, with
     * {@code null} for one that is let go of.
     */
    INTERRUPTS_DRAFT {
        @Override
        public byte[] write(Event event) {
            return DraftForm.write(event);
        }
    };

    /**
     * The JSON text of an event.
     *
     * @param event what to write
     * @return UTF-8, without a line break
     */
    public abstract byte[] write(Event event);
}
