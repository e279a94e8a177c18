package io.holdpoint.internal.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import java.io.EOFException;
import java.io.IOException;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;

/** Bodies that are read on the thread of their request; those for which no thread waits are tested over HTTP. */
class RequestBodiesTest {

    private static final int MAX = 100_000;

    private final RequestBodies bodies = new RequestBodies(MAX);

    /** Blanks, after which the stream ends or breaks off. */
    private static final class Blanks extends ServletInputStream {

        private final boolean breaks;
        private int left;

        private Blanks(int length, boolean breaks) {
            this.left = length;
            this.breaks = breaks;
        }

        @Override
        public int read() throws IOException {
            if (left == 0 && breaks) {
                throw new EOFException("closed");
            }
            return left-- > 0 ? ' ' : -1;
        }

        @Override
        public boolean isFinished() {
            return left <= 0;
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setReadListener(ReadListener listener) {
            throw new UnsupportedOperationException("as a filter that keeps bodies does");
        }
    }

    private static HttpServletRequest request(ServletInputStream in) {
        return (HttpServletRequest) Proxy.newProxyInstance(
                RequestBodiesTest.class.getClassLoader(),
                new Class<?>[] {HttpServletRequest.class},
                (proxy, method, args) -> switch (method.getName()) {
                    case "getInputStream" -> in;
                    case "getContentLengthLong" -> -1L;
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    private int read(int length) {
        return bodies.readHere(request(new Blanks(length, false)), body -> body.length)
                .join();
    }

    @Test
    void aBodyAtTheLimitIsReadThroughAFilterAndOneByteMoreIsRefused() {
        assertThat(read(MAX)).isEqualTo(MAX);
        assertThatThrownBy(() -> read(MAX + 1)).isInstanceOf(Refusal.class).hasMessageContaining("100000 bytes");
    }

    @Test
    void bodiesThatBreakOffAndReadersThatFailTakeNoRoomFromOthers() {
        for (int i = 0; i < 100; i++) {
            assertThatThrownBy(() -> bodies.readHere(request(new Blanks(MAX, true)), body -> body.length))
                    .isInstanceOf(Refusal.class)
                    .hasMessageContaining("broke off");
            assertThatThrownBy(() -> bodies.readHere(request(new Blanks(MAX, false)), body -> {
                        throw new IllegalStateException("no JSON");
                    }))
                    .hasMessage("no JSON");
        }

        assertThat(read(MAX)).isEqualTo(MAX);
    }
}
