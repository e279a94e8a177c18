package io.holdpoint.bench;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;

/** A port before that of a server, to which everything takes a while in each direction, as if the server were another machine. */
final class SlowLink implements AutoCloseable {

    private static final int BUFFER = 65_536;

    private final ServerSocket listening;
    private final int server;
    private final long nanos;
    private final ExecutorService threads = Executors.newCachedThreadPool();

    SlowLink(int server, long nanos) throws IOException {
        this.listening = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        this.server = server;
        this.nanos = nanos;
        threads.execute(this::accept);
    }

    int port() {
        return listening.getLocalPort();
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket client = listening.accept();
                Socket behind = new Socket(InetAddress.getLoopbackAddress(), server);
                client.setTcpNoDelay(true);
                behind.setTcpNoDelay(true);
                threads.execute(() -> carry(client, behind));
                threads.execute(() -> carry(behind, client));
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    private void carry(Socket from, Socket to) {
        byte[] buffer = new byte[BUFFER];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                long end = System.nanoTime() + nanos;
                for (long left = nanos; left > 0; left = end - System.nanoTime()) {
                    LockSupport.parkNanos(left);
                }
                out.write(buffer, 0, read);
            }
        } catch (IOException e) {
            // the other end has closed it
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        threads.shutdown();
    }
}
