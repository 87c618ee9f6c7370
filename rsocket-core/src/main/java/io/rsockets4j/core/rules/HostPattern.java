/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rules;

import java.net.InetAddress;

/** Which addresses a rule is for. Thread-safe; never looks a name up. */
interface HostPattern {
    /** Every address. */
    HostPattern ANY = new AnyHost();

    boolean matches(InetAddress address);

    /** Whether this certainly matches whatever the other one matches. */
    boolean covers(HostPattern other);

    /** Matches everything. */
    record AnyHost() implements HostPattern {
        @Override
        public boolean matches(InetAddress address) {
            return true;
        }

        @Override
        public boolean covers(HostPattern other) {
            return true;
        }
    }

    /**
     * A host by name: the addresses that it had when it was looked up last.
     *
     * @param name as in the rule, in lower case
     * @param names looks it up, now and then
     */
    record NamedHost(String name, HostNames names) implements HostPattern {
        @Override
        public boolean matches(InetAddress address) {
            return names.addresses(name).contains(address);
        }

        @Override
        public boolean covers(HostPattern other) {
            return other instanceof NamedHost host && host.name.equals(name);
        }
    }
}
