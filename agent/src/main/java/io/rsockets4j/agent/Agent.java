/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent;

import io.rsockets4j.core.engine.Engine;
import io.rsockets4j.core.engine.EngineHolder;
import io.rsockets4j.core.engine.FirstClasses;
import io.rsockets4j.core.log.ClassPath;
import io.rsockets4j.core.log.Log;
import io.rsockets4j.core.rules.RuleMistakeException;
import io.rsockets4j.core.settings.RdmaPorts;
import io.rsockets4j.core.settings.Setting;
import io.rsockets4j.core.settings.Settings;
import io.rsockets4j.core.thread.ProcessEnd;
import io.rsockets4j.spi.channel.ChannelDoor;
import java.lang.instrument.Instrumentation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the JVM calls by way of {@code Premain}.
 *
 * <p>Arguments are {@code key=value,key=value} with the keys of {@link io.rsockets4j.core.settings.Setting}; they mean
 * the same as system properties {@code rsockets4j.key} and win over them.
 */
public final class Agent {
    /** The system property that tells how a late load ended: empty, or what went wrong. */
    public static final String OUTCOME = "rsockets4j-attached";
    /** The system property that lists what a late load has left to others, a line each. */
    public static final String LIMITS = "rsockets4j-attached-limits";

    private static final Log LOG = Log.of(Agent.class);
    private static final String NAME = "rsockets4j: ";
    private static final String SELECTOR_PROVIDER = "java.nio.channels.spi.SelectorProvider"; // not loaded for its name
    private static final String PROVIDER = "io.rsockets4j.spi.RSocketSelectorProvider";
    private static final String SERVICES = "META-INF/services/";
    private static final String RDMA = "rdma";
    private static final String SHM = "shm";
    private static final String ASYNCHRONOUS = "java.nio.channels.spi.AsynchronousChannelProvider";
    private static final String ASYNCHRONOUS_PROVIDER = "io.rsockets4j.spi.RSocketAsynchronousChannelProvider";

    private static final List<String> LEFT_ALONE = new ArrayList<>(); // guarded by the class' monitor
    private static boolean installed; // guarded by the class' monitor

    private Agent() { }

    /**
     * Called before the program's main method, with {@code -javaagent} or {@code -agentlib:instrument}. If a setting
     * cannot be used, or this JVM's sockets cannot be reached, there is one line on standard error, and the program
     * runs on TCP as if we were not there. Only where TCP would be against what was asked for the JVM ends:
     * {@code paths} without {@code tcp}, and rules that cannot be read.
     *
     * @param args what follows the jar's name on the command line, or null
     * @param instrumentation the JVM's hook
     */
    public static void premain(String args, Instrumentation instrumentation) {
        try {
            install(args, instrumentation, false);
        } catch (Throwable e) { // what is thrown here ends the JVM
            String line = line(e);
            if (e instanceof RuleMistakeException || !mayFallBack(args)) {
                System.err.println(line);
                end(instrumentation);
            }
            System.err.println(line + ". Until that is mended, this program's sockets are plain TCP.");
        }
    }

    private static void end(Instrumentation instrumentation) {
        try {
            new JdkModule(instrumentation).allowNativeAccess(Agent.class.getModule());
        } catch (RuntimeException e) { // without it, too
            LOG.log(System.Logger.Level.DEBUG, "no native access", e);
        }
        ProcessEnd.now(1);
    }

    private static boolean mayFallBack(String args) {
        String property = null;
        try {
            property = System.getProperty(Setting.PATHS.property());
        } catch (SecurityException e) {
            property = null; // a manager that denies even that: what was not asked for here is not known
        }
        return Settings.allowTcp(args, property);
    }

    /**
     * Called when the agent is loaded into a running JVM: sockets, channels and selectors that are made from then on
     * come by us. Throws nothing, as the JVM would print all of it. What went wrong is one line on standard error, and
     * stands in the system property {@value #OUTCOME} for whoever loaded the agent; all is well where that is empty.
     *
     * @param args what the attaching program passed, or null
     * @param instrumentation the JVM's hook
     */
    public static void agentmain(String args, Instrumentation instrumentation) {
        String outcome = "";
        try {
            outcome = install(args, instrumentation, true);
        } catch (Throwable e) {
            outcome = line(e);
            System.err.println(outcome + ". This program's sockets stay plain TCP.");
        }
        System.setProperty(LIMITS, leftAlone());
        System.setProperty(OUTCOME, outcome);
    }

