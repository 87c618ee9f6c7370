/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rules;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

/** Rules in force: the first that matches counts. Immutable. */
final class RuleBook {
    private final Rule[] rules;
    private final Choice[] choices; // of each rule
    private final Choice otherwise;

    RuleBook(List<Rule> rules, List<String> availablePaths) {
        this.rules = rules.toArray(new Rule[0]);
        choices = new Choice[this.rules.length];
        for (int i = 0; i < choices.length; i++) {
            Rule rule = this.rules[i];
            choices[i] = new Choice(rule.action().choose(rule.paths(), availablePaths), rule);
        }
        otherwise = new Choice(availablePaths, null);
    }

    int size() {
        return rules.length;
    }

    Choice choose(Direction direction, InetAddress address, int port) {
        for (int i = 0; i < rules.length; i++) {
            if (rules[i].matches(direction, address, port)) {
                return choices[i];
            }
        }
        return otherwise;
    }

    /** Whether a path may be accepted from a client, as far as both kinds of rules for servers are concerned. */
    boolean accepts(String path, InetSocketAddress listener, InetAddress client) {
        if (!listens(path, listener)) {
            return false;
        }
        Choice choice = choose(Direction.ACCEPT, client, listener.getPort());
        return !choice.isByRule() || choice.has(path);
    }

    /** Whether there may be clients from which a path would be accepted. */
    boolean mayAccept(String path, InetSocketAddress listener) {
        return listens(path, listener) && mayAcceptOn(listener.getPort(), path);
    }

    private boolean listens(String path, InetSocketAddress listener) {
        return choose(Direction.BIND, listener.getAddress(), listener.getPort()).has(path);
    }

    private boolean mayAcceptOn(int port, String path) {
        for (int i = 0; i < rules.length; i++) {
            if (rules[i].isFor(Direction.ACCEPT) && rules[i].ports().contains(port)) {
                if (choices[i].has(path)) {
                    return true;
                }
                if (rules[i].host().covers(HostPattern.ANY)) {
                    return false; // nothing is left for later rules
                }
            }
        }
        return true;
    }
}
