package io.holdpoint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;

/**
 * Decides which callers may answer which interrupts. It is asked before an answer is consumed; an authorizer that throws says no.
 * Must be thread-safe.
 *
 * <p>Cancelling an interrupt is no decision: every caller who may access the thread may cancel.
 */
@FunctionalInterface
public interface ApprovalAuthorizer {

    /** Lets only the owner of a thread decide. The default. */
    ApprovalAuthorizer OWNER = request -> request.caller().id().equals(request.ownerId());

    /** An answer that a caller wants to give. The JSON trees are copies. For one call of {@link #mayDecide}: not thread-safe. */
    final class Request {

        private final Caller caller;
        private final String ownerId;
        private final String threadId;
        private final PendingInterrupt interrupt;
        private final JsonNode payload;
        private final boolean approves;
        private final ObjectNode arguments;
        private boolean asksAboutEdits;

        /**
         * Describes an answer.
         *
         * @param ownerId the id of the caller that owns the thread and so requested the call
         * @param payload the answer as it came; JSON {@code null} if there is none
         * @param approves {@code true} if the tool would run
         * @param arguments the complete arguments that the tool would run with: the edited ones, or the proposed ones; if it would
         *     not run, those that the person was shown
         */
        public Request(
                Caller caller,
                String ownerId,
                String threadId,
                PendingInterrupt interrupt,
                JsonNode payload,
                boolean approves,
                ObjectNode arguments) {
            this.caller = caller;
            this.ownerId = ownerId;
            this.threadId = threadId;
            this.interrupt = interrupt;
            this.payload = payload;
            this.approves = approves;
            this.arguments = arguments;
        }

        public Caller caller() {
            return caller;
        }

        /** Returns the id of the caller that owns the thread and so requested the call. */
        public String ownerId() {
            return ownerId;
        }

        public String threadId() {
            return threadId;
        }

        public PendingInterrupt interrupt() {
            return interrupt;
        }

        /** Returns the answer as it came; JSON {@code null} if there is none. */
        public JsonNode payload() {
            return payload;
        }

        /** Returns whether the tool would run. */
        public boolean approves() {
            return approves;
        }

        /**
         * Returns the complete arguments that the tool would run with: the edited ones, or the proposed ones; if it would not run, those
         * that the person was shown.
         */
        public ObjectNode arguments() {
            return arguments;
        }

        /** Returns the name of the tool as the model sees it. */
        public String toolName() {
            return interrupt.toolName();
        }

        /**
         * Makes a question of this answer if it is an approval with other arguments than those shown: about the same call, with the
         * edited arguments. Whoever edited them cannot approve it; everybody else may whom {@link #mayDecide} allows, and an edit of
         * theirs begins again. For an authorizer that is about to allow the answer. It is said of the request, so that nobody who
         * delegates to such an authorizer can lose it.
         */
        public void askAboutEdits() {
            asksAboutEdits = true;
        }

        /** Returns whether an authorizer has called {@link #askAboutEdits}. */
        public boolean asksAboutEdits() {
            return asksAboutEdits;
        }

        private Request unasked() {
            return new Request(caller, ownerId, threadId, interrupt, payload, approves, arguments);
        }
    }

    /**
     * Lets callers with one of the {@link Caller#roles} access every thread and decide there. The owner of a thread may decide only with
     * the role, and may always cancel.
     */
    static ApprovalAuthorizer role(String role) {
        return new ApprovalAuthorizer() {

            @Override
            public boolean mayDecide(Request request) {
                return request.caller().roles().contains(role);
            }

            @Override
            public boolean mayAccess(Caller caller, String threadId, String ownerId) {
                return caller.roles().contains(role);
            }
        };
    }

    /**
     * Requires four eyes: two different people have seen the arguments with which a call runs. The caller who requested a call by starting
     * the thread may not decide about it, even if another authorizer would let them; about all other callers the other authorizer decides,
     * for instance {@link #role}. An approval with other arguments than those shown does not run: it becomes a new question with these
     * arguments, which the one who edited them cannot approve, only deny, and another approver or the owner of the thread can. A decision
     * that an approver remembers for a whole tool lets later calls run with arguments that nobody has seen: do not offer {@code TOOL}
     * where each call needs two people.
     */
    static ApprovalAuthorizer fourEyes(ApprovalAuthorizer others) {
        return new ApprovalAuthorizer() {

            @Override
            public boolean mayDecide(Request request) {
                Optional<String> editor = request.interrupt().editedBy();
                boolean isOwner = request.caller().id().equals(request.ownerId());
                boolean isAuthor = request.caller().id().equals(editor.orElse(request.ownerId()));
                boolean takesBack = editor.isPresent() && !request.approves();
                if (!isAuthor || takesBack) {
                    request.askAboutEdits();
                    return isOwner || others.mayDecide(request);
                }
                return false;
            }

            @Override
            public boolean mayAccess(Caller caller, String threadId, String ownerId) {
                return others.mayAccess(caller, threadId, ownerId);
            }
        };
    }

    /**
     * Allows everything that one of several authorizers allows, which are asked in this order until one lets the answer run. If one throws
     * before, the answer is refused. Edits are asked about if all of those that allow them ask.
     */
    static ApprovalAuthorizer anyOf(ApprovalAuthorizer... authorizers) {
        List<ApprovalAuthorizer> all = List.of(authorizers);
        return new ApprovalAuthorizer() {

            @Override
            public boolean mayDecide(Request request) {
                boolean isAllowed = false;
                for (ApprovalAuthorizer each : all) {
                    Request own = request.unasked();
                    if (each.mayDecide(own)) {
                        isAllowed = true;
                        if (!own.asksAboutEdits()) {
                            return true;
                        }
                    }
                }
                if (isAllowed) {
                    request.askAboutEdits();
                }
                return isAllowed;
            }

            @Override
            public boolean mayAccess(Caller caller, String threadId, String ownerId) {
                return all.stream().anyMatch(each -> each.mayAccess(caller, threadId, ownerId));
            }
        };
    }

    /**
     * Decides whether a caller may give an answer. It is asked for every approval, denial and other decision, with the arguments
     * that would run: after edits, if there are any, and with the defaults of what they leave out. An answer that does not match
     * the interrupt's schema is passed as one that does not approve, and is refused in any case.
     *
     * <p>It is also asked when a question is shown, about the approval that its reader could give, so that a client does not offer what
     * would be refused ({@code metadata.langchain4j.mayDecide}); {@link #OWNER} is not. Where several people have to approve a call,
     * it is asked about all of them again when the last one does.
     *
     * <p>It is asked again right before a call runs: whoever has let it run, with the roles that they had then, must still be
     * allowed to. If it says no, the call is not executed; if it throws, the run fails, and goes on when the same input comes
     * again. Likewise whenever a remembered decision ({@link io.holdpoint.store.Grant}) is to let a call through: the person who
     * gave it must be allowed to approve this call. An application that takes a role away from a person should look at the
     * person's present roles here, and revoke what they had remembered.
     *
     * @return {@code false} to refuse it with {@link ErrorCode#INTERRUPT_FORBIDDEN}; the interrupt stays open
     */
    boolean mayDecide(Request request);

    /**
     * Decides whether a caller other than the owner may see a thread and answer its interrupts; {@code false} by default. For callers that
     * may not, the thread does not exist. Only the owner can send messages on the thread.
     */
    default boolean mayAccess(Caller caller, String threadId, String ownerId) {
        return false;
    }
}
