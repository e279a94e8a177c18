package io.holdpoint.spring.support;

import dev.langchain4j.service.MemoryId;
import dev.langchain4j.service.Result;
import dev.langchain4j.service.SystemMessage;
import dev.langchain4j.service.UserMessage;
import dev.langchain4j.service.spring.AiService;

/** A declarative AI Service, as the customer support example of LangChain4j has it. */
// readme
@AiService
public interface CustomerSupportAgent {

    @SystemMessage("You are Roger, who supports the customers of a car rental. Today is {{current_date}}.")
    Result<String> answer(@MemoryId String memoryId, @UserMessage String userMessage);
}
// end
