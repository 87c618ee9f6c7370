/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rules;

import java.util.ArrayList;
import java.util.List;

/**
 * A word of a rule.
 *
 * @param text without space around it
 * @param position of its first character
 */
record Token(String text, Position position) {

    /** Splits at white space into so many words at most; the last one takes the rest. */
    static List<Token> split(String statement, Position start, int max) {
        List<Token> tokens = new ArrayList<>();
        int at = skip(statement, 0, true);
        while (at < statement.length()) {
            int end = tokens.size() < max - 1 ? skip(statement, at, false) : statement.length();
            tokens.add(new Token(statement.substring(at, end).strip(), shift(start, at)));
            at = skip(statement, end, true);
        }
        return tokens;
    }

    private static int skip(String text, int from, boolean space) {
        int at = from;
        while (at < text.length() && Character.isWhitespace(text.charAt(at)) == space) {
            at++;
        }
        return at;
    }

    private static Position shift(Position start, int columns) {
        return new Position(start.source(), start.line(), start.column() + columns);
    }

    /** The parts of a list; one that is missing is empty. */
    List<Token> splitAtCommas() {
        List<Token> parts = new ArrayList<>();
        int start = 0;
        for (String part : text.split(",", -1)) {
            int indent = part.length() - part.stripLeading().length();
            parts.add(new Token(part.strip(), shift(position, start + indent)));
            start += part.length() + 1;
        }
        return parts;
    }

    /** The position of a character in it. */
    Position at(int index) {
        return shift(position, index);
    }

    /** The position behind its last character. */
    Position end() {
        return at(text.length());
    }
}
