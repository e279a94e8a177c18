package io.holdpoint.readme;

import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.model.chat.StreamingChatModel;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Holdpoint;
import io.holdpoint.store.jdbc.JdbcChatMemoryStore;
import io.holdpoint.store.jdbc.JdbcStore;
import javax.sql.DataSource;

final class WhatToSet {

    private WhatToSet() {}

    static Holdpoint agent(StreamingChatModel model, Mailer mailer, DataSource database) {
        // readme
        JdbcChatMemoryStore memories = JdbcChatMemoryStore.create(database);
        Holdpoint agent = Holdpoint.builder(Assistant.class)
                .streamingChatModel(model)
                .tools(new MailTools(mailer))
                .store(JdbcStore.create(database))
                .chatMemoryProvider(id -> MessageWindowChatMemory.builder()
                        .id(id)
                        .maxMessages(100)
                        .chatMemoryStore(memories)
                        .build())
                .approvalAuthorizer(ApprovalAuthorizer.fourEyes(ApprovalAuthorizer.role("approver")))
                .build();
        // end
        return agent;
    }
}
