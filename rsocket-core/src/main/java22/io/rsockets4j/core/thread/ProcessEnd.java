/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.thread;

import io.rsockets4j.core.log.Log;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * How this process ends at once: the kernel ends it. From Java 26 on, a JVM that ends while it starts, as an agent may
 * want it to, first waits a minute for that start to be over.
 */
public final class ProcessEnd {
    private static final Log LOG = Log.of(ProcessEnd.class);

    private ProcessEnd() { }

    /**
     * Ends the process, without shutdown hooks. Does not return.
     *
     * @param status what whoever started it sees
     */
    public static void now(int status) {
        if (ProcessEnd.class.getModule().isNativeAccessEnabled()) { // the JVM would print a warning
            try {
                Linker linker = Linker.nativeLinker();
                MethodHandle exit = linker.downcallHandle(linker.defaultLookup().find("_exit").orElseThrow(),
                        FunctionDescriptor.ofVoid(ValueLayout.JAVA_INT));
                exit.invokeExact(status);
            } catch (Throwable e) { // as the handle declares it
                LOG.log(System.Logger.Level.DEBUG, "the JVM ends itself", e);
            }
        }
        Runtime.getRuntime().halt(status);
    }
}
