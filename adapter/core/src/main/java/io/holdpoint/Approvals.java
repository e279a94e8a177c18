package io.holdpoint;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The people who have to approve a call, for {@link ToolPolicy#approvals}: how many, and of which audience.
 *
 * <pre>{@code
 * Approvals.of(2).by(Audience.role("treasury"))
 * Approvals.of(1).by(Audience.role("legal")).and(1).by(Audience.role("finance"))
 * }</pre>
 *
 * <p>A person counts once, even if they belong to several audiences. One denial decides. An edit begins the count anew, with the voice of
 * its author. The approval that is enough counts only if the {@link ApprovalAuthorizer} still allows everybody who has approved before.
 * Such approvals are never remembered. Immutable.
 *
 * @param groups that are all needed, at least one
 */
public record Approvals(List<Group> groups) {

    /**
     * Some of the people.
     *
     * @param needed how many, at least 1
     * @param audience who they are; empty for everybody whom the {@link ApprovalAuthorizer} allows
     */
    public record Group(int needed, Optional<Audience> audience) {

        /** Refuses a number below 1 with an {@link IllegalArgumentException}. */
        public Group {
            if (needed < 1) {
                throw new IllegalArgumentException("approvals: " + needed + " people cannot decide; need at least 1.");
            }
        }
    }

    /** Copies the list. */
    public Approvals {
        groups = List.copyOf(groups);
    }

    /** Needs so many different people. Less than 1 is an {@link IllegalArgumentException}. */
    public static Approvals of(int needed) {
        return new Approvals(List.of(new Group(needed, Optional.empty())));
    }

    /** Says who the people are that were named last. */
    public Approvals by(Audience audience) {
        List<Group> all = new ArrayList<>(groups);
        Group last = all.remove(all.size() - 1);
        all.add(new Group(last.needed(), Optional.of(audience)));
        return new Approvals(all);
    }

    /** Needs so many other people as well. Less than 1 is an {@link IllegalArgumentException}. */
    public Approvals and(int needed) {
        List<Group> all = new ArrayList<>(groups);
        all.add(new Group(needed, Optional.empty()));
        return new Approvals(all);
    }

    /** Tells how many different people are needed together. */
    public int needed() {
        int needed = 0;
        for (Group group : groups) {
            needed += group.needed();
        }
        return needed;
    }
}
