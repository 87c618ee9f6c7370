/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rules;

import io.rsockets4j.core.reason.Reason;
import java.util.List;

/**
 * The paths that settings and rules leave to one connection or listener. Immutable, and made once for each rule.
 */
public final class Choice {
    private final List<String> paths;
    private final Rule rule;

    /**
     * Creates a choice.
     *
     * @param paths in order
     * @param rule which made it, or null: the settings alone
     */
    Choice(List<String> paths, Rule rule) {
        this.paths = List.copyOf(paths);
        this.rule = rule;
    }

    /**
     * The paths to try.
     *
     * @return best first, possibly empty
     */
    public List<String> paths() {
        return paths;
    }

    /**
     * Whether a path is among them.
     *
     * @param path for example {@code tcp}
     * @return false if it must not be used
     */
    public boolean has(String path) {
        return paths.contains(path);
    }

    /**
     * Whether a rule matched.
     *
     * @return false for the settings alone
     */
    public boolean isByRule() {
        return rule != null;
    }

    /**
     * Why the first of the paths is used, if it is.
     *
     * @return that a rule chose it, or that the settings prefer it
     */
    public Reason reason() {
        return rule == null ? Reason.PREFERRED : Reason.RULE;
    }

    /**
     * What made the choice, to be put into messages.
     *
     * @return for example {@code the rule at /etc/rsockets4j.rules:3:1 (require rdma)}
     */
    @Override
    public String toString() {
        return rule == null ? "rsockets4j.paths=" + String.join(",", paths) : rule.toString();
    }
}
