package io.holdpoint.internal.gate;

import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Set;

/** The roles of a caller whose roles are not kept: reading them fails, instead of passing for none. Thread-safe. */
public final class UnknownRoles extends AbstractSet<String> {

    private static final Set<String> ROLES = new UnknownRoles();

    private UnknownRoles() {}

    public static Set<String> roles() {
        return ROLES;
    }

    @Override
    public Iterator<String> iterator() {
        throw new UnsupportedOperationException("the caller's roles are not kept");
    }

    @Override
    public int size() {
        throw new UnsupportedOperationException("the caller's roles are not kept");
    }
}
