package io.holdpoint.internal.agent;

import io.holdpoint.store.Store;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The agents of this process by the store that they use. Agents of one name have the same threads, which only nodes of one agent may
 * have. Thread-safe.
 */
public final class SharedStores {

    private static final Logger LOG = LoggerFactory.getLogger(SharedStores.class);

    private static final List<User> USERS = new ArrayList<>();

    private record User(WeakReference<Store> store, String name, String agent) {}

    private SharedStores() {}

    /** Tells the developer if another agent has used the store under the same name. */
    public static synchronized void enter(AgentConfig<?> config) {
        if (config.isTool()) {
            return; // its threads have ids that nobody else makes
        }
        USERS.removeIf(user -> user.store.get() == null);
        Store store = AgentStore.shared(config.store);
        String agent = config.serviceClass.getName() + " with the tools " + config.policyReader.described();
        for (User user : USERS) {
            if (user.store.refersTo(store) && user.name.equals(config.name)) {
                if (!user.agent.equals(agent)) {
                    warn(config.name, user.agent, agent);
                }
                return;
            }
        }
        USERS.add(new User(new WeakReference<>(store), config.name, agent));
    }

    private static void warn(String name, String one, String other) {
        LOG.warn(
                "Two agents of the name \"{}\" use one store: {}, and {}. They have the same threads, and what is asked at one can be"
                        + " answered at the other, where it does not run. Give each agent its own name(...), or its own"
                        + " store.",
                name,
                one,
                other);
    }
}