    /** What went wrong, in a line. */
    private static String line(Throwable e) {
        String message = String.valueOf(e.getMessage());
        return message.startsWith(NAME) ? message : NAME + "cannot serve this JVM: " + e;
    }

    /** Returns nothing, or that it changes nothing as it was called before. */
    private static synchronized String install(String args, Instrumentation instrumentation, boolean late) {
        if (Engine.isConfined()) {
            throw new IllegalStateException(NAME + "this JVM has a security manager, which denies what"
                    + " rsockets4j needs; leave -Djava.security.manager out");
        }
        Map<String, String> settings = Settings.parseArguments(args);
        if (installed) {
            return settings.isEmpty() ? ""
                    : say("the agent was loaded before; the arguments '" + args + "' change nothing");
        }
        Settings checked = take(settings);
        Log.wantFrom(checked.log());
        boolean summary = checked.summary();
        JdkModule jdk = new JdkModule(instrumentation);
        jdk.open(Agent.class.getModule());
        FirstClasses.ofAgent();
        jdk.addDoor();
        // only a program that will sleep by futex or call the verbs gets native access opened for it
        if (checked.paths().contains(SHM) || checked.paths().contains(RDMA) && RdmaPorts.anyDevice()) {
            jdk.allowNativeAccess(Agent.class.getModule());
        }
        new SocketHook(instrumentation).install();
        instrumentation.addTransformer(new NettyHook());
        takeProviders(instrumentation, late);
        installed = true;
        if (summary) {
            EngineHolder.instance(); // prints at exit, also where no socket is ever made
        }
        return "";
    }

    /** Makes arguments properties; those that cannot be used stand in nobody's way later. */
    private static Settings take(Map<String, String> settings) {
        Map<String, String> before = new HashMap<>();
        for (Map.Entry<String, String> setting : settings.entrySet()) {
            before.put(setting.getKey(), System.setProperty(setting.getKey(), setting.getValue()));
        }
        try {
            return Engine.check();
        } catch (RuntimeException e) {
            for (Map.Entry<String, String> property : before.entrySet()) {
                if (property.getValue() == null) {
                    System.clearProperty(property.getKey());
                } else {
                    System.setProperty(property.getKey(), property.getValue());
                }
            }
            throw e;
        }
    }

    private static void takeProviders(Instrumentation instrumentation, boolean late) {
        ProviderHook hook = new ProviderHook(instrumentation);
        try {
            if (setProvider(SELECTOR_PROVIDER, PROVIDER, "channels") && ProviderHook.hasChosenChannels()) {
                hook.takeChannels();
            }
            if (setProvider(ASYNCHRONOUS, ASYNCHRONOUS_PROVIDER, "asynchronous channels")
                    && ProviderHook.hasChosenAsynchronous()) {
                hook.takeAsynchronous();
            }
            if (late && ProviderHook.hasSelectors()) {
                ChannelDoor.expectEarlySelectors();
            }
            hook.install();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(NAME + "cannot reach this JVM's channels: " + e, e);
        }
    }

    /** Names our provider, unless the program has named another; whether it did. */
    private static boolean setProvider(String property, String ours, String what) {
        String provider = System.getProperty(property);
        if (provider == null && ClassPath.has(SERVICES + property)) {
            leave(what + " are left to the provider that " + SERVICES + property + " on the class path names");
        } else if (provider == null) {
            System.setProperty(property, ours);
            return true;
        } else if (!provider.equals(ours)) {
            leave(what + " are left to " + provider + ", which -D" + property + " names");
        }
        return false;
    }

    private static synchronized String leftAlone() {
        return String.join("\n", LEFT_ALONE);
    }

    private static void leave(String what) {
        say(what);
        LEFT_ALONE.add(what);
    }

    /** Tells the program's user; returns what was told. */
    private static String say(String message) {
        System.err.println(NAME + message);
        return NAME + message;
    }
}
