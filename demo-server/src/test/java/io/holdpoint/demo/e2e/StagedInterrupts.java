package io.holdpoint.demo.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.Route;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Puts a test's interrupts in the place of those that the server asks, in answers that are otherwise the server's own, and
 * takes the answers to them, which the server does not get. What a page then shows after an answer is the thread without
 * open interrupts. Used by the browser's thread.
 */
final class StagedInterrupts {

    private static final Pattern RESUME = Pattern.compile(",\"resume\":(\\[.*])}", Pattern.DOTALL);
    private static final Pattern FINISHED =
            Pattern.compile("(?m)^data: \\{\"type\":\"RUN_FINISHED\",.*\"outcome\":\\{\"type\":\"interrupt\".*$");

    private final String interrupts;
    private final List<String> answers = new ArrayList<>();
    private Optional<String> refusal = Optional.empty();
    private boolean settled;
    private String threadId = "";

    private StagedInterrupts(String interrupts) {
        this.interrupts = interrupts;
    }

    /** Holds a run on the page with these interrupts, each in JSON. */
    static StagedInterrupts ask(DemoPage page, String... interrupts) {
        StagedInterrupts staged = new StagedInterrupts("[" + String.join(",", interrupts) + "]");
        page.page().route("**/agent", staged::answer);
        page.page().route("**/agent/history*", staged::answer);
        page.page().route("**/agent/interrupts*", staged::inbox);
        page.say("Transfer 500 to Bob");
        return staged;
    }

    /** The next answer is refused with this error, in JSON, before its run begins. */
    void refuseNext(String runError) {
        refusal = Optional.of(runError);
    }

    /** The resume entries of each answer so far, as the page wrote them. */
    List<String> answers() {
        return answers;
    }

    /** The resume entries of the only answer; waits until the page got what came back. */
    String answer(DemoPage page) {
        page.awaitIdle();
        assertThat(answers).hasSize(1);
        return answers.get(0);
    }

    private void answer(Route route) {
        try {
            String body = route.request().postData();
            ObjectNode input = (ObjectNode) Json.parse(body);
            Matcher resume = RESUME.matcher(body);
            if (!resume.find()) {
                forward(route, input);
                return;
            }
            answers.add(resume.group(1));
            assertIsRunInput(input);
            if (refusal.isPresent()) {
                route.fulfill(new Route.FulfillOptions()
                        .setContentType("text/event-stream")
                        .setBody("data: " + refusal.get() + "\n\n"));
                refusal = Optional.empty();
                return;
            }
            settled = true;
            input.remove("resume");
            input.putArray("messages");
            forward(route, input);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void forward(Route route, JsonNode input) {
        threadId = input.path("threadId").asText();
        APIResponse real = ServersAnswer.to(route, input.toString());
        Matcher finished = FINISHED.matcher(real.text());
        assertThat(finished.find()).as("a held run in\n%s", real.text()).isTrue();
        String outcome =
                settled ? "{\"type\":\"success\"}" : "{\"type\":\"interrupt\",\"interrupts\":" + interrupts + "}";
        String staged = "data: {\"type\":\"RUN_FINISHED\",\"threadId\":" + input.get("threadId") + ",\"runId\":"
                + input.get("runId") + ",\"outcome\":" + outcome + "}";
        route.fulfill(new Route.FulfillOptions()
                .setResponse(real)
                .setBody(finished.replaceFirst(Matcher.quoteReplacement(staged))));
    }

    /** The page hears of changes by itself, and compares what it shows with what waits. */
    private void inbox(Route route) {
        APIResponse real = ServersAnswer.to(route);
        try {
            ObjectNode page = (ObjectNode) Json.parse(real.text());
            ArrayNode items = page.putArray("interrupts");
            for (JsonNode item : Json.parse(real.text()).path("interrupts")) {
                if (!item.path("threadId").asText().equals(threadId)) {
                    items.add(item);
                } else if (!settled) {
                    Json.parse(interrupts)
                            .forEach(each -> items.add(((ObjectNode) item.deepCopy()).set("interrupt", each)));
                }
            }
            route.fulfill(new Route.FulfillOptions().setResponse(real).setBody(page.toString()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A resume says nothing but what AG-UI has a field for. */
    private static void assertIsRunInput(JsonNode input) {
        assertThat(input.fieldNames())
                .toIterable()
                .containsExactlyInAnyOrder(
                        "protocolVersion",
                        "threadId",
                        "runId",
                        "messages",
                        "tools",
                        "context",
                        "forwardedProps",
                        "resume");
        assertThat(input.path("messages"))
                .allSatisfy(message -> assertThat(message.path("role").asText()).isEqualTo("user"));
    }
}
