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
import jdk.jfr.Timespan;

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

    /** A link stands: it carries connections, or waits until the other one fails. */
    @Name("rsockets4j.LinkUp")
    @Label("Link Up")
    @Description("A link of a session over RDMA stands: both sides have said HELLO, or JOIN")
    @Registered(true)
    static final class Up extends LinkEvent { }

    /** Connections go on over this link, as the other one has failed. */
    @Name("rsockets4j.LinkFailover")
    @Label("Link Failover")
    @Description("The connections of a session over RDMA go on over this link, as the other one has failed")
    @Registered(true)
    static final class Failover extends LinkEvent {
        @Label("Reason")
        String reason;

        @Label("Connections")
        @Description("Connections that it carries")
        int connections;

        @Label("Pause")
        @Description("From when the failure was noticed until both sides went on")
        @Timespan
        long pause;

        Failover(String reason, long pauseNanos) {
            this.reason = reason;
            pause = pauseNanos;
        }

        @Override
        void fill(SessionSnapshot link) {
            connections = link.connections();
        }
    }

    /** A link that was up is up no more. */
    @Name("rsockets4j.LinkDown")
    @Label("Link Down")
    @Description("A link of a session over RDMA has ended")
    @Registered(true)
    static final class Down extends LinkEvent {
        @Label("Reason")
        String reason;

        @Label("Connections")
        @Description("Connections that it carried")
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
