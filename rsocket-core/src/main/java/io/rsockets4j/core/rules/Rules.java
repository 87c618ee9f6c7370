/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rules;

import io.rsockets4j.core.log.Log;
import io.rsockets4j.core.settings.Setting;
import io.rsockets4j.core.settings.Settings;
import io.rsockets4j.core.thread.NanoTime;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * The rules of a process: those of the property, then those of the file. A caller looks at the file again if a second
 * has passed. Mistakes in a changed file leave the old rules in force, with one warning.
 *
 * <p>Thread-safe. Asking costs a comparison per rule and blocks only the one caller that finds the file changed.
 */
public final class Rules {
    private static final Log LOG = Log.of(Rules.class);
    private static final long POLL_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long NAMES_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Settings settings;
    private final HostNames names;
    private final LongSupplier nanoTime;
    private final RuleFile file; // null without one
    private final List<Rule> ofProperty;
    private final boolean fixed;
    private final ReentrantLock reloadLock = new ReentrantLock();
    private volatile RuleBook book; // written under reloadLock
    private volatile long nextPollNanos; // written under reloadLock
    private long nextNamesNanos; // guarded by reloadLock

    /**
     * Reads the rules that the settings name.
     *
     * @param settings give the property, the file, and the paths that there are
     * @throws RuleMistakeException if any rule cannot be used; the message has line and column
     */
    public Rules(Settings settings) {
        this(settings, new HostNames(new HostNames.Dns()), new NanoTime());
    }

    Rules(Settings settings, HostNames names, LongSupplier nanoTime) {
        this.settings = settings;
        this.names = names;
        this.nanoTime = nanoTime;
        ofProperty = settings.rule().isBlank() ? List.of() // without the parser, which most programs never load
                : RuleParser.parseProperty("rsockets4j.rule", settings.rule(), Setting.KNOWN_PATHS, names);
        file = settings.rulesFile().isEmpty() ? null : new RuleFile(settings.rulesFile());
        fixed = file == null && ofProperty.isEmpty();
        book = read();
        nextPollNanos = nanoTime.getAsLong() + POLL_NANOS;
        nextNamesNanos = nanoTime.getAsLong() + NAMES_NANOS;
    }

    private RuleBook read() {
        List<Rule> rules = new ArrayList<>(ofProperty);
        if (file != null) {
            try {
                rules.addAll(RuleParser.parseFile(file.path(), file.read(), Setting.KNOWN_PATHS, names));
            } catch (IOException e) {
                throw new RuleMistakeException(file.path(), "cannot be read: " + RuleFile.describe(e)
                        + "; mend it, or change rsockets4j.rules", e);
            }
        }
        return new RuleBook(rules, settings.paths());
    }

    /**
     * How many rules are in force.
     *
     * @return 0 when the settings alone decide
     */
    public int size() {
        return book.size();
    }

    /**
     * The paths for a connect.
     *
     * @param remote resolved
     * @return of the first rule that matches, or of the settings
     */
    public Choice onConnect(InetSocketAddress remote) {
        return current().choose(Direction.CONNECT, remote.getAddress(), remote.getPort());
    }

    /**
     * Whether a connection may be accepted.
     *
     * @param path its path
     * @param listener the listener's bound address
     * @param client the client's address
     * @return false if it is to be closed
     */
    public boolean accepts(String path, InetSocketAddress listener, InetAddress client) {
        return current().accepts(path, listener, client);
    }

    /**
     * Whether a listener may get connections by a path at all.
     *
     * @param path for example {@code shm}
     * @param listener its bound address
     * @return false if it is not to be offered there
     */
    public boolean mayAccept(String path, InetSocketAddress listener) {
        return current().mayAccept(path, listener);
    }

    private RuleBook current() {
        if (!fixed && nanoTime.getAsLong() - nextPollNanos >= 0 && reloadLock.tryLock()) {
            try {
                poll(nanoTime.getAsLong());
            } finally {
                reloadLock.unlock();
            }
        }
        return book;
    }

    private void poll(long now) {
        nextPollNanos = now + POLL_NANOS;
        if (now - nextNamesNanos >= 0) {
            nextNamesNanos = now + NAMES_NANOS;
            names.refreshSoon();
        }
        if (file == null || !file.hasChanged()) {
            return;
        }
        try {
            book = read();
            LOG.log(System.Logger.Level.INFO, "rsockets4j: " + file.path() + " has changed; rules in force now: "
                    + book.size());
        } catch (RuleMistakeException e) {
            LOG.log(System.Logger.Level.WARNING, e.getMessage() + ". The rules from before stay in force.");
        }
    }
}
