/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.engine;

import io.rsockets4j.core.bell.Bell;
import io.rsockets4j.core.fabric.AcceptQueue;
import io.rsockets4j.core.fabric.Fabric;
import io.rsockets4j.core.fabric.ListenOffer;
import io.rsockets4j.core.fabric.LocalPort;
import io.rsockets4j.core.fabric.SourceMemory;
import io.rsockets4j.core.fabric.SpinPolicy;
import io.rsockets4j.core.reason.PathException;
import io.rsockets4j.core.reason.Reason;
import io.rsockets4j.core.rules.Choice;
import io.rsockets4j.core.rules.Rules;
import io.rsockets4j.core.settings.Settings;
import io.rsockets4j.core.stat.Metric;
import io.rsockets4j.core.stat.SessionSnapshot;
import io.rsockets4j.core.thread.NanoTime;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.AllPermission;
import java.util.List;
import java.util.function.BiPredicate;

/**
 * The engine of a process: which paths exist, in which order a connect tries them, and what was used.
 *
 * <p>The socket doors hold the TCP side themselves; the engine only says whether something better is there. All
 * methods are thread-safe.
 */
public final class Engine {
    private static volatile boolean tcpAllowed; // by the settings, as they were checked
    private static volatile boolean started; // the process' engine: here, as its holder makes it when asked anything

    private final Settings settings;
    private final Fabrics fabrics;
    private final SpinPolicy spinPolicy;
    private final Rules rules;
    private final PeerMemory memory;
    private final EngineLog log = new EngineLog();
    private final PeerInspector inspector;
    private final ConnectionCounts counts = new ConnectionCounts();
    private final ConnectionRegistry connections = new ConnectionRegistry(counts);

    Engine(Settings settings, Rules rules, Fabrics fabrics, SpinPolicy spinPolicy) {
        this.settings = settings;
        this.rules = rules;
        this.memory = new PeerMemory(settings.rememberNanos(), new NanoTime());
        this.inspector = new PeerInspector(log, settings.rememberNanos());
        this.fabrics = fabrics;
        this.spinPolicy = spinPolicy;
    }

    /**
     * Whether somebody has the process' engine, so that sockets of ours may exist. Makes none; never blocks.
     *
     * @return never false again
     */
    public static boolean isStarted() {
        return started;
    }

    /** Somebody has the process' engine. */
    static void handedOut() {
        if (!started) {
            started = true;
        }
    }

    /**
     * Reads settings and rules from the system properties, and forgets them again: to tell of mistakes early.
     *
     * @return the settings
     * @throws IllegalArgumentException if the engine could not start with them; the message says what to mend
     */
    public static Settings check() {
        Settings settings = Settings.from(System.getProperties());
        if (!settings.rule().isBlank() || !settings.rulesFile().isEmpty()) {
            new Rules(settings);
        }
        tcpAllowed = settings.paths().contains(Settings.TCP);
        return settings;
    }

    /**
     * Whether new sockets are to be the JDK's own because the program has a security manager that denies its caller
     * something. It would be asked, on behalf of the program's classes, for every file and property that the engine
     * touches. One that allows everything, as those do that only keep a program from exiting, is no hindrance.
     *
     * @return false as well where the settings allow no TCP: then such a program gets the manager's exceptions
     */
    public static boolean isBarred() {
        return tcpAllowed && isConfined();
    }

    /**
     * As {@link #isBarred}, for a connect by a socket that is ours already.
     *
     * @return true if it is to go by TCP, without a look at other paths
     */
    public boolean leavesConnectToTcp() {
        return settings.paths().contains(Settings.TCP) && isConfined();
    }

    /**
     * Whether there is a security manager that denies the caller, or this class, something.
     *
     * @return true if so
     */
    @SuppressWarnings("removal") // there are none from Java 24 on, and it answers null
    public static boolean isConfined() {
        SecurityManager manager = System.getSecurityManager();
        if (manager == null) {
            return false;
        }
        try {
            manager.checkPermission(new AllPermission());
            return false;
        } catch (SecurityException e) {
            return true;
        }
    }

    /**
     * The settings this engine runs with.
     *
     * @return frozen at start
     */
    public Settings settings() {
        return settings;
    }

    /**
     * How many connections took which path.
     *
     * @return live counters, which the registry of connections keeps
     */
    public ConnectionCounts counts() {
        return counts;
    }

    /**
     * The live connections. The doors register each when it is established, and remove it when it is closed.
     *
     * @return one registry for the process
     */
    public ConnectionRegistry connections() {
        return connections;
    }

