package io.holdpoint.internal.servlet;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The custom element {@code <holdpoint-card>} in one file, for pages without a bundler: the modules of the npm package each after those
 * that it imports, without these imports, without comments and with short names. It is the same for everybody, so nobody need sign in.
 * With a parameter {@code lang}, it is the texts of that language, which the card asks for when it is to speak it; with {@code part=cards},
 * {@code <holdpoint-cards>} and {@code <holdpoint-call>}, which need the card. Thread-safe.
 */
public final class CardScript {

    /** Each after those that it imports; of such orders one in which they compress well. */
    private static final List<String> MODULES = List.of(
            "style",
            "language",
            "kit",
            "difference",
            "form",
            "drafts",
            "watch",
            "deadline",
            "subject",
            "story",
            "schema",
            "panel",
            "card",
            "hold",
            "kinds",
            "element");

    private static final List<String> PART = List.of("batch", "cards", "call");
    /** Where a part finds the card, until the path of the request says it. */
    private static final String OWN = "'./card.js'";

    private static final Pattern IMPORT = Pattern.compile("(?m)^import \\{([^}]*)} from '\\./([\\w-]+)\\.js';\\n");
    private static final Pattern LANGUAGE = Pattern.compile("import\\('\\./lang/(\\w+)\\.js'\\)");
    private static final String TEXT = ShortNames.of(SqueezedScript.of(modules(MODULES)));
    private static final String CARDS = ShortNames.of(SqueezedScript.of(imports(PART) + modules(PART)));
    private static final Map<String, String> LANGUAGES = LANGUAGE.matcher(file("card/language.js"))
            .results()
            .map(found -> found.group(1))
            .collect(Collectors.toUnmodifiableMap(
                    Function.identity(), code -> SqueezedScript.of(file("card/lang/" + code + ".js"))));

    private CardScript() {}

    /**
     * Returns a document that shows the card in the frame of an assistant (MCP Apps), in all its languages, and loads nothing. It is told the tool
     * that gives the question, the one that asks the person, and the page where people decide else; what is not there is empty.
     */
    public static String app(String show, String decide, String page) {
        return file("card/app.html")
                .replace("{show}", show)
                .replace("{decide}", decide)
                .replace("{page}", page.replace("&", "&amp;"))
                .replace("{script}", App.TEXT);
    }

    /** Made when somebody wants it. */
    private static final class App {

        private static final String TEXT = whole();

        private static String whole() {
            List<String> all = Stream.concat(MODULES.stream(), Stream.of("app")).toList();
            String text = ShortNames.of(SqueezedScript.of(modules(all)));
            for (Map.Entry<String, String> language : LANGUAGES.entrySet()) {
                String texts = language.getValue().replaceAll("^export default|;$", "");
                text = text.replace(asked(language.getKey()), "Promise.resolve({default:" + texts + "})");
            }
            return text;
        }
    }

    /** The import by which the card gets a language, squeezed. */
    private static String asked(String language) {
        return "import(new URL('?lang=" + language + "',import.meta.url))";
    }

    /** Answers with the script, or says that the browser has it already. */
    static void write(Exchange exchange) {
        String lang = exchange.request().getParameter("lang");
        String text = lang != null
                ? LANGUAGES.getOrDefault(lang, "export default {};")
                : "cards".equals(exchange.request().getParameter("part"))
                        ? CARDS.replace(OWN, "'./" + nameIn(exchange) + "'")
                        : TEXT;
        String tag = "\"" + Integer.toHexString(text.hashCode()) + "\"";
        HttpServletResponse response = exchange.response();
        response.setHeader("Cache-Control", "no-cache");
        response.setHeader("ETag", tag);
        response.setHeader("X-Content-Type-Options", "nosniff");
        boolean isKnown = tag.equals(exchange.request().getHeader("If-None-Match"));
        exchange.reply(isKnown ? 304 : 200, "text/javascript;charset=utf-8", isKnown ? "" : text);
    }

    /** The last part of the path, where the part finds the card. */
    private static String nameIn(Exchange exchange) {
        String path = exchange.request().getRequestURI();
        String name = path.substring(path.lastIndexOf('/') + 1);
        return name.matches("[\\w.-]+") ? name : "card.js";
    }

    /** The imports of a part: it takes names from the card, and gives all of the card on to the page. */
    private static String imports(List<String> part) {
        String names = part.stream()
                .flatMap(name -> IMPORT.matcher(file("card/" + name + ".js")).results())
                .filter(found -> !part.contains(found.group(2)))
                .flatMap(found -> Arrays.stream(found.group(1).split(",")))
                .map(String::strip)
                .distinct()
                .collect(Collectors.joining(", "));
        return "import { " + names + " } from " + OWN + ";\nexport * from " + OWN + ";\n";
    }

    private static String modules(List<String> names) {
        return names.stream().map(CardScript::module).collect(Collectors.joining("\n"));
    }

    private static String module(String name) {
        String text = IMPORT.matcher(file("card/" + name + ".js")).replaceAll("");
        return LANGUAGE.matcher(text).replaceAll(asked("$1"));
    }

    /** The text of a file beside this class. */
    static String file(String name) {
        try (InputStream in = Objects.requireNonNull(
                CardScript.class.getResourceAsStream(name), () -> name + " is not in this jar")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
