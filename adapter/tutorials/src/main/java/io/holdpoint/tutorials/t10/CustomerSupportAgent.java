package io.holdpoint.tutorials.t10;

import dev.langchain4j.service.MemoryId;
import dev.langchain4j.service.Result;
import dev.langchain4j.service.SystemMessage;
import dev.langchain4j.service.UserMessage;
import dev.langchain4j.service.spring.AiService;

/** The AI Service of LangChain4j's customer support example, unchanged. */
// readme
@AiService
public interface CustomerSupportAgent {

    @SystemMessage("You are Roger, who supports the customers of a car rental. Today is {{current_date}}.")
    Result<String> answer(@MemoryId String memoryId, @UserMessage String userMessage);
}
// end
