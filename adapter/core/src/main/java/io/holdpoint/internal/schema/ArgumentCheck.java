package io.holdpoint.internal.schema;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.agui.AguiCodec;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.Function;

/** The constraints of a tool's arguments beyond their types, to which proposals and edits keep. Immutable. */
public interface ArgumentCheck {

    /** The check of a tool without constraints. */
    ArgumentCheck NONE = new ArgumentCheck() {

        private final ObjectNode schema = AguiCodec.mapper().createObjectNode();

        @Override
        public ObjectNode schema() {
            return schema;
        }

        @Override
        public void addTo(ObjectNode parameters) {}

        @Override
        public List<String> remarks() {
            return List.of();
        }
    };

    /** A schema of all arguments, with constraints and the types of constrained values only; empty without any. Callers do not change it. */
    ObjectNode schema();

    /** Adds the constraints to the parameters' own schema, which has no references. */
    void addTo(ObjectNode parameters);

    /** Sentences about constraints that are not, or not everywhere, enforced as they were written. */
    List<String> remarks();

    /** Makes checks of annotations. A module has it, and {@link ServiceLoader} finds it. Thread-safe. */
    interface Reader {

        /**
         * The module's, by the class loader that has this class: a framework's jar and a web application have theirs for all of their
         * libraries, but the thread that builds an agent may have any.
         */
        Optional<Reader> FOUND =
                ServiceLoader.load(Reader.class, Reader.class.getClassLoader()).findFirst();

        /**
         * Reads the known parameters of a method and of those that it overrides, whose {@code names} are these, as are those of the fields of a
         * class by the names in Java. Throws an exception for a constraint that makes no sense.
         */
        ArgumentCheck read(
                List<Method> declarations,
                Function<Parameter, String> names,
                Function<Class<?>, Map<String, String>> fields,
                Set<String> known);

        /** The meanings of the patterns that checks have, for messages. */
        Map<String, String> meanings();
    }
}
