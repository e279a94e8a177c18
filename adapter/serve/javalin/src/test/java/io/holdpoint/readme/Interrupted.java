package io.holdpoint.readme;

import dev.langchain4j.model.chat.StreamingChatModel;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.Retention;
import io.holdpoint.RunResult;
import io.holdpoint.store.Store;
import java.time.Clock;
import java.time.Duration;

/** Calls that were interrupted, and what is kept, as README.md shows it. */
final class Interrupted {

    private Interrupted() {}

    static RunResult settle(Holdpoint agent, BankTools tools) {
        // readme
        RunResult result = agent.resume("thread-1");
        if (!result.interrupts().isEmpty()
                && result.interrupts().get(0) instanceof PendingInterrupt.UnknownOutcome question) {
            boolean done =
                    tools.bank.stream().anyMatch(transfer -> transfer.to().equals("Bob"));
            result = agent.resume("thread-1", done ? question.done("booked today") : question.retry());
        }
        // end
        return result;
    }

    static Holdpoint agent(StreamingChatModel model, BankTools tools, Store store, Clock clock) {
        // readme
        Holdpoint agent = Holdpoint.builder(Assistant.class)
                .streamingChatModel(model)
                .tools(tools)
                .store(store)
                .clock(clock)
                .retention(Retention.DEFAULT.withThreads(Duration.ofDays(365)))
                .build();
        // end
        return agent;
    }
}
