/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rules;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Reads rules, {@code DIRECTION HOST PORTS ACTION PATHS}, one in a line of a file, or in the property with semicolons
 * between them. Every mistake is a {@link RuleMistakeException}, and then there are no rules at all.
 */
final class RuleParser {
    private static final String ANY = "*";
    private static final String FORM = "a rule is DIRECTION HOST PORTS ACTION PATHS, for example"
            + " 'connect 10.0.0.0/8 5000-5999 prefer shm,tcp'";
    private static final int FIELDS = 5;
    private static final int DIRECTION = 0;
    private static final int HOST = 1;
    private static final int PORTS = 2;
    private static final int ACTION = 3;
    private static final int PATHS = 4;

    private final Set<String> knownPaths;
    private final HostParser hosts;
    private final List<Rule> rules = new ArrayList<>();

    private RuleParser(Set<String> knownPaths, HostNames names) {
        this.knownPaths = knownPaths;
        this.hosts = new HostParser(names);
    }

    /** Reads the text of a file: a rule in each line, {@code #} begins a comment. */
    static List<Rule> parseFile(String source, String text, Set<String> knownPaths, HostNames names) {
        RuleParser parser = new RuleParser(knownPaths, names);
        String[] lines = text.split("\n", -1);
        for (int i = 0; i < lines.length; i++) {
            int comment = lines[i].indexOf('#');
            parser.parse(comment < 0 ? lines[i] : lines[i].substring(0, comment), new Position(source, i + 1, 1));
        }
        return List.copyOf(parser.rules);
    }

    /** Reads the text of the property: rules with semicolons between them. */
    static List<Rule> parseProperty(String source, String text, Set<String> knownPaths, HostNames names) {
        RuleParser parser = new RuleParser(knownPaths, names);
        int start = 0;
        for (String part : text.split(";", -1)) {
            parser.parse(part, new Position(source, 1, start + 1));
            start += part.length() + 1;
        }
        return List.copyOf(parser.rules);
    }

    private void parse(String statement, Position start) {
        List<Token> tokens = Token.split(statement, start, FIELDS);
        if (tokens.isEmpty()) {
            return;
        }
        if (tokens.size() < FIELDS) {
            Token last = tokens.get(tokens.size() - 1);
            throw new RuleMistakeException(last.end(), "here the rule ends after " + tokens.size() + " of " + FIELDS
                    + " fields; " + FORM);
        }
        Rule rule = new Rule(tokens.get(DIRECTION).position(), direction(tokens.get(DIRECTION)),
                hosts.parse(tokens.get(HOST)), PortRange.parse(tokens.get(PORTS)),
                choice(tokens.get(ACTION), Action.values(), Action::label), paths(tokens.get(PATHS)));
        for (Rule before : rules) {
            if (before.covers(rule)) {
                throw new RuleMistakeException(rule.position(), "this rule is never reached, because " + before
                        + " takes all that it matches; put it before that one, or remove it");
            }
        }
        rules.add(rule);
    }

    private static Direction direction(Token token) {
        return token.text().equals(ANY) ? null : choice(token, Direction.values(), Direction::label);
    }

    private static <E> E choice(Token token, E[] values, Function<E, String> label) {
        for (E value : values) {
            if (label.apply(value).equals(token.text())) {
                return value;
            }
        }
        throw new RuleMistakeException(token.position(), "'" + token.text() + "' is none of "
                + Arrays.stream(values).map(label).collect(Collectors.joining(", "))
                + (values instanceof Direction[] ? ", " + ANY : "") + "; " + FORM);
    }

    /** Whether what stands for a path begins as a rule does. */
    private static boolean isRule(String text) {
        List<Token> words = Token.split(text, new Position("", 1, 1), FIELDS);
        return words.size() > 1 && (words.get(0).text().equals(ANY) || Arrays.stream(Direction.values())
                .anyMatch(direction -> direction.label().equals(words.get(0).text())));
    }

    private List<String> paths(Token token) {
        if (token.text().equals(ANY)) {
            return knownPaths.stream().sorted().toList();
        }
        List<String> paths = new ArrayList<>();
        List<Token> parts = token.splitAtCommas();
        parts.stream().filter(part -> isRule(part.text())).findFirst().ifPresent(part -> {
            throw new RuleMistakeException(part.position(), "another rule begins here: between rules stands a"
                    + " semicolon, not a comma");
        });
        for (Token part : parts) {
            String path = part.text();
            if (!knownPaths.contains(path)) {
                throw new RuleMistakeException(part.position(), "there is no path '" + path + "'; there are "
                        + knownPaths.stream().sorted().collect(Collectors.joining(", ")));
            }
            if (paths.contains(path)) {
                throw new RuleMistakeException(part.position(), "path '" + path + "' is named twice");
            }
            paths.add(path);
        }
        return List.copyOf(paths);
    }
}
