/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.engine;

import io.rsockets4j.core.log.Log;

/**
 * Loads the classes that the first connect of a {@code Socket} over shared memory needs, in that order, on a separate
 * thread. The program's thread opens the fabrics meanwhile, and finds most classes loaded. Names them by text, as the
 * doors are above this package; a name without a class costs time, nothing else.
 */
final class FirstClasses implements Runnable {
    private static final Log LOG = Log.of(FirstClasses.class);
    private static final String PROJECT = "io.rsockets4j.";

    static final String[] NAMES = {
        "spi.net.RSocketImpl", "spi.net.LinkListener$Target", "spi.stream.SocketPath", "spi.net.SocketSettings",
        "spi.stream.AskedBuffers", "spi.net.ListenerSettings", "spi.stream.StreamInput", "spi.stream.StreamOutput",
        "core.fabric.LocalPort", "core.engine.TcpAddresses", "spi.net.AcceptedSettings", "spi.net.TcpSocket",
        "spi.stream.Deadline", "core.log.Log$Configured", "spi.stream.TcpEnd", "spi.stream.HeldPort",
        "core.fabric.BufferSizes", "core.engine.PathFinder", "core.shm.rendezvous.Rendezvous$Entry",
        "core.shm.ShmFabric$Begin", "core.shm.ShmFabric$Ended", "core.shm.ServiceThread$Handler",
        "core.fabric.RungLinks", "core.shm.Session", "core.bell.PeerBells",
        "core.shm.InitiatorSession", "core.host.DescriptorBudget", "core.shm.FrameChannel", "core.shm.Frame",
        "core.shm.SlotPool", "core.shm.ring.SlotFile", "core.shm.ring.SlotDescriptor", "core.shm.Frame$Hello",
        "core.fabric.Timers$Timer", "core.shm.Frame$Welcome", "core.shm.SlotPool$FileUse", "core.shm.SessionDescriptor",
        "core.host.Words", "core.shm.ConnectEntry", "core.fabric.Waiter", "core.fabric.LinkWaiters",
        "core.shm.ShmWaiters", "core.shm.ring.RingCorruptedException",
        "core.fabric.LinkObserver$1", "core.shm.ring.SlotSleeper", "core.fabric.SpinHistory", "core.shm.ring.SendRing",
        "core.shm.ring.SlotFile$SlotWords", "core.shm.ring.SlotFile$WholeRing", "core.shm.ring.ReceiveRing",
        "core.engine.Route", "spi.stream.LinkStream",
        "spi.net.SocketStream", "spi.stream.SimpleLock", "spi.net.Forgotten", "spi.net.Forgotten$Forget",
        "core.engine.ConnectionInfo$Owner", "core.engine.ConnectionInfo", "core.flight.FlightEvents",
        "core.fabric.VirtualThreads", "core.bell.Futex", "core.fabric.SelectorWaiter",
        "core.engine.ConnectionMetrics$LinkTotals"
    };

    @Override
    public void run() {
        ClassLoader loader = FirstClasses.class.getClassLoader();
        try {
            for (String name : NAMES) {
                Class.forName(PROJECT.concat(name), false, loader);
            }
        } catch (ClassNotFoundException | LinkageError e) { // who needs it tells
            LOG.log(System.Logger.Level.DEBUG, "a class was not loaded ahead", e);
        }
    }
}
