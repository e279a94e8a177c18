package io.holdpoint.demo.tools;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.AsksUser;
import java.math.BigDecimal;
import java.util.List;

/** What the demo's model may ask. Nobody implements it: the person on the other side answers. */
public interface Questions {

    /**
     * Asks anything.
     *
     * @param question in the model's words
     * @param options answers to choose from, which are suggestions only; may be empty
     * @return what the person said
     */
    @Tool("Ask the user a question, when you cannot know the answer yourself")
    @AsksUser(message = "The assistant asks: {{question}}")
    Answer askUser(
            @P("the question") String question,
            @P("answers to choose from; empty if any answer will do") List<String> options);

    /**
     * Asks for a yes or a no.
     *
     * @param question in the model's words
     * @return what the person said
     */
    @Tool("Ask the user for a yes or a no")
    @AsksUser
    boolean confirm(@P("a question that can be answered with yes or no") String question);

    /**
     * Asks for the details of a tax filing.
     *
     * @param note what they are for, in the model's words
     * @return what the person filled in
     */
    @Tool("Ask the user for the details of a tax filing: quarter, year and revenue")
    @AsksUser(
            message = "Please provide the quarterly filing details. The assistant notes: {{note}}",
            responseSchema = "{\"properties\": {\"year\": {\"minimum\": 2000}}}")
    FilingDetails requestFilingDetails(@P("what the details are for") String note);

    /**
     * Words of a person.
     *
     * @param answer may be empty
     */
    record Answer(String answer) {}

    /** A quarter of a year. */
    enum Quarter {
        Q1,
        Q2,
        Q3,
        Q4
    }

    /**
     * What a filing needs.
     *
     * @param quarter of the year
     * @param year from 2000 on
     * @param revenue in euros
     */
    record FilingDetails(Quarter quarter, int year, BigDecimal revenue) {}
}
