package io.holdpoint.readme;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.AsksUser;
import java.math.BigDecimal;
import java.util.List;

// readme
interface Questions {

    @Tool("Ask the user when something is unclear")
    @AsksUser
    String askUser(@P("the question") String question, @P("answers to choose from") List<String> options);

    @Tool("Ask the user for a yes or a no")
    @AsksUser(message = "Please confirm: {{question}}", expiresAfter = "PT1H")
    boolean confirm(@P("a yes-or-no question") String question);

    @Tool("Ask the user for the details of a tax filing")
    @AsksUser(
            message = "What are the details of the filing for {{client}}?",
            responseSchema = "{\"properties\": {\"year\": {\"minimum\": 2000}}}")
    Filing requestFilingDetails(@P("whose filing it is") String client);

    enum Quarter {
        Q1,
        Q2,
        Q3,
        Q4
    }

    record Filing(Quarter quarter, int year, BigDecimal revenue) {}
}
// end
