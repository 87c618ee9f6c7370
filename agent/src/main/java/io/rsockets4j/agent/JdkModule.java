/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent;

import io.rsockets4j.core.engine.FirstClasses;
import io.rsockets4j.core.log.Log;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Set;
import jdk.internal.misc.Unsafe;

/** Opens what the socket doors need of {@code java.base}, and adds what they need there. */
final class JdkModule {
    private static final Log LOG = Log.of(JdkModule.class);
    private static final int FIRST_WITH_FOREIGN_MEMORY = 22;
    /** Of {@link Module}: the name in Java 25, and that in 27. */
    private static final String[] SWITCHES = {"implAddEnableNativeAccessToAllUnnamed",
        "addEnableNativeAccessToAllUnnamed"};

    private final Instrumentation instrumentation;

    JdkModule(Instrumentation instrumentation) {
        this.instrumentation = instrumentation;
    }

    /**
     * Lets a module use the JDK's own sockets.
     *
     * @param user the module with our classes
     */
    void open(Module user) {
        Set<Module> users = Set.of(user);
        instrumentation.redefineModule(Object.class.getModule(), Set.of(),
                Map.of("jdk.internal.loader", users, "jdk.internal.misc", users, "sun.net", users, "sun.nio.ch", users),
                Map.of("sun.nio.ch", users),
                Set.of(), Map.of());
    }

    /**
     * Adds {@code java.net.RSockets4jDoor}, where {@link FirstClasses} has not.
     *
     * @throws IllegalStateException if this jar has no such class
     */
    void addDoor() {
        try {
            Class.forName(SocketHook.DOOR.replace('/', '.'), false, null);
        } catch (ClassNotFoundException absent) {
            String file = "/" + FirstClasses.JAVA_BASE + SocketHook.DOOR + ".class";
            try (InputStream in = JdkModule.class.getResourceAsStream(file)) {
                if (in == null) {
                    throw new FileNotFoundException(file);
                }
                byte[] bytes = in.readAllBytes();
                // not Lookup.defineClass: from Java 24 on it parses the class to see its name
                Unsafe.getUnsafe().defineClass(SocketHook.DOOR, bytes, 0, bytes.length, null, null);
            } catch (IOException e) {
                throw new IllegalStateException("rsockets4j: cannot read its own jar: " + e + "; use the jar as it"
                        + " was built", e);
            }
        }
    }

    /**
     * Lets classes of the class path call native functions without the warning that Java 22 and later print. Nothing
     * happens before Java 22, nor where the JDK has no such switch: then it warns.
     *
     * @param user the module with our classes
     */
    void allowNativeAccess(Module user) {
        if (Runtime.version().feature() < FIRST_WITH_FOREIGN_MEMORY) {
            return;
        }
        Module base = Object.class.getModule();
        instrumentation.redefineModule(base, Set.of(), Map.of(), Map.of("java.lang", Set.of(user)), Set.of(), Map.of());
        for (String name : SWITCHES) {
            try {
                Method allow = Module.class.getDeclaredMethod(name);
                allow.setAccessible(true);
                allow.invoke(null);
                return;
            } catch (ReflectiveOperationException e) {
                LOG.log(System.Logger.Level.DEBUG, "rsockets4j: this JDK has no " + name, e);
            }
        }
    }
}
