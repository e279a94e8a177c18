package io.holdpoint.bench;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** One kept connection to a server on loopback, which does as little as it can. Not thread-safe. */
final class BenchClient implements AutoCloseable {

    private final Socket socket = new Socket();
    private final InputStream in;

    BenchClient(int port) throws IOException {
        socket.setTcpNoDelay(true);
        socket.connect(new InetSocketAddress("127.0.0.1", port));
        in = new BufferedInputStream(socket.getInputStream(), 65_536);
    }

    /** The whole body of the answer. */
    byte[] post(String path, String body) throws IOException {
        String head =
                "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ";
        socket.getOutputStream()
                .write((head + body.length() + "\r\n\r\n" + body).getBytes(StandardCharsets.ISO_8859_1));
        int length = -1;
        String line = line();
        if (!line.contains(" 200 ")) {
            throw new IOException(line);
        }
        for (line = line(); !line.isEmpty(); line = line()) {
            if (line.toLowerCase(java.util.Locale.ROOT).startsWith("content-length:")) {
                length = Integer.parseInt(line.substring(15).strip());
            }
        }
        return length >= 0 ? in.readNBytes(length) : chunks();
    }

    private byte[] chunks() throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        for (int length = Integer.parseInt(line(), 16); length > 0; length = Integer.parseInt(line(), 16)) {
            body.writeBytes(in.readNBytes(length));
            line();
        }
        line();
        return body.toByteArray();
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException();
            }
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
