package io.holdpoint.spring.support;

import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.openai.OpenAiChatModel;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;

/** A model as a bean, which no scan finds. */
final class OpenAi {

    // readme
    @Bean
    ChatModel model(@Value("${openai.api-key}") String key) {
        return OpenAiChatModel.builder().apiKey(key).modelName("gpt-5-mini").build();
    }
    // end
}
