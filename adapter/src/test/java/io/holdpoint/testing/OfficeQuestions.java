package io.holdpoint.testing;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.AsksUser;
import java.util.List;

/** What the model of the tests may ask. */
public interface OfficeQuestions {

    /** A choice. */
    enum Quarter {
        Q1,
        Q2,
        Q3,
        Q4
    }

    /** An answer of several fields. */
    record Filing(Quarter quarter, int year, double revenue) {}

    @Tool("Ask the user")
    @AsksUser
    String askUser(@P("the question") String question, List<String> options);

    @Tool("Ask the user for a yes or a no")
    @AsksUser(message = "Please confirm: {{question}}", expiresAfter = "PT1H")
    boolean confirm(String question);

    @Tool("How many")
    @AsksUser
    int howMany(String what);

    @Tool("Filing details")
    @AsksUser(
            message = "The details of {{what}} are needed, for '{{note}}'.",
            responseSchema = "{\"properties\":{\"year\":{\"minimum\":2000}}}")
    Filing requestFilingDetails(String what, String note);
}
