package io.holdpoint.javalin;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.internal.servlet.ArrivingBytes;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.EOFException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A body that does not arrive; what arrives is tested over HTTP. */
class ArrivingBodyTest {

    /** Of which nothing has come. */
    private static final class Nothing extends ServletInputStream {

        @Override
        public boolean isFinished() {
            return false;
        }

        @Override
        public boolean isReady() {
            return false;
        }

        @Override
        public void setReadListener(ReadListener listener) {}

        @Override
        public int read() {
            throw new AssertionError("nothing has come");
        }
    }

    /** The server may be stopping, and has closed the connection itself. */
    @Test
    void aBodyThatBreaksOffLeavesNothingToDoForTheThreadsOfTheServer() {
        List<Runnable> tasks = new ArrayList<>();
        ArrivingBody body =
                new ArrivingBody(new Nothing(), new ArrivingBytes(1_000).begin(), 1_000, Duration.ofMinutes(1));
        CompletableFuture<Boolean> arrived = body.arrived(tasks::add);

        body.onError(new EOFException("closed"));

        assertThat(arrived).isCompletedExceptionally();
        assertThat(tasks).isEmpty();
    }
}
