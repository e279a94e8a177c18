package io.holdpoint.testing;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** One connection to an endpoint, read only when the test says so. Has no thread. */
public final class RawClient implements AutoCloseable {

    /** How a body ends that was not broken off. */
    public static final String LAST_CHUNK = "\r\n0\r\n\r\n";

    private static final int LITTLE = 65_536;

    private final Socket socket = new Socket();

    public RawClient(int port) throws IOException {
        socket.setReceiveBufferSize(LITTLE); // what is not read stays at the server
        socket.connect(new InetSocketAddress("127.0.0.1", port));
    }

    /** Says something on a thread of its own. */
    public RawClient say(String threadId) throws IOException {
        return say("/agent", threadId);
    }

    public RawClient say(String path, String threadId) throws IOException {
        String body = "{\"threadId\":\"" + threadId + "\",\"runId\":\"r-" + threadId + "\",\"messages\":[{\"id\":\"m-"
                + threadId + "\",\"role\":\"user\",\"content\":\"Hi\"}]}";
        socket.getOutputStream()
                .write(("POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                                + "Content-Length: " + body.length() + "\r\n\r\n" + body)
                        .getBytes(StandardCharsets.UTF_8));
        return this;
    }

    /** Reads up to a text, or to the end of the connection, however it ends. */
    public String readTo(String end) {
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        byte[] last = end.getBytes(StandardCharsets.UTF_8);
        try {
            InputStream in = socket.getInputStream();
            int matched = 0;
            for (int next = in.read(); next >= 0; next = in.read()) {
                read.write(next);
                matched = next == last[matched] ? matched + 1 : next == last[0] ? 1 : 0;
                if (matched == last.length) {
                    break;
                }
            }
        } catch (IOException e) {
            read.writeBytes(("\n" + e).getBytes(StandardCharsets.UTF_8));
        }
        return read.toString(StandardCharsets.UTF_8);
    }

    /** Reads to the end of the body, or of the connection, however it ends. */
    public String readAll() {
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        byte[] piece = new byte[65_536];
        try {
            InputStream in = socket.getInputStream();
            for (int length = in.read(piece); length >= 0; length = in.read(piece)) {
                read.write(piece, 0, length);
                if (endsBody(read, piece, length)) {
                    break;
                }
            }
        } catch (IOException e) {
            read.writeBytes(("\n" + e).getBytes(StandardCharsets.UTF_8));
        }
        return read.toString(StandardCharsets.UTF_8);
    }

    /** Whether something is there to be read. */
    public boolean hasMore() throws IOException {
        return socket.getInputStream().available() > 0;
    }

    /** Looks at all of it only where it may be the end. */
    private static boolean endsBody(ByteArrayOutputStream read, byte[] piece, int length) {
        return piece[length - 1] == '\n'
                && read.toString(StandardCharsets.UTF_8).endsWith(LAST_CHUNK);
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
