package io.holdpoint.oversight;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.Proposal;
import io.holdpoint.ProposedCall;
import io.holdpoint.RunRejectedException;
import io.holdpoint.hook.Extension;
import io.holdpoint.hook.Guest;
import io.holdpoint.hook.RunObserver;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.internal.run.Inside;
import io.holdpoint.rule.Approved;
import io.holdpoint.rule.Rule;
import io.holdpoint.rule.Say;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drills: now and then somebody is asked about a planted call that should be refused, in the same places and with the same rights as about a real
 * one, and {@link Figures} say how many were caught. A planted call never runs, whatever the answer. It is given to the agent twice,
 * {@code builder.rules(drills).with(drills)}, with the same secret on every server.
 *
 * <p>A drill is a {@linkplain Holdpoint#propose proposal} on a thread of its own, of the caller whom its sample names. Its question does not say that it is
 * a drill: the id of its call, which looks like others, does to whoever has the secret. Immutable.
 *
 * <p>A server of the agent that has not this rule, or has it with another secret, takes a planted call for a real one: it would run what somebody approves
 * there. So give the rule to all servers before one of them plants, and keep it as long as a planted call is open.
 */
public final class Drills implements Rule, Extension {

    private static final Logger LOG = LoggerFactory.getLogger(Drills.class);
    private static final String NAME = "drills";
    private static final String PREFIX = "batch_";
    private static final int HALF = 16;
    private static final int SHORTEST_SECRET = 16;
    private static final String TOLD =
            "This was a drill: nobody wanted this call, and it does not run, whatever was answered.";

    /**
     * A call that should be refused.
     *
     * @param tool the name of a tool of the agent, not of a provider's
     * @param by who proposes it, as its question says: somebody from whom people expect such a call
     */
    public record Sample(String tool, ObjectNode arguments, Caller by) {

        public Sample {
            arguments = arguments.deepCopy();
        }

        /** Returns a copy. */
        @Override
        public ObjectNode arguments() {
            return arguments.deepCopy();
        }
    }

    private final byte[] secret;
    private final List<Sample> samples;
    private final int every;
    private final IntUnaryOperator random;

    private Drills(byte[] secret, List<Sample> samples, int every, IntUnaryOperator random) {
        this.secret = secret;
        this.samples = samples;
        this.every = every;
        this.random = random;
    }

    /**
     * Knows drills by this secret, and plants none by itself, see {@link #every} and {@link #plant}.
     *
     * @param secret at least 16 bytes, the same on every server, and kept: the drills of before are known by it
     * @throws IllegalArgumentException if the secret is shorter, or there is no sample
     */
    public static Drills of(byte[] secret, Sample... samples) {
        if (secret.length < SHORTEST_SECRET) {
            throw new IllegalArgumentException(
                    "secret: must have at least " + SHORTEST_SECRET + " bytes, but has " + secret.length);
        }
        if (samples.length == 0) {
            throw new IllegalArgumentException("samples: there must be a call to plant");
        }
        return new Drills(secret.clone(), List.of(samples), 0, new SecureRandom()::nextInt);
    }

    /**
     * Returns the same that plants a call after one of so many questions on average, which one nobody can tell before. A server plants nothing as long
     * as the last one that it has planted is open.
     *
     * @throws IllegalArgumentException if the number is not positive
     */
    public Drills every(int questions) {
        if (questions <= 0) {
            throw new IllegalArgumentException("every: must be positive: " + questions);
        }
        return new Drills(secret, samples, questions, random);
    }

    /** For tests: chance is what they say. */
    Drills drawing(IntUnaryOperator chance) {
        return new Drills(secret, samples, every, chance);
    }

    /**
     * Asks about one of the samples now.
     *
     * @return the proposal, whose id {@link #isDrill} knows
     * @throws IllegalStateException if the agent has not these drills among its rules
     * @throws RunRejectedException as {@link Holdpoint#propose} says, for instance because the agent is halted
     */
    public Proposal plant(Holdpoint agent) {
        requireRule(Inside.of(agent).runs().config);
        Sample sample = samples.get(random.applyAsInt(samples.size()));
        String chosen = UUID.randomUUID().toString().replace("-", "").substring(HALF);
        return agent.as(sample.by)
                .propose(UUID.randomUUID().toString(), sample.tool, sample.arguments(), PREFIX + chosen + sign(chosen));
    }

    /** Tells whether a call is a drill, by its id: for who tells people about it after their answer. */
    public boolean isDrill(String toolCallId) {
        String id = toolCallId.startsWith(PREFIX) ? toolCallId.substring(PREFIX.length()) : "";
        return id.length() == 2 * HALF
                && MessageDigest.isEqual(
                        sign(id.substring(0, HALF)).getBytes(StandardCharsets.UTF_8),
                        id.substring(HALF).getBytes(StandardCharsets.UTF_8));
    }

    private String sign(String chosen) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            byte[] signed = mac.doFinal(chosen.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(signed).substring(0, HALF);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e); // every Java has it
        }
    }

    private void requireRule(AgentConfig<?> config) {
        if (!config.rules.contains(this)) {
            throw new IllegalStateException("These drills are no rule of the agent, and a planted call could run."
                    + " Give the same object to rules(...) and to with(...).");
        }
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Set<String> tools() {
        return samples.stream().map(Sample::tool).collect(Collectors.toSet());
    }

    /** A drill is asked about, also where a condition or a remembered decision would let it run. */
    @Override
    public Say onProposal(io.holdpoint.rule.Proposal proposal) {
        return isDrill(proposal.call().toolCallId()) ? Say.ASK : Say.NOTHING;
    }

    @Override
    public Say beforeClaim(Approved approved) {
        return isDrill(approved.call().toolCallId()) ? Say.deny(TOLD) : Say.NOTHING;
    }

    @Override
    public Optional<String> beforeBody(ProposedCall call) {
        return isDrill(call.toolCallId()) ? Optional.of(TOLD) : Optional.empty();
    }

    @Override
    public Guest join(Holdpoint agent) {
        AgentConfig<?> config = Inside.of(agent).runs().config;
        requireRule(config);
        Planting planting = new Planting(this, agent, new AtomicReference<>());
        if (every > 0) {
            config.observers.add(new RunObserver() {
                @Override
                public void asked(String toolName) {
                    if (random.applyAsInt(every) == 0) {
                        config.executor.execute(planting::another);
                    }
                }
            });
        }
        return planting;
    }

    /** The drills of one agent. */
    record Planting(Drills drills, Holdpoint agent, AtomicReference<Proposal> last) implements Guest {

        private synchronized void another() {
            try {
                if (!isOpen(last.get())) {
                    last.set(drills.plant(agent));
                }
            } catch (RuntimeException e) {
                LOG.warn("No drill could be planted", e);
            }
        }

        private boolean isOpen(@Nullable Proposal before) {
            return before != null
                    && drills.samples.stream()
                            .map(Sample::by)
                            .distinct()
                            .flatMap(by -> agent.as(by).proposal(before.threadId(), before.id()).stream())
                            .anyMatch(found -> found.state() == Proposal.State.WAITS);
        }
    }
}
