package io.holdpoint.demo;

import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.javalin.Authenticator;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the environment says.
 *
 * @param host {@code HOST}, the address to listen on; 127.0.0.1 by default
 * @param port {@code PORT}, 8080 by default; 0 for any free one
 * @param hosts {@code HOSTS}, names under which the server is reached besides its address and {@code localhost}
 * @param openAi the hosted model, if {@code OPENAI_API_KEY} is set
 * @param database where threads and chat memories are kept
 * @param callers {@code BEARER_TOKENS}, who may use the agent; everybody by default
 * @param people those callers, if {@code BEARER_TOKENS} names them
 * @param reviewed whether somebody of them has the role {@value DemoReviewers#ROLE}, so that some calls need four eyes
 * @param grace {@code SHUTDOWN_GRACE}, how long active runs may go on when the process is told to end; 10 seconds by default
 * @param undo {@code UNDO_SECONDS}, how long the page holds an answer back, so that it can be undone; 5 seconds by default, 0 for not at all
 */
record DemoSettings(
        String host,
        int port,
        List<String> hosts,
        Optional<OpenAi> openAi,
        Database database,
        Authenticator callers,
        List<Caller> people,
        boolean reviewed,
        Duration grace,
        Duration undo) {

    /**
     * A model behind OpenAI's API.
     *
     * @param apiKey {@code OPENAI_API_KEY}
     * @param baseUrl {@code OPENAI_BASE_URL}, OpenAI's own by default
     * @param model {@code OPENAI_MODEL}
     */
    record OpenAi(String apiKey, Optional<String> baseUrl, String model) {

        /** Does not show the key. */
        @Override
        public String toString() {
            return model + baseUrl.map(url -> " at " + url).orElse("");
        }
    }

    /**
     * A database.
     *
     * @param url {@code JDBC_URL}, a file below the working directory by default
     * @param user {@code JDBC_USER}; the driver's own choice by default
     * @param password {@code JDBC_PASSWORD}
     */
    record Database(String url, Optional<String> user, Optional<String> password) {

        private static final String DEFAULT_URL = "jdbc:sqlite:.holdpoint/demo.db";

        static Database read(Map<String, String> environment) {
            String url = value(environment, "JDBC_URL").orElse(DEFAULT_URL);
            return new Database(
                    url, value(environment, "JDBC_USER"), Optional.ofNullable(environment.get("JDBC_PASSWORD")));
        }

        /** Does not show the password, nor what follows the name of the database, which may hold one. */
        @Override
        public String toString() {
            return url.split("[;?]", 2)[0].replaceFirst("//[^/@]*@", "//");
        }
    }

    static final String DEFAULT_MODEL = "gpt-4o-mini";

    /**
     * Reads the environment.
     *
     * @throws IllegalArgumentException naming the variable that cannot be used
     */
    static DemoSettings read(Map<String, String> environment) {
        Optional<OpenAi> openAi = value(environment, "OPENAI_API_KEY")
                .map(key -> new OpenAi(
                        key,
                        value(environment, "OPENAI_BASE_URL").map(DemoSettings::baseUrl),
                        value(environment, "OPENAI_MODEL").orElse(DEFAULT_MODEL)));
        Map<String, Caller> people =
                value(environment, "BEARER_TOKENS").map(DemoSettings::people).orElse(Map.of());
        return new DemoSettings(
                value(environment, "HOST").orElse("127.0.0.1"),
                port(value(environment, "PORT").orElse("8080")),
                value(environment, "HOSTS")
                        .map(names -> List.of(names.split("[,\\s]+")))
                        .orElse(List.of()),
                openAi,
                Database.read(environment),
                people.isEmpty() ? Authenticator.NONE : Authenticator.bearerTokens(people),
                List.copyOf(people.values()),
                people.values().stream().anyMatch(caller -> caller.roles().contains(DemoReviewers.ROLE)),
                value(environment, "SHUTDOWN_GRACE")
                        .map(text -> seconds("SHUTDOWN_GRACE", text))
                        .orElse(Holdpoint.DEFAULT_GRACE),
                value(environment, "UNDO_SECONDS")
                        .map(text -> seconds("UNDO_SECONDS", text))
                        .orElse(Duration.ofSeconds(5)));
    }

    private static String baseUrl(String text) {
        if (!text.matches("https?://[^/\\s]+(/\\S*)?")) {
            throw new IllegalArgumentException(
                    "OPENAI_BASE_URL must be like https://api.openai.com/v1, not \"" + text + "\".");
        }
        return text;
    }

    private static Duration seconds(String name, String text) {
        if (!text.matches("\\d{1,6}")) {
            throw new IllegalArgumentException(name + " must be a number of seconds, not \"" + text + "\".");
        }
        return Duration.ofSeconds(Integer.parseInt(text));
    }

    /** Reads {@code ada=secret1,grace:approver=secret2}. What is wrong with it is said without showing it. */
    private static Map<String, Caller> people(String text) {
        Map<String, Caller> people = new HashMap<>();
        try {
            for (String pair : text.split(",", -1)) {
                String[] nameAndToken = pair.strip().split("=", 2);
                if (nameAndToken.length < 2 || people.put(nameAndToken[1], caller(nameAndToken[0])) != null) {
                    throw new IllegalArgumentException("every name needs a token of its own");
                }
            }
            Authenticator.bearerTokens(people);
            return people;
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "BEARER_TOKENS must be like ada=secret1,grace:approver=secret2: " + e.getMessage() + ".", e);
        }
    }

    /** Reads a name, and the roles after it. */
    private static Caller caller(String text) {
        String[] nameAndRoles = text.split(":");
        return Caller.of(nameAndRoles[0], Arrays.copyOfRange(nameAndRoles, 1, nameAndRoles.length));
    }

    private static int port(String text) {
        if (!text.matches("\\d{1,5}") || Integer.parseInt(text) > 65_535) {
            throw new IllegalArgumentException("PORT must be a number from 0 to 65535, not \"" + text + "\".");
        }
        return Integer.parseInt(text);
    }

    private static Optional<String> value(Map<String, String> environment, String name) {
        return Optional.ofNullable(environment.get(name)).map(String::strip).filter(text -> !text.isEmpty());
    }
}
