package io.holdpoint.demo.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import java.util.Map;

/**
 * A page of somebody else with {@code <holdpoint-card>} and nothing of ours besides, which allows no inline style and makes no markup of
 * texts. Its script has the element as {@code card} and what it was told of as {@code heard}.
 */
record BarePage(Page page) {

    private static final String POLICY = "default-src 'none'; script-src 'self'; connect-src 'self';"
            + " require-trusted-types-for 'script'; trusted-types 'none'";

    private static final String HTML = """
            <!doctype html><html lang="en"><title>Somebody else's page</title>
            <script type="module" src="/agent/card.js"></script><script type="module" src="/test.js"></script>
            <main><h1>Theirs</h1><holdpoint-card><p slot="context">Asked by Ada</p></holdpoint-card></main></html>""";

    /** What any server of AG-UI asks: nothing of ours is in it. */
    private static final String SCRIPT = """
            globalThis.heard = [];
            globalThis.card = document.querySelector('holdpoint-card');
            for (const type of ['decide', 'reopen']) document.addEventListener(type, ({ detail }) => heard.push([type, detail]));
            card.interrupt = {
              id: 'int_1', reason: 'tool_call', toolCallId: 'call_1', message: 'Pay 500 to Bob?',
              metadata: { langchain4j: { toolName: 'pay', args: { amount: 500.25, to: 'Bob' } } },
              responseSchema: { type: 'object', required: ['approved'], properties: {
                approved: { type: 'boolean' }, reason: { type: 'string' },
                editedArgs: { type: 'object', required: ['amount', 'to'],
                  properties: { amount: { type: 'number' }, to: { type: 'string' } } } } } };
            document.body.dataset.ready = 'true';""";

    /** Where it is, on a server that has no such page. */
    static final String ADDRESS = "/theirs";

    static void serve(Page page) {
        page.route("**" + ADDRESS, route -> fulfill(route, "text/html", HTML));
        page.route("**/test.js", route -> fulfill(route, "text/javascript", SCRIPT));
    }

    /** Waits until it shows one question. */
    Page ready() {
        assertThat(page.locator("body[data-ready]")).hasCount(1);
        return page;
    }

    private static void fulfill(Route route, String type, String body) {
        route.fulfill(new Route.FulfillOptions()
                .setContentType(type)
                .setHeaders(Map.of("Content-Security-Policy", POLICY))
                .setBody(body));
    }
}
