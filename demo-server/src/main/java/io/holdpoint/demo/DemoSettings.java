package io.holdpoint.demo;

import java.util.Map;
import java.util.Optional;

/**
 * What the environment says.
 *
 * @param host {@code HOST}, the address to listen on; 127.0.0.1 by default
 * @param port {@code PORT}, 8080 by default; 0 for any free one
 * @param openAi the hosted model, if {@code OPENAI_API_KEY} is set
 */
record DemoSettings(String host, int port, Optional<OpenAi> openAi) {

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
                        value(environment, "OPENAI_BASE_URL"),
                        value(environment, "OPENAI_MODEL").orElse(DEFAULT_MODEL)));
        return new DemoSettings(
                value(environment, "HOST").orElse("127.0.0.1"),
                port(value(environment, "PORT").orElse("8080")),
                openAi);
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
