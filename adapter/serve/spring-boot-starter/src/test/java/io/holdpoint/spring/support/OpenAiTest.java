package io.holdpoint.spring.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.openai.OpenAiChatModel;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The model that the page shows as a bean is one. */
class OpenAiTest {

    @Test
    void theModelIsABean() {
        new ApplicationContextRunner()
                .withBean(OpenAi.class)
                .withPropertyValues("openai.api-key=none")
                .run(context -> assertThat(context.getBean(ChatModel.class)).isInstanceOf(OpenAiChatModel.class));
    }
}
