/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.disni;

import io.rsockets4j.core.verbs.VerbsException;
import java.io.IOException;
import java.util.Map;

/** Makes exceptions of ours from DiSNI's, with messages as {@code j2c::regMr: ibv_reg_mr failed: Invalid...}. */
final class DisniErrors {
    /**
     * DiSNI tells errors by their text alone, which is that of glibc. Of the error numbers only those matter that
     * somebody acts upon; where glibc speaks another language they are lost, and the text remains.
     */
    private static final Map<String, Integer> NUMBERS = Map.of(
            "Operation not permitted", 1, "Cannot allocate memory", 12, "Permission denied", 13, "No such device", 19,
            "Invalid argument", 22, "Address already in use", 98, "Cannot assign requested address", 99,
            "No route to host", 113);
    private static final String FAILED = " failed: ";

    private DisniErrors() { }

    /**
     * What DiSNI has thrown, as an exception of the verbs.
     *
     * @param verb the function that failed
     * @param thrown by DiSNI
     */
    static VerbsException of(String verb, IOException thrown) {
        String message = String.valueOf(thrown.getMessage()).strip();
        int at = message.lastIndexOf(FAILED);
        String text = at < 0 ? message : message.substring(at + FAILED.length());
        VerbsException exception = new VerbsException(verb, NUMBERS.getOrDefault(text, 0), text);
        exception.initCause(thrown);
        return exception;
    }

    /** A failure that DiSNI reports by a return value, without saying why. */
    static VerbsException unexplained(String verb, int returned) {
        return new VerbsException(verb, 0, "failed, returned " + returned);
    }

    /** A use of what is not there any more, which would crash in native code. */
    static VerbsException destroyed(String verb) {
        return new VerbsException(verb, 0, "the identifier has been destroyed");
    }
}
