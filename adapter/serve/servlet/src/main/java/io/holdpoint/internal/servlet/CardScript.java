package io.holdpoint.internal.servlet;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The custom element {@code <holdpoint-card>} in one file, for pages without a bundler: the modules of the npm package in the order
 * in which they import each other, without these imports and without comments. It is the same for everybody, so nobody need sign in.
 */
final class CardScript {

    private static final List<String> MODULES = List.of(
            "kit",
            "style",
            "drafts",
            "difference",
            "watch",
            "form",
            "batch",
            "subject",
            "card",
            "edited",
            "kinds",
            "element");
    private static final Pattern IMPORT = Pattern.compile("(?m)^import \\{[^}]*} from '\\./[\\w-]+\\.js';\\n");
    private static final Pattern COMMENT = Pattern.compile("(?m)^ *(?:/\\*[^*]*+(?:\\*(?!/)[^*]*+)*+\\*/|//.*)\\n");
    private static final String TEXT = MODULES.stream().map(CardScript::module).collect(Collectors.joining("\n"));
    private static final String TAG = "\"" + Integer.toHexString(TEXT.hashCode()) + "\"";

    private CardScript() {}

    /** Answers with the script, or says that the browser has it already. */
    static void write(Exchange exchange) {
        HttpServletResponse response = exchange.response();
        response.setHeader("Cache-Control", "no-cache");
        response.setHeader("ETag", TAG);
        response.setHeader("X-Content-Type-Options", "nosniff");
        boolean isKnown = TAG.equals(exchange.request().getHeader("If-None-Match"));
        exchange.reply(isKnown ? 304 : 200, "text/javascript;charset=utf-8", isKnown ? "" : TEXT);
    }

    private static String module(String name) {
        try (InputStream in = Objects.requireNonNull(
                CardScript.class.getResourceAsStream("card/" + name + ".js"), () -> name + ".js is not in this jar")) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return COMMENT.matcher(IMPORT.matcher(text).replaceAll("")).replaceAll("");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
