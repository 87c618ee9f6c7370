/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.flight;

import java.util.function.Supplier;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;

/** What serves this process; the recorder asks for it at the begin and the end of each chunk of a recording. */
@Name("rsockets4j.Process")
@Label("Process")
@Description("What serves the sockets of this process")
@Category("rsockets4j")
@StackTrace(false)
@Period("everyChunk")
final class ProcessEvent extends Event {
    @Label("Served")
    @Description("Version, paths that work there, and the count of rules, if any")
    String served;

    /**
     * Has the recorder ask from now on, in all recordings.
     *
     * @param served called by the recorder's threads
     * @throws SecurityException if a manager of the program's does not allow that
     */
    static void askFor(Supplier<String> served) {
        FlightRecorder.addPeriodicEvent(ProcessEvent.class, () -> {
            ProcessEvent event = new ProcessEvent();
            event.served = served.get();
            event.commit();
        });
    }
}
