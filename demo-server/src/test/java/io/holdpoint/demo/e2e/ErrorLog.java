package io.holdpoint.demo.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Keeps what a test logs, so that the test states its errors; an error that it does not state fails it. */
final class ErrorLog implements BeforeEachCallback, AfterEachCallback {

    private static final String ERROR = "] ERROR ";

    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private PrintStream standardError;

    @Override
    public void beforeEach(ExtensionContext context) {
        standardError = System.err;
        System.setErr(new PrintStream(kept, true, StandardCharsets.UTF_8));
    }

    /** Returns the errors since the last call, each without its thread and stack trace. */
    List<String> take() {
        String log = kept.toString(StandardCharsets.UTF_8);
        kept.reset();
        return log.lines()
                .filter(line -> line.startsWith("[") && line.contains(ERROR))
                .map(line -> line.substring(line.indexOf(ERROR) + ERROR.length()))
                .toList();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        System.setErr(standardError);
        if (context.getExecutionException().isPresent()) {
            standardError.print(kept.toString(StandardCharsets.UTF_8));
            return;
        }
        assertThat(take()).as("errors that the test did not expect").isEmpty();
    }
}
