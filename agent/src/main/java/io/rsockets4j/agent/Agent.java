/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent;

import java.lang.instrument.Instrumentation;

/** The entry points that the JVM calls. */
public final class Agent {
    private Agent() {
    }

    /**
     * Called before the program's main method, with {@code -javaagent}.
     *
     * @param args what follows the jar's name on the command line, or null
     * @param instrumentation the JVM's hook
     */
    public static void premain(String args, Instrumentation instrumentation) {
        agentmain(args, instrumentation);
    }

    /**
     * Called when the agent is loaded into a running JVM.
     *
     * @param args what the attaching program passed, or null
     * @param instrumentation the JVM's hook
     */
    public static void agentmain(String args, Instrumentation instrumentation) {
    }
}
