/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.management;

import static java.lang.System.Logger.Level.DEBUG;

import io.rsockets4j.core.log.Log;
import io.rsockets4j.core.stat.ConnectionSnapshot;
import io.rsockets4j.core.stat.Metric;
import io.rsockets4j.core.thread.OwnThreads;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import javax.management.InstanceAlreadyExistsException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;

/**
 * Registers {@link ConnectionsMXBean}, as soon as this process has a platform MBean server. Making one takes longer
 * than many a program runs, and the program chooses how to make it. So a daemon thread looks for it once a second
 * until the program, or somebody who attaches to it, has made one.
 */
public final class Management {
    private static final boolean PRESENT = ModuleLayer.boot().findModule("java.management").isPresent();

    private Management() { }

    /**
     * Begins to look, unless the module {@code java.management} is missing. Does not wait; once registered, the bean
     * stays.
     *
     * @param connections those that are open; called by whoever reads the bean
     * @param metrics sums so far; called by whoever reads the bean
     */
    public static void start(Supplier<? extends Collection<ConnectionSnapshot>> connections,
            Supplier<? extends Collection<Metric>> metrics) {
        if (!PRESENT) {
            return;
        }
        OwnThreads.daemon("rsockets4j-management", new Registrar(connections, metrics)).start();
    }

    /** What the thread does. */
    private record Registrar(Supplier<? extends Collection<ConnectionSnapshot>> connections,
            Supplier<? extends Collection<Metric>> metrics) implements Runnable {
        private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);

        @Override
        public void run() {
            do {
                Thread.interrupted(); // whoever did that: it would not wait
                LockSupport.parkNanos(PERIOD_NANOS);
            } while (!Registration.isDone(connections, metrics));
        }
    }

    /** What needs the module: loaded by the thread, at its first look. */
    private static final class Registration {
        private static final Log LOG = Log.of(Management.class);
        private static final String PLATFORM = "java.lang:type=Runtime"; // what every platform MBean server has

        private Registration() { }

        /** Registers the bean, if there is a server for it; true also if there will never be. */
        static boolean isDone(Supplier<? extends Collection<ConnectionSnapshot>> connections,
                Supplier<? extends Collection<Metric>> metrics) {
            try {
                MBeanServer server = platformServer();
                if (server == null) {
                    return false;
                }
                server.registerMBean(new ConnectionsBean(connections, metrics), new ObjectName(ConnectionsMXBean.NAME));
            } catch (InstanceAlreadyExistsException e) {
                LOG.log(DEBUG, "rsockets4j: it is in this process twice; " + ConnectionsMXBean.NAME + " tells of one");
            } catch (JMException | SecurityException e) {
                LOG.log(DEBUG, "rsockets4j: this process cannot be seen by JMX: " + e);
            }
            return true;
        }

        /** The server, or null if nobody has made one. Makes none, nor the bean, which takes far longer. */
        private static MBeanServer platformServer() throws JMException {
            for (MBeanServer server : MBeanServerFactory.findMBeanServer(null)) {
                if (server.isRegistered(new ObjectName(PLATFORM))) {
                    return server;
                }
            }
            return null;
        }
    }
}
