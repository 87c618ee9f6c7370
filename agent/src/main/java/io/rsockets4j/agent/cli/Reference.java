/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.cli;

import io.rsockets4j.core.reason.Reason;
import io.rsockets4j.core.settings.Setting;

/**
 * What {@code help config} and {@code help reasons} print, for a terminal or as the Markdown of {@code docs/}. It comes
 * from the two enums that the engine itself uses, so it cannot be out of date.
 */
final class Reference {
    private static final String NONE = "(none)";
    private static final String GENERATED = "<!-- Generated; edit %s and run:"
            + " java -jar agent/target/rsockets4j.jar help %s --markdown > docs/%s.md -->%n%n";

    private Reference() { }

    static String config(boolean markdown) {
        return markdown ? configMarkdown() : configText();
    }

    static String reasons(boolean markdown) {
        return markdown ? reasonsMarkdown() : reasonsText();
    }

    private static String configText() {
        StringBuilder text = new StringBuilder(String.format(
                "Settings, as -javaagent:rsockets4j.jar=KEY=VALUE,... or as -Drsockets4j.KEY=VALUE each;%n"
                + "where both give one, the agent's counts. A list needs no quotes: paths=shm,tcp,summary=true%n"));
        for (Setting setting : Setting.values()) {
            text.append(String.format("%n%s = %s%n    %s%n    Unit: %s. Allowed: %s.%n", setting.key(),
                    defaultOf(setting), setting.description(), setting.unit(), setting.range()));
        }
        return text.toString();
    }

    private static String configMarkdown() {
        StringBuilder text = new StringBuilder(String.format("# Configuration%n%n"));
        text.append(String.format(GENERATED, "Setting.java", "config", "configuration"));
        text.append(String.format("""
                Give settings as agent arguments, `-javaagent:rsockets4j.jar=KEY=VALUE,KEY=VALUE`, or as system
                properties, `-Drsockets4j.KEY=VALUE`; where both give one, the agent's counts. A list needs no quotes:
                `paths=shm,tcp,summary=true`. For an unknown key or a bad value rsockets4j prints one line
                that says what is allowed, and the program runs on TCP. With a mistake in the rules, or with `paths`
                that do not have `tcp`, the JVM ends instead. Settings are read once; [rules](rules.md) are read again
                when their file changes, and a mistake is then a warning: the old rules stay.

                | key | default | unit | allowed | meaning |
                |---|---|---|---|---|
                """));
        for (Setting setting : Setting.values()) {
            text.append(String.format("| `%s` | %s | %s | %s | %s |%n", setting.key(),
                    setting.defaultText().isEmpty() ? NONE : "`" + setting.defaultText() + "`", setting.unit(),
                    setting.range(), setting.description()));
        }
        return text.toString();
    }

    private static String defaultOf(Setting setting) {
        return setting.defaultText().isEmpty() ? NONE : setting.defaultText();
    }

    private static String reasonsText() {
        StringBuilder text = new StringBuilder(String.format(
                "Why a connection takes its path: number, name, where the reason lies, meaning, what to do.%n"));
        for (Reason reason : Reason.values()) {
            text.append(String.format("%n%s (%s)%n    %s%n    %s%n", reason, reason.kind().label(), reason.sentence(),
                    reason.advice()));
        }
        return text.toString();
    }

    private static String reasonsMarkdown() {
        StringBuilder text = new StringBuilder(String.format("# Reasons%n%n"));
        text.append(String.format(GENERATED, "Reason.java", "reasons", "reasons"));
        text.append(String.format("""
                Every connection has a reason for its path, and so has every path that could not be taken. Numbers are
                stable. They appear in logs, in messages of exceptions, and wherever connections are listed. Of what
                is wrong the log warns once for each path, reason and peer, and of listeners once for each path and
                reason.

                | number | name | lies | meaning | what to do |
                |---|---|---|---|---|
                """));
        for (Reason reason : Reason.values()) {
            text.append(String.format("| %d | `%s` | %s | %s | %s |%n", reason.number(), reason.label(),
                    reason.kind().label(), reason.sentence(), reason.advice()));
        }
        return text.toString();
    }
}
