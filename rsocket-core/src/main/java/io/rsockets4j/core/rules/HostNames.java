/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rules;

import io.rsockets4j.core.log.Log;
import io.rsockets4j.core.thread.OwnThreads;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The addresses of the hosts that rules name. It looks a name up when a rule with it is read and, since addresses
 * change, again once a minute while rules are in use, on a separate thread. Thread-safe.
 */
final class HostNames {
    private static final Log LOG = Log.of(HostNames.class);

    private final Resolver resolver;
    private final Map<String, List<InetAddress>> known = new ConcurrentHashMap<>();
    private final AtomicBoolean refreshing = new AtomicBoolean();

    /** Looks names up, as {@link InetAddress#getAllByName} does; may block. */
    interface Resolver {
        InetAddress[] resolve(String name) throws UnknownHostException;
    }

    /** The system's way, without a lambda, which would cost every program at its start. */
    static final class Dns implements Resolver {
        @Override
        public InetAddress[] resolve(String name) throws UnknownHostException {
            return InetAddress.getAllByName(name);
        }
    }

    HostNames(Resolver resolver) {
        this.resolver = resolver;
    }

    /** Makes sure that the addresses of a name are known. May block. */
    void learn(String name) throws UnknownHostException {
        if (!known.containsKey(name)) {
            known.put(name, List.of(resolver.resolve(name)));
        }
    }

    /** What a name stood for when it was looked up last. */
    List<InetAddress> addresses(String name) {
        return known.getOrDefault(name, List.of());
    }

    /** Has all names looked up again, without waiting for it. A name that is not found keeps its addresses. */
    void refreshSoon() {
        if (!known.isEmpty() && refreshing.compareAndSet(false, true)) {
            try {
                OwnThreads.daemon("rsockets4j-rules", this::refresh).start();
            } catch (OutOfMemoryError e) { // no thread can be had now; the next time tries again
                refreshing.set(false);
                OwnThreads.report(LOG, "rsockets4j: rules go on with the addresses that they know", e);
            }
        }
    }

    private void refresh() {
        try {
            for (String name : known.keySet()) {
                try {
                    known.put(name, List.of(resolver.resolve(name)));
                } catch (UnknownHostException e) {
                    LOG.log(System.Logger.Level.DEBUG, "rsockets4j: rules go on with the old addresses of " + name, e);
                }
            }
        } finally {
            refreshing.set(false);
        }
    }
}
