package io.holdpoint.readme;

import dev.langchain4j.model.chat.StreamingChatModel;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RunResult;
import io.holdpoint.readme.Questions.Filing;
import io.holdpoint.readme.Questions.Quarter;
import java.math.BigDecimal;

final class Asking {

    private Asking() {}

    static Holdpoint agent(StreamingChatModel model) {
        // readme
        Holdpoint agent = Holdpoint.builder(Assistant.class)
                .streamingChatModel(model)
                .questions(Questions.class)
                .build();
        // end
        return agent;
    }

    static RunResult answer(Holdpoint agent) {
        // readme
        RunResult result = agent.send("thread-1", "File the VAT return of Acme");
        if (!result.interrupts().isEmpty()) {
            PendingInterrupt.Input question = result.interrupts().get(0).asInput();
            System.out.println(question.message()); // What are the details of the filing for "Acme"?
            Filing filing = new Filing(Quarter.Q3, 2026, new BigDecimal("4200000"));
            result = agent.resume("thread-1", question.answer(filing));
        }
        // end
        return result;
    }
}
