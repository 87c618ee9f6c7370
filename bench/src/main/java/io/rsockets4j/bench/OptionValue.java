/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench;

import java.util.function.Function;
import picocli.CommandLine.TypeConversionException;

/** Reads values of options. Stateless. */
final class OptionValue {
    private OptionValue() {}

    /**
     * Reads a value; what is wrong with it is told as the reader tells it.
     *
     * @param value as given on the command line
     * @param reader throws IllegalArgumentException where it is wrong
     */
    static <T> T read(String value, Function<String, T> reader) {
        try {
            return reader.apply(value);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
