/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.flight;

import static java.lang.System.Logger.Level.DEBUG;

import io.rsockets4j.core.log.Log;
import io.rsockets4j.core.stat.ConnectionSnapshot;
import io.rsockets4j.core.stat.SessionSnapshot;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import jdk.jfr.FlightRecorder;

/**
 * Writes events of the process, its connections and its sessions to the JDK's flight recorder, where there is one and a
 * recording has been started in this process. Otherwise a call costs one look. Thread-safe; nothing blocks.
 */
public final class FlightEvents {
    private static final Log LOG = Log.of(FlightEvents.class);
    private static final boolean PRESENT = ModuleLayer.boot().findModule("jdk.jfr").isPresent();
    private static final AtomicReference<Supplier<String>> UNTOLD = new AtomicReference<>(); // to the recorder

    private FlightEvents() { }

    /**
     * This process is served; recordings tell of it once they have a connection to tell of.
     *
     * @param served by what, as {@code stat} has it; called only while something records
     */
    public static void serving(Supplier<String> served) {
        UNTOLD.set(served);
    }

    private static void tellOfProcess() {
        Supplier<String> served = UNTOLD.get() == null ? null : UNTOLD.getAndSet(null);
        if (served != null) {
            try {
                ProcessEvent.askFor(served);
            } catch (SecurityException e) { // by a manager of the program's
                LOG.log(DEBUG, "rsockets4j: recordings do not tell what serves this process: " + e.getMessage());
            }
        }
    }

    /**
     * A connection was established by this side.
     *
     * @param connection looked at only while something records such events
     * @param fallback whether a better path was missed
     */
    public static void connected(Supplier<ConnectionSnapshot> connection, boolean fallback) {
        if (isRecording()) {
            tellOfProcess();
            new ConnectionEvent.Connected().write(connection);
            if (fallback) {
                new ConnectionEvent.FellBack().write(connection);
            }
        }
    }

    /**
     * A connection was accepted.
     *
     * @param connection looked at only while something records
     */
    public static void accepted(Supplier<ConnectionSnapshot> connection) {
        if (isRecording()) {
            tellOfProcess();
            new ConnectionEvent.Accepted().write(connection);
        }
    }

    /**
     * A connection end was closed by the program.
     *
     * @param connection looked at only while something records
     */
    public static void closed(Supplier<ConnectionSnapshot> connection) {
        if (isRecording()) {
            tellOfProcess();
            new ConnectionEvent.Closed().write(connection);
        }
    }

    /**
     * A link of a session over RDMA stands.
     *
     * @param link looked at only while something records
     */
    public static void linkUp(Supplier<SessionSnapshot> link) {
        if (isRecording()) {
            new LinkEvent.Up().write(link.get());
        }
    }

    /**
     * The connections of a session over RDMA go on over another link.
     *
     * @param link the one that carries them now; looked at only while something records
     * @param reason why the other one has failed
     * @param pauseNanos from when that was noticed until both sides went on
     */
    public static void linkFailover(Supplier<SessionSnapshot> link, String reason, long pauseNanos) {
        if (isRecording()) {
            new LinkEvent.Failover(reason, pauseNanos).write(link.get());
        }
    }

    /**
     * A link of a session over RDMA has ended.
     *
     * @param link looked at only while something records
     * @param reason why
     */
    public static void linkDown(Supplier<SessionSnapshot> link, String reason) {
        if (isRecording()) {
            new LinkEvent.Down(reason).write(link.get());
        }
    }

    /**
     * A connection end is out of credit, and someone begins to wait for it.
     *
     * @param connection looked at at the end, if the wait took long enough
     * @return what to run at the end, or null
     */
    public static Runnable stall(Supplier<ConnectionSnapshot> connection) {
        return isRecording() ? new SpanEvent.Stall().start(connection) : null;
    }

    /**
     * A connection end rings its peer.
     *
     * @param connection looked at at the end, if that took long enough
     * @return what to run at the end, or null
     */
    public static Runnable doorbell(Supplier<ConnectionSnapshot> connection) {
        return isRecording() ? new SpanEvent.Doorbell().start(connection) : null;
    }

    /**
     * Whether anything may be recorded; to ask before something is made for that alone. A recorder that nobody has
     * started is left alone: to load it takes longer than a connect.
     *
     * @return false where there is no recorder, or none was started yet
     */
    public static boolean isRecording() {
        return PRESENT && FlightRecorder.isInitialized();
    }
}
