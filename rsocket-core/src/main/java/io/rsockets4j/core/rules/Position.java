/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rules;

/**
 * A place in a text of rules.
 *
 * @param source the file, or the property
 * @param line counts from 1
 * @param column counts from 1
 */
record Position(String source, int line, int column) {
    /** As compilers write it, so that editors can jump there. */
    @Override
    public String toString() {
        return source + ":" + line + ":" + column;
    }
}
