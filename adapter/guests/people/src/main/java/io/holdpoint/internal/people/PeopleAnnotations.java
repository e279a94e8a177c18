package io.holdpoint.internal.people;

import dev.langchain4j.service.tool.AiServiceTool;
import io.holdpoint.RequiresApproval;
import io.holdpoint.internal.gate.AnnotationReader;
import io.holdpoint.people.Confirmation;
import io.holdpoint.rule.Rule;
import java.util.ArrayList;
import java.util.List;

/** The rules and questions that annotations say. Public for the {@link java.util.ServiceLoader}. */
public final class PeopleAnnotations implements AnnotationReader {

    @Override
    public List<Rule> read(RequiresApproval annotation) {
        List<Rule> rules = new ArrayList<>();
        if (!annotation.confirm().isEmpty()) {
            rules.add(Confirmation.of(annotation.confirm()));
        }
        return rules;
    }

    @Override
    public List<Rule> all() {
        return List.of(Confirmation.of(""));
    }

    @Override
    public List<AiServiceTool> questions(Class<?> type) {
        return QuestionReader.toolsOf(type);
    }
}
