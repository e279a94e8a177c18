package io.holdpoint.demo;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The page's script in one file, so that a browser asks once: the Markdown libraries, and the page's modules, each in a scope of
 * its own, after those that it imports. The card comes from where every page gets it, and the texts of a language in a script of their own.
 */
final class PageScript {

    /** The script of the card, which the agent's endpoint serves to every page; its part for several gives it on. */
    private static final String CARD = "/agent/card.js";

    private static final Pattern IMPORT =
            Pattern.compile("(?m)^import (\\{[^}]*}) from '(?:\\./|/agent/)([\\w-]+)\\.js';\\n");
    private static final Pattern EXPORT =
            Pattern.compile("(?m)^export (?=(?:async )?(?:const|class|function\\*?) (\\w+))");
    private static final Pattern EXPORT_CARD = Pattern.compile("(?m)^export \\* from '" + CARD + "';\\n");
    private static final Pattern SOURCE_MAP = Pattern.compile("(?m)^//# sourceMappingURL=.*$");

    private final Map<String, String> modules = new LinkedHashMap<>();

    private PageScript() {}

    /** Reads everything from the class path. */
    static String read() {
        PageScript script = new PageScript();
        script.modules.put("card", "import * as " + scope("card") + " from '" + CARD + "?part=cards';");
        script.add("main");
        List<String> parts = new ArrayList<>();
        parts.add(library("marked", "lib/marked.umd.js"));
        parts.add(library("dompurify", "dist/purify.min.js"));
        parts.addAll(script.modules.values());
        return String.join("\n", parts);
    }

    /** The texts of a language, which the page asks for when it is to speak it; none of one that there is not. */
    static String language(String code) {
        String path = "script/lang/" + code + ".js";
        boolean isThere =
                code.matches("[a-z]{2}") && PageScript.class.getClassLoader().getResource(path) != null;
        return isThere ? resource(path) : "export default {};";
    }

    private void add(String name) {
        if (modules.containsKey(name)) {
            return;
        }
        String text = resource("script/" + name + ".js");
        IMPORT.matcher(text).results().map(found -> found.group(2)).forEach(this::add);
        Stream<String> own = EXPORT.matcher(text).results().map(found -> found.group(1));
        Stream<String> cards = EXPORT_CARD.matcher(text).results().map(found -> "..." + scope("card"));
        String names = Stream.concat(cards, own).collect(Collectors.joining(", "));
        String body = EXPORT.matcher(EXPORT_CARD
                        .matcher(IMPORT.matcher(text).replaceAll(PageScript::binding))
                        .replaceAll(""))
                .replaceAll("");
        modules.put(
                name,
                "// " + name + ".js\nconst " + scope(name) + " = (() => {\n" + body + "return { " + names
                        + " };\n})();");
    }

    private static String binding(MatchResult imported) {
        return "const " + imported.group(1) + " = " + scope(imported.group(2)) + ";\n";
    }

    private static String scope(String module) {
        return "module_" + module;
    }

    private static String library(String name, String file) {
        Properties about = new Properties();
        try (InputStream in = open("META-INF/maven/org.mvnpm/" + name + "/pom.properties")) {
            about.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String path = "META-INF/resources/_static/" + name + "/" + about.getProperty("version") + "/" + file;
        return SOURCE_MAP.matcher(resource(path)).replaceAll("");
    }

    private static String resource(String path) {
        try (InputStream in = open(path)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static InputStream open(String path) {
        InputStream in = PageScript.class.getClassLoader().getResourceAsStream(path);
        if (in == null) {
            throw new IllegalStateException("There is no " + path + " on the class path: build the demo again");
        }
        return in;
    }
}
