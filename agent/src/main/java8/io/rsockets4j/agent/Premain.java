/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent;

import java.lang.instrument.Instrumentation;
import java.lang.reflect.InvocationTargetException;

/**
 * What the JVM calls first, of any version from 8 on: a JVM that cannot read an agent's class does not start, and
 * {@code JAVA_TOOL_OPTIONS} reaches every JVM of a host. It hands over to {@code Agent}. Where the JVM is too old for
 * that it says in a line what is missing, and the program runs on TCP. Where TCP would be against what was asked for
 * the JVM ends: {@code paths} without {@code tcp}, and rules, which nobody would follow.
 */
public final class Premain {
    private static final String AGENT = "io.rsockets4j.agent.Agent";
    private static final String PROPERTY = "rsockets4j.";
    private static final String OUTCOME = "rsockets4j-attached"; // as in Agent

    private Premain() { }

    /**
     * Called before the program's main method. Throws nothing, since the JVM would end.
     *
     * @param args what follows the jar's name on the command line, or null
     * @param instrumentation the JVM's hook
     */
    public static void premain(String args, Instrumentation instrumentation) {
        String failure = call("premain", args, instrumentation);
        if (failure != null) {
            boolean runs = mayFallBack(args);
            System.err.println(failure + (runs ? ". This program's sockets are plain TCP." : "."));
            if (!runs) {
                Runtime.getRuntime().halt(1);
            }
        }
    }

    /**
     * Called when the agent is loaded into a running JVM. Throws nothing.
     *
     * @param args what the attaching program passed, or null
     * @param instrumentation the JVM's hook
     */
    public static void agentmain(String args, Instrumentation instrumentation) {
        String failure = call("agentmain", args, instrumentation);
        if (failure != null) {
            System.err.println(failure + ". This program's sockets stay plain TCP.");
            System.setProperty(OUTCOME, failure);
        }
    }

    /** Returns null, or why the agent was not called. */
    private static String call(String method, String args, Instrumentation instrumentation) {
        try {
            Class.forName(AGENT).getMethod(method, String.class, Instrumentation.class)
                    .invoke(null, args, instrumentation);
            return null;
        } catch (UnsupportedClassVersionError e) {
            return "rsockets4j: needs Java 17 or newer, and this is Java " + System.getProperty("java.version");
        } catch (InvocationTargetException e) {
            return "rsockets4j: cannot serve this JVM: " + e.getCause();
        } catch (Exception e) {
            return "rsockets4j: cannot serve this JVM: " + e;
        } catch (LinkageError e) {
            return "rsockets4j: cannot serve this JVM: " + e;
        }
    }

    /** As Settings has it, which an old JVM cannot read. */
    private static boolean mayFallBack(String args) {
        String paths = setting("paths");
        boolean rules = setting("rules") != null || setting("rule") != null;
        String key = "";
        for (String part : (args == null ? "" : args).split(",")) {
            int equals = part.indexOf('=');
            if (equals >= 0) {
                key = part.substring(0, equals).trim();
                rules |= key.equals("rules") || key.equals("rule");
            }
            if (key.equals("paths")) {
                paths = equals >= 0 ? part : paths + "," + part;
            }
        }
        return !rules && (paths == null || paths.contains("tcp") || paths.contains("auto"));
    }

    private static String setting(String key) {
        try {
            return System.getProperty(PROPERTY + key);
        } catch (SecurityException e) {
            return null; // what was not asked for here is not known
        }
    }
}
