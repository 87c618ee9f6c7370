/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.it.programs;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.SplittableRandom;

/** The bytes that a program is asked to carry: both sides can make them, of any length. */
final class Content {
    /** More than any buffer between two programs holds. */
    static final int LARGE = 32 << 20;
    /** About one network packet. */
    static final int SMALL = 1024;

    private Content() { }

    static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new SplittableRandom(length).nextBytes(bytes);
        return bytes;
    }

    static String digest(byte[] bytes) {
        return HexFormat.of().formatHex(sha256().digest(bytes));
    }

    /** Reads to the end. */
    static String digest(InputStream in) throws IOException {
        MessageDigest digest = sha256();
        new DigestInputStream(in, digest).transferTo(OutputStream.nullOutputStream());
        return HexFormat.of().formatHex(digest.digest());
    }

    /**
     * Compares what arrived with what was sent.
     *
     * @param what names it in the message of the exception
     * @param digest of what arrived
     * @param length of what was sent
     */
    static void check(String what, String digest, int length) {
        String sent = digest(bytes(length));
        if (!sent.equals(digest)) {
            throw new IllegalStateException(what + ", " + length + " bytes: sent " + sent + ", arrived " + digest);
        }
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
