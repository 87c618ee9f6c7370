/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rules;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/** A file of rules, and whether it is another one since it was read. One thread at a time. */
final class RuleFile {
    private static final int MAX_BYTES = 1 << 20;

    private final Path path;
    private Object lastState; // as of the last read, also where that failed

    RuleFile(String path) {
        this.path = Path.of(path);
    }

    String path() {
        return path.toString();
    }

    /** Reads it whole, by a stream: an interrupted thread cannot read by a channel. */
    String read() throws IOException {
        lastState = state();
        if (!Files.isRegularFile(path) && Files.exists(path)) {
            throw new IOException("it is not a regular file");
        }
        try (FileInputStream in = new FileInputStream(path.toFile())) {
            byte[] bytes = in.readNBytes(MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                throw new IOException("it is larger than " + MAX_BYTES + " bytes");
            }
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        }
    }

    /** Whether it has been written, replaced, removed or made readable since. */
    boolean hasChanged() {
        return !state().equals(lastState);
    }

    private Object state() {
        try {
            BasicFileAttributes now = Files.readAttributes(path, BasicFileAttributes.class);
            return now.lastModifiedTime() + " " + now.size() + " " + now.fileKey() + " " + Files.isReadable(path);
        } catch (IOException e) {
            return e.getClass();
        }
    }

    static String describe(IOException failure) {
        if (failure instanceof CharacterCodingException) {
            return "it is not text in UTF-8";
        }
        return failure.getMessage();
    }
}
