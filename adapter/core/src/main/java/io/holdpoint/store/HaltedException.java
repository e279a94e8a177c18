package io.holdpoint.store;

/** An agent is halted, so that no call of it starts and no run of it begins; what was to be committed was not written. */
public final class HaltedException extends StoreException {

    private static final long serialVersionUID = 1L;

    /** Names the agent, or {@code *} for all. */
    public HaltedException(String agent) {
        super(
                agent.equals(Store.ALL_AGENTS)
                        ? "all agents are halted"
                        : "the agent \"" + agent + "\" is halted, or all agents are");
    }
}
