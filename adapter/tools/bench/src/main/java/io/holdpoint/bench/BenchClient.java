package io.holdpoint.bench;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;

/** A client of a server on loopback, on a connection of its own. Not thread-safe. */
interface BenchClient extends AutoCloseable {

    /** The whole body of the answer. */
    byte[] post(String path, String body) throws IOException;

    @Override
    void close() throws IOException;

    /** Connects clients of one kind. */
    @FunctionalInterface
    interface Kind {
        BenchClient connect(int port) throws IOException;
    }

    /** The JDK's client, as a Java program uses it. */
    final class Jdk implements BenchClient {

        private static final HttpClient HTTP =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

        private final String server;

        Jdk(int port) {
            server = "http://127.0.0.1:" + port;
        }

        @Override
        public byte[] post(String path, String body) throws IOException {
            HttpRequest request = HttpRequest.newBuilder(URI.create(server + path))
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString(body))
                    .build();
            try {
                return sent(request);
            } catch (IOException e) { // now and then it closes a connection of its pool that it has just taken
                return sent(request);
            }
        }

        private static byte[] sent(HttpRequest request) throws IOException {
            try {
                return HTTP.send(request, HttpResponse.BodyHandlers.ofByteArray())
                        .body();
            } catch (InterruptedException e) {
                throw new InterruptedIOException();
            }
        }

        @Override
        public void close() {} // connections go back to the pool by themselves
    }

    /** A client that does as little as it can. */
    final class Bare implements BenchClient {

        private final Socket socket = new Socket();
        private final InputStream in;

        Bare(int port) throws IOException {
            socket.setTcpNoDelay(true);
            socket.connect(new InetSocketAddress("127.0.0.1", port));
            in = new BufferedInputStream(socket.getInputStream(), 65_536);
        }

        @Override
        public byte[] post(String path, String body) throws IOException {
            String head = "POST " + path
                    + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ";
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
}
