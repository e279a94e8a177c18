package io.holdpoint.service;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.model.output.TokenUsage;
import dev.langchain4j.observability.api.listener.AiServiceStartedListener;
import dev.langchain4j.rag.content.Content;
import dev.langchain4j.service.Result;
import dev.langchain4j.service.tool.ToolExecution;
import dev.langchain4j.service.tool.ToolProviderResult;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunResult;
import io.holdpoint.UserTurn;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.OfficeTools;
import io.holdpoint.testing.Shape;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A turn that was held is one turn for the application as well. */
class WholeTurnTest {

    interface Assistant {
        Result<String> chat(String message);
    }

    private final ScriptedModel model = new ScriptedModel();
    private final OfficeTools tools = new OfficeTools();

    @Test
    void aResultHasTheTokensSourcesAndExecutionsOfAllRuns() {
        Holdpoint agent = Holdpoint.builder(Assistant.class)
                .chatModel(model)
                .tools(tools)
                .aiService(service -> service.contentRetriever(query -> List.of(Content.from("Ada lives in London."))))
                .build();
        model.calls(call("c1", "searchContacts", "{\"query\":\"Ada\"}"))
                .calls(call("c2", "sendEmail", Bench.MAIL))
                .calls(call("c3", "searchContacts", "{\"query\":\"Bob\"}"))
                .calls(call("c4", "sendEmail", Bench.MAIL))
                .says("Done.");

        RunResult first = agent.send("t", "Mail Ada");
        RunResult second = agent.resume("t", first.approvals().get(0).approve());
        RunResult last = agent.resume("t", second.approvals().get(0).deny("not twice"));

        Result<?> result = last.value(Result.class).orElseThrow();
        assertThat(result.content()).isEqualTo("Done.");
        assertThat(result.tokenUsage()).isEqualTo(new TokenUsage(50, 25));
        assertThat(result.sources())
                .extracting(each -> each.textSegment().text())
                .containsExactly("Ada lives in London.");
        assertThat(result.toolExecutions())
                .extracting(execution -> execution.request().id())
                .containsExactly("c1", "c2", "c3", "c4");
        assertThat(result.toolExecutions())
                .extracting(ToolExecution::result)
                .first()
                .asString()
                .contains("ada@example.com");
    }

    @ParameterizedTest
    @EnumSource
    void answersThatAreGivenAgainGetTheTextAgain(Shape shape) {
        Holdpoint agent = shape.builder(model).tools(tools).build();
        model.saysAndCalls("I write.", call("c1", "sendEmail", Bench.MAIL))
                .says("Sent.")
                .says("Hello.");
        ResumeEntry approval = agent.send("t", "Mail Ada").approvals().get(0).approve();
        assertThat(agent.resume("t", approval).text()).isEqualTo("Sent.");

        assertThat(agent.resume("t", approval).text()).isEqualTo("Sent.");
        agent.send("t", "Hi");
        assertThat(agent.resume("t", approval).text()).as("after another turn").isEqualTo("Sent.");
        assertThat(agent.resume("t").text()).as("without answers").isEmpty();
        assertThat(tools.effects()).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void providersOfMessagesGetTheThread(Shape shape) {
        List<Object> ids = new CopyOnWriteArrayList<>();
        Holdpoint agent = shape.builder(
                        model,
                        service -> service.systemMessageProvider(id -> {
                            ids.add(id);
                            return "You serve " + id;
                        }))
                .build();
        model.says("Hello.");

        agent.send("customer-7", "Hi");

        assertThat(ids).containsExactly("customer-7");
        assertThat(model.lastMessages().get(0).toString()).contains("You serve customer-7");
    }

    @ParameterizedTest
    @EnumSource
    void whoeverGetsTheContextOfTheCallFindsTheThreadAndTheTurn(Shape shape) {
        Set<String> told = new CopyOnWriteArraySet<>();
        Holdpoint agent = shape.builder(model, service -> service.systemMessageProviderWithContext(
                                call -> "You serve " + told.add("system " + thread(call)))
                        .systemMessageTransformer((text, call) -> text + told.add("transformed " + thread(call)))
                        .contentRetriever(query -> {
                            told.add("retriever " + thread(query.metadata().invocationContext()));
                            return List.of();
                        })
                        .toolProvider(request -> {
                            told.add("tools " + thread(request.invocationContext()));
                            return ToolProviderResult.builder().build();
                        })
                        .registerListener((AiServiceStartedListener) event -> told.add("listener of "
                                + event.invocationContext()
                                        .invocationParameters()
                                        .<Caller>get(UserTurn.CALLER)
                                        .id()))
                        .chatRequestTransformer((request, id) -> {
                            told.add("request " + id);
                            return request;
                        }))
                .build();
        model.says("Hello.");

        agent.as(Caller.of("ada")).send("customer-7", "Hi {{you}}");

        assertThat(told)
                .containsExactlyInAnyOrder(
                        "system customer-7 of ada",
                        "transformed customer-7 of ada",
                        "retriever customer-7 of ada",
                        "tools customer-7 of ada",
                        "listener of ada",
                        "request customer-7");
    }

    /** What the context says; it has no marks of ours in the place of braces. */
    private static String thread(InvocationContext call) {
        assertThat(call.methodArguments().toString()).contains("Hi {{you}}");
        return call.chatMemoryId() + " of "
                + call.invocationParameters().<Caller>get(UserTurn.CALLER).id();
    }
}
