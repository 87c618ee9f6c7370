/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rules;

import java.net.InetAddress;
import java.util.List;

/**
 * One rule, as it was read.
 *
 * @param position where it stands
 * @param direction which connections or listeners it is for; null for all
 * @param host which addresses
 * @param ports which ports
 * @param action what to do with the paths
 * @param paths those that it lists, in order
 */
record Rule(Position position, Direction direction, HostPattern host, PortRange ports, Action action,
        List<String> paths) {

    boolean matches(Direction what, InetAddress address, int port) {
        return isFor(what) && ports.contains(port) && host.matches(address);
    }

    boolean isFor(Direction what) {
        return direction == null || direction == what;
    }

    /** Whether nothing is left for another rule behind this one. */
    boolean covers(Rule other) {
        return (direction == null || direction == other.direction) && ports.covers(other.ports)
                && host.covers(other.host);
    }

    /** Where it is and what it says, for messages. */
    @Override
    public String toString() {
        return "the rule at " + position + " (" + action.label() + " " + String.join(",", paths) + ")";
    }
}
