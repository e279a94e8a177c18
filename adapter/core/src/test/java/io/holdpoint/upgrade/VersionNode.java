package io.holdpoint.upgrade;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.service.UserMessage;
import dev.langchain4j.store.memory.chat.ChatMemoryStore;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.WhenExpired;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.store.jdbc.JdbcChatMemoryStore;
import io.holdpoint.store.jdbc.JdbcStore;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import javax.sql.DataSource;

/**
 * A node of the version whose classes its class loader finds: of this one, or of the {@linkplain VersionBefore version before}. It is
 * compiled once, and uses what both versions have under the same name.
 */
public final class VersionNode implements Node {

    /** So long that nothing is renewed while a test runs, in real time. */
    static final Duration LEASE = Duration.ofHours(1);

    private static final String OWNER = "ada";
    private static final String APPROVER = "approver";

    private final Holdpoint agent;

    /** An AI Service. */
    public interface Assistant {
        String chat(@UserMessage List<Content> message);
    }

    /** Tools that say when they are entered. */
    public static final class Bank {

        private final Consumer<String> entered;

        Bank(Consumer<String> entered) {
            this.entered = entered;
        }

        @Tool("Transfers money")
        @RequiresApproval
        public String transfer(String to) {
            return effect("transfer", to);
        }

        @Tool("Lends; whoever has to approve is reminded")
        @RequiresApproval(remind = "PT1H", expiresAfter = "P30D")
        public String lend(String to) {
            return effect("lend", to);
        }

        @Tool("Sells; is given up when nobody answers")
        @RequiresApproval(expiresAfter = "PT1H", whenExpired = WhenExpired.GIVE_UP)
        public String sell(String to) {
            return effect("sell", to);
        }

        @Tool("Buys; the turn goes on when nobody answers")
        @RequiresApproval(expiresAfter = "PT1H", whenExpired = WhenExpired.GO_ON)
        public String buy(String to) {
            return effect("buy", to);
        }

        @Tool("Awards; two people have to approve")
        @RequiresApproval(approvals = 2)
        public String award(String to) {
            return effect("award", to);
        }

        private String effect(String tool, String to) {
            entered.accept(tool + " " + to);
            return "done";
        }
    }

    /** Starts a node, which brings the tables to its version. */
    public VersionNode(DataSource database, ChatModel model, Clock clock, Consumer<String> entered) {
        ChatMemoryStore memories = JdbcChatMemoryStore.create(database);
        HoldpointBuilder<Assistant> builder = Holdpoint.builder(Assistant.class)
                .chatModel(model)
                .tools(new Bank(entered))
                .store(JdbcStore.create(database))
                .approvalAuthorizer(
                        ApprovalAuthorizer.anyOf(ApprovalAuthorizer.OWNER, ApprovalAuthorizer.role(APPROVER)))
                .chatMemoryProvider(id -> MessageWindowChatMemory.builder()
                        .id(id)
                        .maxMessages(100)
                        .chatMemoryStore(memories)
                        .build());
        call(builder, "advanced", Consumer.class, (Consumer<Object>) settings -> set(settings, clock));
        agent = builder.build();
    }

    /** The type of the settings has another name in each version. */
    private static void set(Object settings, Clock clock) {
        call(settings, "clock", Clock.class, clock);
        call(settings, "leaseDuration", Duration.class, LEASE);
        call(settings, "executor", Executor.class, (Executor) Runnable::run);
    }

    private static <T> void call(Object target, String method, Class<T> type, T argument) {
        try {
            target.getClass().getMethod(method, type).invoke(target, argument);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private Holdpoint as(String person) {
        return agent.as(Caller.of(person, APPROVER));
    }

    private static String name(Object outcome) {
        return outcome instanceof RunResult.Failed failed
                ? failed.code().name()
                : outcome.getClass().getSimpleName();
    }

    private static ResumeEntry approval(String interruptId) {
        return ResumeEntry.resolved(
                interruptId, AguiCodec.mapper().createObjectNode().put("approved", true));
    }

    @Override
    public String send(String threadId, String text) {
        return name(as(OWNER).send(threadId, text));
    }

    @Override
    public String approve(String person, String threadId, List<String> interruptIds) {
        return name(as(person)
                .resume(
                        threadId,
                        interruptIds.stream().map(VersionNode::approval).toList()));
    }

    @Override
    public String decide(String person, String threadId, String interruptId) {
        return name(as(person).decide(threadId, approval(interruptId)));
    }

    @Override
    public String cancel(String threadId) {
        return name(as(OWNER)
                .resume(
                        threadId,
                        pending(threadId).stream().map(ResumeEntry::cancelled).toList()));
    }

    @Override
    public List<String> pending(String threadId) {
        return as(OWNER).pending(threadId).stream().map(PendingInterrupt::id).toList();
    }

    @Override
    public int actOnTime() {
        return agent.actOnTime();
    }
}
