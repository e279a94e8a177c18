package io.holdpoint.demo.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.Result;
import dev.langchain4j.service.UserMessage;
import dev.langchain4j.service.V;
import org.junit.jupiter.api.Test;

class ScriptedModelBlockingTest {

    interface Assistant {
        @UserMessage("{{m}}")
        Result<String> chat(@V("m") String message);
    }

    private final PlainTools tools = new PlainTools();
    private final Assistant assistant = AiServices.builder(Assistant.class)
            .chatModel(new ScriptedModel())
            .tools(tools)
            .chatMemory(MessageWindowChatMemory.withMaxMessages(50))
            .build();

    @Test
    void findsAContact() {
        String answer = assistant.chat("Find Ada's address").content();

        assertThat(tools.calls).containsExactly("search Ada");
        assertThat(answer).contains("ada@example.com");
    }

    @Test
    void looksUpAnAddressBeforeItWrites() {
        String answer =
                assistant.chat("Write to Ada that the meeting moved to Friday").content();

        assertThat(tools.calls).containsExactly("search Ada", "mail ada@example.com | The meeting moved to Friday");
        assertThat(answer).startsWith("I sent the email to ada@example.com");
    }

    @Test
    void writesNothingWhenThereIsNoAddress() {
        String answer = assistant.chat("Write to Zoe about lunch").content();

        assertThat(tools.calls).containsExactly("search Zoe");
        assertThat(answer).isEqualTo("I found no address for Zoe, so I wrote no mail.");
    }

    @Test
    void saysWhatItCanDoWhenItDoesNotUnderstand() {
        assertThat(assistant.chat("What is the weather like?").content()).contains("Transfer 500 to Bob");
        assertThat(tools.calls).isEmpty();
    }

    @Test
    void doesNotProposeAToolThatIsNotOffered() {
        assertThat(assistant.chat("Delete the inactive records from customers").content())
                .contains("there is no tool");
    }

    @Test
    void leavesADeniedCallAlone() {
        Result<String> result = assistant.chat("Transfer 50 to Mallory and email ada@example.com about lunch");

        assertThat(tools.calls).containsExactly("transfer 50 Mallory", "mail ada@example.com | Lunch");
        assertThat(result.content())
                .startsWith(
                        "The transfer of 50 to Mallory was declined (\"too risky\"), so I left it. I sent the email");
    }

    @Test
    void proposesADeniedCallAgainWhenTheUserAsksAgain() {
        assistant.chat("Transfer 50 to Mallory");
        assistant.chat("Transfer 50 to Mallory");

        assertThat(tools.calls).hasSize(2);
    }

    @Test
    void reportsUsageAndItsName() {
        Result<String> result = assistant.chat("Hello");

        assertThat(result.tokenUsage().outputTokenCount()).isPositive();
        assertThat(result.finalResponse().modelName()).isEqualTo("holdpoint-scripted");
    }
}
