package io.holdpoint.crash;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** What tools really did, in a file that knows nothing of databases: one line each, on the disk before the tool returns. */
record Effects(Path file) {

    /**
     * One effect.
     *
     * @param key the idempotency key that the tool was given
     */
    record Effect(String key, String toolCallId, String tool, String argument) {}

    synchronized void append(Effect effect) {
        String line = String.join("\t", effect.key(), effect.toolCallId(), effect.tool(), effect.argument()) + "\n";
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
            channel.write(ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8)));
            channel.force(true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<Effect> all() {
        try {
            return Files.exists(file)
                    ? Files.readAllLines(file).stream()
                            .map(line -> line.split("\t"))
                            .map(parts -> new Effect(parts[0], parts[1], parts[2], parts[3]))
                            .toList()
                    : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<Effect> of(String toolCallId) {
        return all().stream()
                .filter(effect -> effect.toolCallId().equals(toolCallId))
                .toList();
    }
}
