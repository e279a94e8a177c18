package io.holdpoint.internal.gate;

import static dev.langchain4j.service.IllegalConfigurationException.illegalConfiguration;

import dev.langchain4j.service.tool.AiServiceTool;
import io.holdpoint.RequiresApproval;
import io.holdpoint.rule.Rule;
import java.util.List;
import java.util.ServiceLoader;

/** Reads the rules that attributes of an annotation say, and the questions of interfaces. A module has it, and {@link ServiceLoader} finds it. Thread-safe. */
public interface AnnotationReader {

    /**
     * The module's, by the class loader that has this class: a framework's jar and a web application have theirs for all of their libraries,
     * but the thread that builds an agent may have any.
     */
    AnnotationReader FOUND = ServiceLoader.load(AnnotationReader.class, AnnotationReader.class.getClassLoader())
            .findFirst()
            .orElseGet(NoModule::new);

    /** The rules that an annotation says. An {@link IllegalArgumentException} says what is wrong with it. */
    List<Rule> read(RequiresApproval annotation);

    /** One rule of each name, for questions that were stored when others were set. */
    List<Rule> all();

    /** The tools of an interface all of whose methods ask a person, in the order of their names. */
    List<AiServiceTool> questions(Class<?> type);

    /** Refuses what only a module reads. */
    final class NoModule implements AnnotationReader {

        private static final String NEEDS = " needs Holdpoint's module for the people who decide. Add the dependency"
                + " io.holdpoint:holdpoint-people.";

        @Override
        public List<Rule> read(RequiresApproval annotation) {
            if (!annotation.confirm().isEmpty()) {
                throw new IllegalArgumentException("confirm" + NEEDS);
            }
            return List.of();
        }

        @Override
        public List<Rule> all() {
            return List.of();
        }

        @Override
        public List<AiServiceTool> questions(Class<?> type) {
            throw illegalConfiguration("questions(%s.class)%s", type.getName(), NEEDS);
        }
    }
}
