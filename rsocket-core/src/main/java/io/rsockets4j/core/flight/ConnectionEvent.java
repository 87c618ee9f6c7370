/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.flight;

import io.rsockets4j.core.stat.ConnectionSnapshot;
import java.util.function.Supplier;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Registered;
import jdk.jfr.StackTrace;

/** What all events of a connection end tell. */
@Category("rsockets4j")
@Registered(false)
@StackTrace(false)
abstract class ConnectionEvent extends Event {
    @Label("Local Address")
    String local;

    @Label("Remote Address")
    String remote;

    @Label("Path")
    String path;

    @Label("Reason")
    @Description("Number and name of why that path")
    String reason;

    /** Fills the event in and writes it, unless no recording wants it; then the connection is not looked at. */
    final void write(Supplier<ConnectionSnapshot> of) {
        if (shouldCommit()) {
            ConnectionSnapshot connection = of.get();
            local = connection.local();
            remote = connection.remote();
            path = connection.path();
            reason = connection.reason();
            fill(connection);
            commit();
        }
    }

    /** Fills in what only this event has. */
    void fill(ConnectionSnapshot connection) { }

    /** A connect succeeded. */
    @Name("rsockets4j.Connect")
    @Label("Connect")
    @Registered(true)
    static final class Connected extends ConnectionEvent { }

    /** A connection was accepted. */
    @Name("rsockets4j.Accept")
    @Label("Accept")
    @Registered(true)
    static final class Accepted extends ConnectionEvent { }

    /** A connect took a worse path than the best. */
    @Name("rsockets4j.Fallback")
    @Label("Fallback")
    @Registered(true)
    static final class FellBack extends ConnectionEvent { }

    /** A connection end was closed. */
    @Name("rsockets4j.Close")
    @Label("Close")
    @Registered(true)
    static final class Closed extends ConnectionEvent {
        @Label("Bytes Sent")
        @DataAmount
        long bytesSent;

        @Label("Bytes Received")
        @DataAmount
        long bytesReceived;

        @Label("Direct Bytes Sent")
        @Description("Of the bytes sent those that went straight into buffers of the peer's reads")
        @DataAmount
        long directBytesSent;

        @Label("Direct Bytes Received")
        @Description("Of the bytes received those that came straight into buffers of reads")
        @DataAmount
        long directBytesReceived;

        @Label("Stalls")
        long stalls;

        @Override
        void fill(ConnectionSnapshot connection) {
            bytesSent = connection.bytesSent();
            bytesReceived = connection.bytesReceived();
            directBytesSent = connection.directBytesSent();
            directBytesReceived = connection.directBytesReceived();
            stalls = connection.stalls();
        }
    }
}
