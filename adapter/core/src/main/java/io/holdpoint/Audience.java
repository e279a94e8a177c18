package io.holdpoint;

/**
 * People who may decide, by what the application says of them. Immutable.
 *
 * @param name of the audience, which clients show: the role
 */
public record Audience(String name) {

    /** Refuses a blank name with an {@link IllegalArgumentException}. */
    public Audience {
        if (name.isBlank()) {
            throw new IllegalArgumentException("an audience needs a name: Audience.role(\"treasury\")");
        }
    }

    /** The callers with one of the {@link Caller#roles}, as the transport gives them when somebody answers. */
    public static Audience role(String role) {
        return new Audience(role);
    }

    /** Tells whether a caller belongs to it. */
    public boolean has(Caller caller) {
        return caller.roles().contains(name);
    }
}
