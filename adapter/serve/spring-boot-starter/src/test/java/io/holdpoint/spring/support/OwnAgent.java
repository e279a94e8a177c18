package io.holdpoint.spring.support;

import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.store.memory.chat.ChatMemoryStore;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RunResult;
import io.holdpoint.store.Store;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;

/** A controller's method, and an agent that no starter has built; no application of the tests picks them up. */
final class OwnAgent {

    private final Holdpoint agent;

    OwnAgent(Holdpoint agent) {
        this.agent = agent;
    }

    interface Assistant {

        String chat(String message);
    }

    // readme
    record Reply(String text, List<String> questions) {}

    @PostMapping("/chat/{thread}")
    Reply chat(@PathVariable String thread, @RequestBody String message) {
        RunResult result = agent.send(thread, message).orThrow(); // agent is the injected Holdpoint
        List<String> questions =
                result.interrupts().stream().map(PendingInterrupt::message).toList();
        return new Reply(result.text(), questions);
    }
    // end

    // readme
    @Bean
    Holdpoint assistant(
            ChatModel model, BookingTools tools, Store store, ChatMemoryStore memories, ApprovalAuthorizer reviewers) {
        return Holdpoint.builder(Assistant.class)
                .chatModel(model)
                .tools(tools)
                .store(store)
                .chatMemoryProvider(id -> MessageWindowChatMemory.builder()
                        .id(id)
                        .maxMessages(100)
                        .chatMemoryStore(memories)
                        .build())
                .approvalAuthorizer(reviewers)
                .build();
    }
    // end
}
