/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.flight;

import io.rsockets4j.core.stat.ConnectionSnapshot;
import java.util.function.Supplier;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Registered;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;

/** An event that lasts; it is written at its end. */
@Registered(false)
abstract class SpanEvent extends ConnectionEvent implements Runnable {
    private transient Supplier<ConnectionSnapshot> connection;

    /** Begins, if anyone records it; else null. */
    final SpanEvent start(Supplier<ConnectionSnapshot> of) {
        if (!isEnabled()) {
            return null;
        }
        connection = of;
        begin();
        return this;
    }

    /** Ends, and is written if it took long enough. */
    @Override
    public final void run() {
        end();
        write(connection);
    }

    /** A side was out of credit. */
    @Name("rsockets4j.Stall")
    @Label("Stall")
    @Description("A thread or a selector waited to send, as the peer did not read")
    @Registered(true)
    @StackTrace(true)
    @Threshold("20 ms")
    static final class Stall extends SpanEvent { }

    /** A side woke the peer. */
    @Name("rsockets4j.Doorbell")
    @Label("Doorbell")
    @Description("The kernel was called to wake a peer that slept")
    @Registered(true)
    @Enabled(false)
    static final class Doorbell extends SpanEvent { }
}
