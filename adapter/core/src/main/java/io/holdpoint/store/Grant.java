package io.holdpoint.store;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.agui.JsonValues;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A remembered decision: a person approved a call, and said that calls like it need no question for a while. It counts on its
 * own thread only, or where its bounds say so on all threads of the owner ({@link Bounds#perOwner}), for the tool as it was when it was
 * approved. Immutable.
 *
 * @param id unique, opaque
 * @param roles of that caller at that time: whether they may decide is checked again whenever the grant is used
 * @param expiresAt from when on it no longer counts
 * @param within the bounds of {@link Scope#WITHIN}, or how often a call may be made that was approved before it was proposed; {@code null} for
 *     others
 * @param uses the calls that it has let run within bounds, as far as they still count
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Grant(
        String id,
        Scope scope,
        Approved approved,
        String grantedBy,
        Set<String> roles,
        Instant grantedAt,
        Instant expiresAt,
        @Nullable Within within,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Use> uses) {

    /** Makes a decision that was not used yet. */
    public Grant(
            String id,
            Scope scope,
            Approved approved,
            String grantedBy,
            Set<String> roles,
            Instant grantedAt,
            Instant expiresAt,
            @Nullable Within within) {
        this(id, scope, approved, grantedBy, roles, grantedAt, expiresAt, within, List.of());
    }

    /**
     * The bounds that a person chose.
     *
     * @param same the arguments of the approved call, and parts of them, that must be the same, after edits, each by its path
     * @param most the largest sum; {@code null} if none is bounded
     */
    public record Within(
            Bounds bounds, ObjectNode same, @Nullable BigDecimal most) {

        /** Checks whether the arguments that must be the same are. */
        boolean isLike(JsonNode arguments) {
            return bounds.same().stream().allMatch(name -> same.path(name).equals(JsonValues.part(arguments, name)));
        }

        /**
         * Checks whether a call may run.
         *
         * @param uses the calls that the decision has let run, without this one
         * @param arguments of this call, canonical
         */
        public boolean allows(Collection<Use> uses, JsonNode arguments, Instant now) {
            if (uses.stream().filter(use -> counts(use, now)).count()
                    >= bounds.count().orElse(MAX_USES)) {
                return false;
            }
            if (bounds.sum().isEmpty() || most == null) {
                return bounds.sum().isEmpty();
            }
            Instant since = now.minus(bounds.sum().get().per());
            BigDecimal amount = amount(arguments);
            BigDecimal total = uses.stream()
                    .filter(use -> use.at().isAfter(since))
                    .map(Use::amount)
                    .reduce(amount, BigDecimal::add);
            return amount.signum() >= 0 && total.compareTo(most) <= 0;
        }

        /** Checks whether a use still counts. */
        private boolean counts(Use use, Instant now) {
            return bounds.count().isPresent()
                    || bounds.sum()
                            .filter(sum -> use.at().isAfter(now.minus(sum.per())))
                            .isPresent();
        }

        /** The amount of a call; negative, so that it is not allowed, if there is none. */
        private BigDecimal amount(JsonNode arguments) {
            JsonNode value = JsonValues.part(
                    arguments, bounds.sum().map(Bounds.Sum::argument).orElse(""));
            return value.isNumber()
                    ? value.decimalValue()
                    : bounds.sum().isEmpty() ? BigDecimal.ZERO : BigDecimal.ONE.negate();
        }

        /** The use of a call that is claimed. */
        public Use use(String toolCallId, JsonNode arguments, Instant now) {
            return new Use(toolCallId, now, amount(arguments));
        }

        /** Describes the bounds in words, without values of arguments. */
        public String describe() {
            List<String> parts = new ArrayList<>();
            String sum = most == null ? "" : most.toPlainString();
            bounds.sum().ifPresent(of -> parts.add(sum + " of " + of.argument() + " in " + of.per()));
            bounds.count().ifPresent(limit -> parts.add(limit + (limit == 1 ? " call" : " calls")));
            bounds.same().forEach(name -> parts.add("the same " + name));
            return "within " + String.join(", ", parts) + (bounds.perOwner() ? ", on all threads of the owner" : "");
        }
    }

    /**
     * A call that a decision with bounds has let run: from its claim on, whatever came of it.
     *
     * @param toolCallId the id of the call, which is unique on its thread; where a decision counts on all threads of an owner, the call's
     *     {@link Call#idempotencyKey}
     * @param amount zero if no sum is bounded
     */
    public record Use(String toolCallId, Instant at, BigDecimal amount) {}

    /**
     * The call that a person approved.
     *
     * @param toolSha256 of the tool as it was (name, parameters, method, sentences for the person), hexadecimal: a tool that
     *     has changed since is asked about
     * @param argumentsSha256 of the canonical arguments that were approved, after edits, hexadecimal
     * @param via how the approval came, if not from a client: what came by a link lets nothing run about which no link decides
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Approved(
            String toolCallId,
            String interruptId,
            String toolName,
            String toolSha256,
            String argumentsSha256,
            @Nullable String via) {}

    /** The beginning of the ids of decisions that count on all threads of an owner. */
    private static final String OF_OWNER = "owner-";

    private static final String KIND = "GRANT";

    private static final int PLACE_LENGTH = OF_OWNER.length() + 64;

    /**
     * Makes the id of a decision that counts on all threads of an owner.
     *
     * @param id unique
     */
    public static String idOfOwner(String owner, String id) {
        return OF_OWNER + HexFormat.of().formatHex(JsonValues.sha256(owner)) + "-" + id;
    }

    /** Says whether a decision with that id counts on all threads of an owner. */
    public static boolean isOfOwner(String grantId) {
        return grantId.startsWith(OF_OWNER) && grantId.length() > PLACE_LENGTH;
    }

    /** The name of the call among the uses of the decision that lets it run. */
    public static String useOf(Call call) {
        return call.grantId() != null && isOfOwner(call.grantId()) ? call.idempotencyKey() : call.toolCallId();
    }

    /** The key of the fact that a decision is. */
    public static Fact.Key key(String threadId, String grantId) {
        boolean isOfOwner = isOfOwner(grantId);
        return new Fact.Key(
                KIND,
                isOfOwner ? Fact.OWNER + grantId.substring(0, PLACE_LENGTH) : threadId,
                isOfOwner ? grantId.substring(PLACE_LENGTH) : grantId);
    }

    /**
     * Reads the remembered decisions of a thread that were not revoked, oldest first, expired ones included until they are purged; without
     * those that cannot be read, which allow no call.
     */
    public static List<Grant> of(Store store, String threadId) {
        List<Grant> grants = new ArrayList<>();
        for (Fact fact : store.facts(KIND, threadId)) {
            fact.read(Grant.class).ifPresent(grants::add);
        }
        if (grants.size() > 1) {
            grants.sort(Comparator.comparing(Grant::grantedAt).thenComparing(Grant::id));
        }
        return List.copyOf(grants);
    }

    /** Reads those of a thread, and then those that count on all threads of its owner. */
    public static List<Grant> of(Store store, String threadId, String owner) {
        List<Grant> all = new ArrayList<>(of(store, threadId));
        all.addAll(of(store, key(threadId, idOfOwner(owner, "")).place()));
        return List.copyOf(all);
    }

    /** Finds the decisions that a commit adds. */
    public static List<Grant> givenBy(Commit commit) {
        return of(commit, Fact.How.PUT);
    }

    /** Finds the decisions that a commit removes. */
    public static List<Grant> revokedBy(Commit commit) {
        return of(commit, Fact.How.REMOVE);
    }

    private static List<Grant> of(Commit commit, Fact.How how) {
        List<Grant> grants = new ArrayList<>();
        for (Fact.Change change : commit.facts()) {
            if (change.how() == how && change.fact().key().kind().equals(KIND)) {
                grants.add(RecordJson.read(change.fact().value(), Grant.class));
            }
        }
        return grants;
    }

    /** The decision as a store keeps it, on the thread that it was given on. */
    Fact fact(Fact.Key key) {
        return new Fact(key, Optional.of(expiresAt), RecordJson.write(this));
    }

    /** The decision with another use, without those that no longer count. */
    Grant used(Use use) {
        List<Use> present = new ArrayList<>(uses);
        present.removeIf(earlier -> within == null
                || !within.counts(earlier, use.at())
                || earlier.toolCallId().equals(use.toolCallId()));
        present.add(use);
        return new Grant(id, scope, approved, grantedBy, roles, grantedAt, expiresAt, within, present);
    }

    /** Most grants that count on a thread at a time; an answer that would give another one is refused. */
    public static final int MAX_PER_THREAD = 100;

    /** The most calls that a decision lets run in the time of its sum: they are read and written together with it. */
    public static final int MAX_USES = 1_000;

    /** Which calls need no question. */
    public enum Scope {
        /** Those of the same tool with exactly the same arguments; {@code "same_call"} on the wire. */
        SAME_CALL,
        /** All of the same tool; {@code "tool"} on the wire. */
        TOOL,
        /** Those of the same tool that keep to bounds, see {@link Bounds}; {@code "within"} on the wire. */
        WITHIN;

        /** Gives the name on the wire. */
        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Copies the collections. */
    public Grant {
        roles = Set.copyOf(roles);
        uses = uses == null ? List.of() : List.copyOf(uses); // not written if there is none
    }

    /** Checks whether a thread has room for more grants; reads what it has only if there are any. */
    public static boolean haveRoom(List<Grant> more, Store store, String threadId, String owner, Instant now) {
        return more.isEmpty()
                || more.size()
                                + of(store, threadId, owner).stream()
                                        .filter(grant -> !grant.isExpired(now))
                                        .count()
                        <= MAX_PER_THREAD;
    }

    /** The subject of an event about the grant. */
    public AuditEvent.Subject subject() {
        return new AuditEvent.Subject(
                Optional.of(approved.toolCallId()),
                Optional.of(approved.toolName()),
                Optional.of(approved.interruptId()));
    }

    /**
     * Checks whether the grant covers a call, as far as the name of its tool and its arguments say.
     *
     * @param sha256 of the call's canonical arguments, hexadecimal
     * @param arguments the same arguments; how much is left of a sum is another matter, see {@link Within#allows}
     * @return {@code true} if the call is like the approved one
     */
    public boolean covers(String tool, String sha256, JsonNode arguments) {
        return approved.toolName().equals(tool)
                && switch (scope) {
                    case TOOL -> true;
                    case SAME_CALL -> approved.argumentsSha256().equals(sha256);
                    case WITHIN -> within != null && within.isLike(arguments);
                };
    }

    /** Checks whether the grant counts no longer: {@code true} from {@code expiresAt} on. */
    public boolean isExpired(Instant now) {
        return !now.isBefore(expiresAt);
    }
}
