/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.engine;

import io.rsockets4j.core.fabric.SpinPolicy;
import io.rsockets4j.core.flight.FlightEvents;
import io.rsockets4j.core.host.UnixSockets;
import io.rsockets4j.core.log.Log;
import io.rsockets4j.core.management.Management;
import io.rsockets4j.core.rules.Rules;
import io.rsockets4j.core.settings.Settings;
import io.rsockets4j.core.shm.ShmFabric;
import io.rsockets4j.core.stat.ConnectionSnapshot;
import io.rsockets4j.core.stat.Metric;
import io.rsockets4j.core.stat.SessionSnapshot;
import io.rsockets4j.core.stat.StatServer;
import io.rsockets4j.core.thread.OwnThreads;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;

/**
 * The process' engine. Makes it from the system properties at first use, with what tells of it: reports, flight
 * recordings and management. Thread-safe.
 */
public final class EngineHolder {
    private static final Log LOG = EngineLog.LOG;

    private static final Engine INSTANCE = create();

    private EngineHolder() { }

    /**
     * The engine of this process, made from the system properties at first use. The first call takes some milliseconds,
     * and others wait for it meanwhile.
     *
     * @return the one engine; null to the thread that makes it, in the midst of that
     * @throws ExceptionInInitializerError if a setting is unknown or cannot be parsed; its cause says which
     * @throws NoClassDefFoundError at later calls after that
     */
    public static Engine instance() {
        Engine engine = INSTANCE;
        Engine.handedOut();
        return engine;
    }

    private static Engine create() {
        Settings settings = Settings.from(System.getProperties());
        Log.wantFrom(settings.log());
        if (settings.paths().contains(ShmFabric.NAME)) {
            OwnThreads.daemon("rsockets4j-start", new FirstUnixSocket()).start();
            FirstClasses.ofConnect();
        }
        SpinPolicy spinPolicy = new SpinPolicy(settings.spinNanos(), Runtime.getRuntime().availableProcessors());
        Engine engine = new Engine(settings, new Rules(settings), Fabrics.open(settings, spinPolicy), spinPolicy);
        Live connections = new Live(engine);
        Served served = new Served(engine);
        StatServer.start(settings.shmDirectory(), served, connections, new RdmaSessions(engine));
        FlightEvents.serving(served);
        Management.start(connections, new Sums(engine));
        if (settings.summary()) {
            summarizeAtExit(engine, settings);
        }
        return engine;
    }

    private static void summarizeAtExit(Engine engine, Settings settings) {
        try {
            OwnThreads.atExit("rsockets4j-summary",
                    () -> System.err.println(engine.counts().summary(settings.paths()) + "; " + engine.served()));
        } catch (IllegalStateException e) {
            LOG.log(System.Logger.Level.DEBUG, "rsockets4j: no summary, as the process ends", e);
        }
    }

    // Classes rather than lambdas, which would cost every program at its first socket.

    /** The JDK starts a security provider for its first one; a session has that done by then. */
    private static final class FirstUnixSocket implements Runnable {
        @Override
        public void run() {
            try {
                UnixSockets.open().close();
            } catch (IOException | RuntimeException e) { // who needs one tells
                LOG.log(System.Logger.Level.DEBUG, "no Unix-domain socket was opened ahead", e);
            }
        }
    }

    private record Served(Engine engine) implements Supplier<String> {
        @Override
        public String get() {
            return engine.served();
        }
    }

    private record Live(Engine engine) implements Supplier<List<ConnectionSnapshot>> {
        @Override
        public List<ConnectionSnapshot> get() {
            return engine.connections().live().stream().map(ConnectionInfo::snapshot).toList();
        }
    }

    private record RdmaSessions(Engine engine) implements Supplier<List<SessionSnapshot>> {
        @Override
        public List<SessionSnapshot> get() {
            return engine.rdmaSessions();
        }
    }

    private record Sums(Engine engine) implements Supplier<List<Metric>> {
        @Override
        public List<Metric> get() {
            return engine.metrics();
        }
    }
}
