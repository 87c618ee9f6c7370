/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.run;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Starts processes and sees to it that none outlives this JVM. For any threads. */
final class Children {

    private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> RUNNING.forEach(Process::destroyForcibly), "kill"));
    }

    private Children() {}

    /** Starts a process that will be killed when this JVM exits, if it still runs then. */
    static Process start(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command).start();
        RUNNING.add(process);
        process.onExit().thenAccept(RUNNING::remove);
        return process;
    }
}
