/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.report;

import java.util.Iterator;
import java.util.Map;

/** Writes JSON: maps, iterables, strings, numbers, booleans and null; all else by its text. */
public final class Json {
    private static final int FIRST_PRINTABLE = 0x20;

    private final StringBuilder text = new StringBuilder();

    private Json() { }

    /**
     * The text of a value, on one line.
     *
     * @param value a map, an iterable, a number, a boolean, null, or anything with a text
     * @return JSON
     */
    public static String of(Object value) {
        Json json = new Json();
        json.value(value);
        return json.text.toString();
    }

    private void value(Object value) {
        if (value instanceof Map<?, ?> map) {
            object(map);
        } else if (value instanceof Iterable<?> items) {
            array(items);
        } else if (value == null || value instanceof Number || value instanceof Boolean) {
            text.append(value);
        } else {
            string(value.toString());
        }
    }

    private void object(Map<?, ?> map) {
        text.append('{');
        for (Iterator<? extends Map.Entry<?, ?>> entries = map.entrySet().iterator(); entries.hasNext();) {
            Map.Entry<?, ?> entry = entries.next();
            string(entry.getKey().toString());
            text.append(':');
            value(entry.getValue());
            text.append(entries.hasNext() ? "," : "");
        }
        text.append('}');
    }

    private void array(Iterable<?> items) {
        text.append('[');
        for (Iterator<?> all = items.iterator(); all.hasNext();) {
            value(all.next());
            text.append(all.hasNext() ? "," : "");
        }
        text.append(']');
    }

    private void string(String string) {
        text.append('"');
        for (char c : string.toCharArray()) {
            if (c == '"' || c == '\\') {
                text.append('\\').append(c);
            } else if (c < FIRST_PRINTABLE) {
                text.append(String.format("\\u%04x", (int) c));
            } else {
                text.append(c);
            }
        }
        text.append('"');
    }
}