    /**
     * What a metrics library may want to know: sums over all connections so far. Looks at each open connection, and
     * does not touch the data path; meant for once in a second or less. What is there:
     *
     * <ul>
     * <li>{@code rsockets4j.connections.open}, {@code rsockets4j.connections.opened}: by {@code path} and {@code
     * direction}
     * <li>{@code rsockets4j.bytes.sent}, {@code rsockets4j.bytes.received}, {@code rsockets4j.stalls}: by {@code path}
     * but for {@code tcp}
     * <li>{@code rsockets4j.fallbacks}: by {@code path}, the one that was taken instead, and {@code reason}
     * </ul>
     *
     * @return as of now; counters never go back, and those of fallbacks are there from the first one on
     */
    public List<Metric> metrics() {
        return connections.metrics(settings.paths());
    }

    /**
     * The sessions over RDMA, for reports. Looks at each, and does not touch the data path.
     *
     * @return as of now, the oldest first; none where path rdma is not open
     */
    List<SessionSnapshot> rdmaSessions() {
        return fabrics.rdmaSessions();
    }

    /**
     * Lends a bell to a thread or a selector that waits for links.
     *
     * @return one that peers can ring where a fabric has such; to be released
     */
    public Bell lendBell() {
        for (Fabric fabric : fabrics.all()) {
            Bell bell = fabric.lendBell();
            if (bell != null) {
                return bell;
            }
        }
        return Bell.unshared();
    }

    /**
     * Makes memory for sends of extended sockets that peers can read where it is.
     *
     * @param bytes how much, at least one
     * @param partBytes the most that one send takes of it
     * @return zeros; null where no peer could, none would as it is too small, or there is too little of it
     */
    public SourceMemory share(int bytes, int partBytes) {
        if (partBytes < settings.directMinBytes(true)) {
            return null;
        }
        for (Fabric fabric : fabrics.all()) {
            try {
                SourceMemory shared = fabric.share(bytes);
                if (shared != null) {
                    return shared;
                }
            } catch (IOException e) {
                EngineLog.LOG.log(System.Logger.Level.DEBUG, "rsockets4j: no memory to share", e);
            }
        }
        return null;
    }

    /**
     * How long waiting threads may spin.
     *
     * @return shared by all waits of the process
     */
    public SpinPolicy spinPolicy() {
        return spinPolicy;
    }

    /**
     * Whether a listener may get TCP clients at all.
     *
     * @param listener its bound address
     * @return false when every one is to be closed at once
     */
    public boolean mayAcceptTcp(InetSocketAddress listener) {
        return rules.mayAccept(Settings.TCP, listener);
    }

    /**
     * Whether a TCP connection may be accepted.
     *
     * @param listener the listener's bound address
     * @param client the client's address
     * @return false when it is to be closed
     */
    public boolean acceptsTcp(InetSocketAddress listener, InetSocketAddress client) {
        boolean accepts = rules.accepts(Settings.TCP, listener, client.getAddress());
        if (!accepts) {
            log.turnedAway(listener);
        }
        return accepts;
    }

    /**
     * Takes note that a TCP client is closed unseen, as {@link #mayAcceptTcp} is false.
     *
     * @param listener the listener's bound address
     */
    public void turnedAway(InetSocketAddress listener) {
        log.turnedAway(listener);
    }

    /**
     * Whether every connection goes by TCP, and no rule or report concerns it, so that the JDK's sockets will do.
     *
     * @return true with nothing for us to do
     */
    public boolean isPlainTcp() {
        return fabrics.all().isEmpty() && rules.size() == 0 && settings.paths().contains(Settings.TCP)
                && !settings.summary();
    }

    /**
     * Offers a listener that is about to listen on TCP, and whose port is held already, on the fabrics that can find it
     * then: clients that come as soon as TCP listens are to find it there too. Takes two milliseconds, up to 16 where
     * cores are short, for those who have just looked in vain; of use only where the port is one that clients can know.
     *
     * @param request the address that TCP will have, and what was asked for
     * @return what {@link #listen} completes; to be closed in any case, which withdraws it if TCP does not listen
     */
    public Announcement announce(Fabric.ListenRequest request) {
        Announcement announcement = new Announcement(queueFor(request));
        if (!request.shared()) {
            for (Fabric fabric : fabrics.all()) {
                if (rules.mayAccept(fabric.name(), request.address())) {
                    announcement.announce(fabric, request);
                }
            }
            announcement.awaitEarlyConnects(spinPolicy.coreFree());
        }
        return announcement;
    }

