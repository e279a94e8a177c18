package io.holdpoint.internal.lease;

/** The run in whose tool another agent works, which must not outlive a halt of the run's own agent. */
public record OuterRun(RunLease lease, RunStop stop) {}
