package io.holdpoint.demo.e2e;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolSpecifications;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.service.TokenStream;
import dev.langchain4j.service.UserMessage;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.AsksUser;
import io.holdpoint.Caller;
import io.holdpoint.Decided;
import io.holdpoint.Holdpoint;
import io.holdpoint.InputMedia;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RequiresApproval;
import io.holdpoint.ToolCallContext;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.demo.model.ToldModel;
import io.holdpoint.javalin.AgUiPlugin;
import io.javalin.Javalin;
import io.javalin.http.staticfiles.Location;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** An agent for one client under test, the client's pages beside it, and a clock that can be moved on. */
final class ClientsServer implements AutoCloseable {

    private static final int MAX_MESSAGES = 200;

    private final List<String> effects = new CopyOnWriteArrayList<>();
    private final AtomicInteger requests = new AtomicInteger();
    private final Semaphore goOn = new Semaphore(0);
    private final AtomicReference<Duration> later = new AtomicReference<>(Duration.ZERO);
    private final Javalin server;

    interface Assistant {
        TokenStream chat(@UserMessage List<Content> message);
    }

    /** What the model may do. */
    final class Tools {

        @Tool
        @RequiresApproval(message = "Send '{{subject}}' to {{to}}?")
        String sendEmail(String to, String subject) {
            effects.add("sendEmail " + to + " " + subject);
            return "Sent '" + subject + "' to " + to + ".";
        }

        @Tool
        @RequiresApproval(message = "Offer {{amount}}?", expiresAfter = "PT1H")
        String offer(int amount) {
            effects.add("offer " + amount);
            return "Offered " + amount + ".";
        }

        @Tool
        @RequiresApproval(message = "Pay {{amount}}?", approvals = 2)
        String pay(int amount) {
            effects.add("pay " + amount);
            return "Paid " + amount + ".";
        }

        @Tool
        String lookUp(String name) {
            effects.add("lookUp " + name);
            return name + "@example.com";
        }

        @Tool
        String broken() {
            throw new IllegalStateException("the tool is broken");
        }

        @Tool
        String addToList(String item, ToolCallContext call) {
            var list = call.updateState(before -> {
                ObjectNode changed = before instanceof ObjectNode object
                        ? object
                        : AguiCodec.mapper().createObjectNode();
                changed.withArray("list").add(item);
                return changed;
            });
            return "The list: " + list.path("list");
        }
    }

    /** What the model may ask. */
    interface Questions {

        @Tool
        @AsksUser(message = "Sure about {{what}}?")
        boolean confirm(String what);

        @Tool
        @AsksUser(message = "How many {{what}}?")
        Amount howMany(String what);
    }

    record Amount(int amount, String unit) {}

    /** What every client can do, and need not offer. */
    interface PageTools {

        @Tool
        String readPage(String part);
    }

    /** Runs from now on, plus what was added. */
    private final class MovedClock extends Clock {

        @Override
        public Instant instant() {
            return Instant.now().plus(later.get());
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }

    /** Serves the built pages of the clients. */
    ClientsServer(Path pages) {
        Holdpoint agent = Holdpoint.builder(Assistant.class)
                .streamingChatModel(new ToldModel(requests::incrementAndGet, this::awaitGoOn))
                .tools(new Tools())
                .questions(Questions.class)
                .approvalAuthorizer(
                        ApprovalAuthorizer.anyOf(ApprovalAuthorizer.OWNER, ApprovalAuthorizer.role("approver")))
                .clientTools(ToolSpecifications.toolSpecificationsFrom(PageTools.class))
                .clock(new MovedClock())
                .client(client -> client.inputMedia(InputMedia.ALL).exposeReasoning(true))
                .chatMemoryProvider(id -> MessageWindowChatMemory.builder()
                        .id(id)
                        .maxMessages(MAX_MESSAGES)
                        .build())
                .build();
        server = Javalin.create(config -> {
                    config.startup.showJavalinBanner = false;
                    config.startup.showOldJavalinVersionWarning = false;
                    config.staticFiles.add(files -> {
                        files.directory = pages.toString();
                        files.location = Location.EXTERNAL;
                    });
                    config.registerPlugin(new AgUiPlugin(agui -> agui.agent(agent)));
                    config.routes.get("/test/effects", ctx -> {
                        ArrayNode all = AguiCodec.mapper().createArrayNode();
                        effects.forEach(all::add);
                        ctx.contentType("application/json").result(AguiCodec.write(all));
                    });
                    config.routes.get("/test/runs", ctx -> ctx.result(requests.toString()));
                    config.routes.post("/test/decide/{person}/{thread}", ctx -> {
                        Holdpoint person = agent.as(Caller.of(ctx.pathParam("person"), "approver"));
                        PendingInterrupt asked =
                                person.pending(ctx.pathParam("thread")).get(0);
                        Decided decided = person.decide(
                                ctx.pathParam("thread"),
                                ResumeEntry.resolved(
                                        asked.id(), AguiCodec.mapper().readTree(ctx.body())));
                        if (decided instanceof Decided.Runs runs) {
                            runs.result().join();
                        }
                        ctx.result(decided.getClass().getSimpleName());
                    });
                    config.routes.post("/test/go-on", ctx -> goOn.release());
                    config.routes.post("/test/later", ctx -> later.updateAndGet(before -> before.plusHours(2)));
                })
                .start("127.0.0.1", 0);
    }

    /** A client that does not show the first half of an answer has failed, and the model ends at last. */
    private void awaitGoOn() {
        try {
            goOn.tryAcquire(1, TimeUnit.MINUTES);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    String url() {
        return "http://127.0.0.1:" + server.port();
    }

    @Override
    public void close() {
        server.stop();
    }
}
