package io.holdpoint.internal.agent;

import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.BatchMode;
import io.holdpoint.FollowSettings;
import io.holdpoint.Limits;
import io.holdpoint.Retention;
import io.holdpoint.hook.ArgumentRedactor;
import io.holdpoint.hook.AuditListener;
import io.holdpoint.hook.RunObserver;
import java.time.Duration;
import java.util.Optional;

/**
 * The rules of an agent that are not about its AI Service. Immutable.
 *
 * @param authorizer says who may decide
 * @param auditListener hears what happened
 * @param redactor says what the audit trail keeps of arguments
 * @param leaseDuration how long a run that died keeps its thread
 * @param retention how long finished and abandoned batches are kept
 * @param limits how much is taken in and kept
 * @param batchMode what happens to the calls of a batch that nobody is asked about
 * @param runTimeout how long a run may take; empty for as long as it likes
 * @param following how active runs are followed
 * @param observer hears of all work; throws nothing
 */
public record Governance(
        ApprovalAuthorizer authorizer,
        AuditListener auditListener,
        ArgumentRedactor redactor,
        Duration leaseDuration,
        Retention retention,
        Limits limits,
        BatchMode batchMode,
        Optional<Duration> runTimeout,
        FollowSettings following,
        RunObserver observer) {}
