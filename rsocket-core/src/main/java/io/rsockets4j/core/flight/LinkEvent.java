/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.flight;

import io.rsockets4j.core.stat.SessionSnapshot;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Registered;
import jdk.jfr.StackTrace;

/** What all events of a link tell: the queue pair of a session over RDMA. */
@Category("rsockets4j")
@Registered(false)
@StackTrace(false)
abstract class LinkEvent extends Event {
    @Label("Local Address")
    String local;

    @Label("Remote Address")
    String remote;

    @Label("Device")
    String device;

    @Label("Port")
    @Description("The device's port, from 1 on; 0 where that is not known")
    int port;

    @Label("GID")
    @Description("The index of the GID that this end sends from; -1 where that is not known, or none")
    int gid;

    /** Fills the event in, and writes it. */
    final void write(SessionSnapshot link) {
        if (shouldCommit()) {
            local = link.local();
            remote = link.remote();
            device = link.device();
            port = link.port();
            gid = link.gid();
            fill(link);
            commit();
        }
    }

    /** Fills in what only this event has. */
    void fill(SessionSnapshot link) { }

    /** A link carries connections from now on. */
    @Name("rsockets4j.LinkUp")
    @Label("Link Up")
    @Description("A session over RDMA has begun: both sides have said HELLO")
    @Registered(true)
    static final class Up extends LinkEvent { }

    /** A link that was up is up no more. */
    @Name("rsockets4j.LinkDown")
    @Label("Link Down")
    @Description("A session over RDMA has ended")
    @Registered(true)
    static final class Down extends LinkEvent {
        @Label("Reason")
        String reason;

        @Label("Connections")
        @Description("Connections that ended with it")
        int connections;

        @Label("Pinned Bytes")
        @Description("Memory that was registered for it")
        @DataAmount
        long pinnedBytes;

        Down(String reason) {
            this.reason = reason;
        }

        @Override
        void fill(SessionSnapshot link) {
            connections = link.connections();
            pinnedBytes = link.pinnedBytes();
        }
    }
}
