package io.holdpoint.demo.e2e;

import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.Route;

/**
 * What the server answers to a request that a test has stopped on its way. Playwright asks on connections that it has kept from earlier
 * tests, and the server closes one that was idle for long: such a request never arrived, and is sent again.
 */
final class ServersAnswer {

    static final int RETRIES = 2;

    private ServersAnswer() {}

    static APIResponse to(Route route) {
        return route.fetch(new Route.FetchOptions().setMaxRetries(RETRIES));
    }

    /** As if the page had sent this. */
    static APIResponse to(Route route, String body) {
        return route.fetch(new Route.FetchOptions().setPostData(body).setMaxRetries(RETRIES));
    }
}