    private void started() {
        if (!log.isStarted()) {
            log.started(settings.paths(), fabrics.available(settings.paths()), rules.size());
        }
    }

    /** What serves this process' sockets now, for people: version, paths that work here, count of rules if any. */
    String served() {
        return EngineLog.served(fabrics.available(settings.paths()), rules.size());
    }

    private AcceptQueue queueFor(Fabric.ListenRequest request) {
        started();
        return new AcceptQueue(request.backlog(), spinPolicy, new Admission(rules, request.address()));
    }

    /**
     * Offers a TCP listener on every fabric. A fabric that cannot serve it is left out with a log line; the TCP side is
     * unaffected.
     *
     * @param request the bound address and what was asked for
     * @param announced what {@link #announce} did for that address, or null where it was not known before
     * @return links to accept; close it with the TCP listener
     */
    public AcceptQueue listen(Fabric.ListenRequest request, Announcement announced) {
        Announcement announcement = announced == null ? new Announcement(queueFor(request)) : announced;
        if (request.shared()) {
            EngineLog.LOG.log(System.Logger.Level.DEBUG, "rsockets4j: the listener at " + request.address() + " is left"
                    + " to TCP: with SO_REUSEPORT the kernel chooses among several (reason " + Reason.SHARED_PORT
                    + ")");
            return announcement.listening();
        }
        for (Fabric fabric : fabrics.all()) {
            if (!announcement.has(fabric) && rules.mayAccept(fabric.name(), request.address())) {
                offer(fabric, request, announcement.queue());
            }
        }
        return announcement.listening();
    }

    private record Admission(Rules rules, InetSocketAddress local) implements BiPredicate<String, InetAddress> {
        @Override
        public boolean test(String path, InetAddress client) {
            return rules.accepts(path, local, client);
        }
    }

    private void offer(Fabric fabric, Fabric.ListenRequest request, AcceptQueue queue) {
        try {
            ListenOffer offer = fabric.listen(request, queue);
            if (offer != null) {
                queue.add(offer);
            }
        } catch (IOException e) {
            log.notListening(fabric.name(), PathException.reasonOf(e), request.address(), e.getMessage());
        }
    }

    /**
     * Connects over the best path that is not TCP.
     *
     * @param remote where the program wants to connect to
     * @param port reserves the local port
     * @param deadlineNanos a {@link System#nanoTime} value, or {@link Long#MAX_VALUE}
     * @return an established link, or that it is to be TCP, and why
     * @throws ConnectException when settings and rules allow no TCP, and no other path leads there
     * @throws IOException when the channel that holds the port is closed meanwhile
     */
    public Route connect(InetSocketAddress remote, LocalPort port, long deadlineNanos) throws IOException {
        return pathTo(remote, port).find(deadlineNanos);
    }

    /**
     * Tells at once where a connect goes by TCP as all fabrics that come before it know of no one there. Never blocks.
     *
     * @param remote as for {@link #connect}
     * @return why by TCP, or null: a path has to be sought
     */
    public Reason knownTcp(InetSocketAddress remote) {
        started();
        Choice choice = rules.onConnect(remote);
        Reason reason = choice.reason();
        for (String path : choice.paths()) {
            if (path.equals(Settings.TCP)) {
                return reason;
            }
            Fabric fabric = fabrics.get(path);
            if (fabric == null || !fabric.knowsNobodyAt(remote)) {
                return null;
            }
            Reason passedOver = fabric.passedOver(remote);
            if (passedOver == null) {
                reason = inspector.knownReason(path, remote); // which was told when it was found
                if (reason == null) {
                    return null; // once TCP takes it, somebody has to look why
                }
            } else if (!passedOver.isChoice()) {
                reason = passedOver;
            }
        }
        return null;
    }

    /**
     * Begins a connect whose path may have to be found by another thread.
     *
     * @param remote where the program wants to connect to
     * @param port reserves the local port
     * @return nothing has been tried yet
     */
    public PathFinder pathTo(InetSocketAddress remote, LocalPort port) {
        started();
        return new PathFinder(fabrics, memory, inspector, log, settings.paths(), rules.onConnect(remote), remote, port);
    }

    /**
     * A peer did not take TCP either: nobody is there, so nothing that was learned about its paths counts, and when
     * somebody is there it will be asked anew.
     *
     * @param remote where the program wanted to connect to
     */
    public void nobodyAt(InetSocketAddress remote) {
        for (Fabric fabric : fabrics.all()) {
            fabric.nobodyAt(remote);
            memory.forget(fabric.name(), remote);
        }
    }
}
