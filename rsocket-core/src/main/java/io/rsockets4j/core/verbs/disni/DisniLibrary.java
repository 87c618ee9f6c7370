/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.disni;

import com.ibm.disni.verbs.impl.NativeDispatcher;
import io.rsockets4j.core.verbs.SocketAddressDescriptor;
import io.rsockets4j.core.verbs.VerbsStructs;
import io.rsockets4j.core.verbs.VerbsUnavailableException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;

/** Finds DiSNI and its native library, once in a process. Thread-safe. */
final class DisniLibrary {
    private static final String DISPATCHER = "com.ibm.disni.verbs.impl.NativeDispatcher";
    private static final String BUFFERS = "sun.nio.ch";
    private static final String OR_NEWER_JAVA = "; or use Java 22 or later, which needs no DiSNI";

    private DisniLibrary() { }

    /** Tries once: a class whose initialization has failed stays so. */
    private static final class Once {
        static final DisniDevices LOADED;
        static final VerbsUnavailableException FAILURE;

        static {
            DisniDevices loaded = null;
            VerbsUnavailableException failure = null;
            try {
                loaded = find();
            } catch (VerbsUnavailableException e) {
                failure = e;
            }
            LOADED = loaded;
            FAILURE = failure;
        }
    }

    /**
     * Loads DiSNI, or returns what is loaded.
     *
     * @throws VerbsUnavailableException with cause and fix
     */
    static DisniDevices load() throws VerbsUnavailableException {
        if (Once.FAILURE != null) {
            throw new VerbsUnavailableException(Once.FAILURE.getMessage(), Once.FAILURE);
        }
        return Once.LOADED;
    }

    private static DisniDevices find() throws VerbsUnavailableException {
        checkLoader();
        checkBuffers();
        Class<?> type = findDispatcher();
        DisniLibrary.class.getModule().addReads(type.getModule()); // where DiSNI is on the class path, and we are not
        return new DisniDevices(create(type));
    }

    private static void checkLoader() throws VerbsUnavailableException {
        if (DisniLibrary.class.getClassLoader() == null) {
            throw new VerbsUnavailableException("DiSNI cannot be used from the boot class path: start Java with"
                    + " -javaagent:rsockets4j.jar rather than -Xbootclasspath/a" + OR_NEWER_JAVA);
        }
    }

    /** Addresses of direct buffers are only to be had inside the JDK. */
    private static void checkBuffers() throws VerbsUnavailableException {
        Module module = DisniLibrary.class.getModule();
        if (!Object.class.getModule().isExported(BUFFERS, module)) {
            throw new VerbsUnavailableException("the addresses of buffers are out of reach: start Java with"
                    + " --add-exports java.base/" + BUFFERS + "="
                    + (module.isNamed() ? module.getName() : "ALL-UNNAMED") + " or with -javaagent:rsockets4j.jar");
        }
    }

    private static Class<?> findDispatcher() throws VerbsUnavailableException {
        try {
            return Class.forName(DISPATCHER, true, DisniLibrary.class.getClassLoader()); // and its native library
        } catch (ClassNotFoundException e) {
            throw new VerbsUnavailableException("DiSNI is not on the class path: add com.ibm.disni:disni:2.1 and"
                    + " org.slf4j:slf4j-api" + OR_NEWER_JAVA, e);
        } catch (NoClassDefFoundError e) {
            throw new VerbsUnavailableException("DiSNI needs a class that is not on the class path (" + e.getMessage()
                    + "): add org.slf4j:slf4j-api" + OR_NEWER_JAVA, e);
        } catch (UnsatisfiedLinkError e) {
            throw new VerbsUnavailableException("DiSNI's native library cannot be loaded: " + e.getMessage()
                    + ". Build libdisni.so from DiSNI's source (release 2.1) and name its directory with"
                    + " -Djava.library.path or LD_LIBRARY_PATH; java.library.path is '"
                    + System.getProperty("java.library.path") + "'" + OR_NEWER_JAVA, e);
        }
    }

    private static NativeDispatcher create(Class<?> type) throws VerbsUnavailableException {
        try {
            Constructor<?> constructor = type.getDeclaredConstructor(); // not public, alone in DiSNI's native layer
            constructor.setAccessible(true);
            NativeDispatcher dispatcher = (NativeDispatcher) constructor.newInstance();
            checkStructs(dispatcher);
            return dispatcher;
        } catch (InvocationTargetException e) {
            throw new VerbsUnavailableException("DiSNI does not start: " + e.getCause().getMessage(), e.getCause());
        } catch (ReflectiveOperationException | LinkageError e) {
            throw new VerbsUnavailableException("this DiSNI is not release 2.1: " + e, e);
        }
    }

    /** Compares with what the native library was compiled with, as far as it tells: else writing corrupts memory. */
    private static void checkStructs(NativeDispatcher disni) throws VerbsUnavailableException {
        expect("sizeof(ibv_sge)", VerbsStructs.SGE_BYTES, disni._getIbvSgeSize());
        expect("sizeof(ibv_recv_wr)", VerbsStructs.RECEIVE_BYTES, disni._getIbvRecvWRSize());
        expect("sizeof(ibv_wc)", VerbsStructs.COMPLETION_BYTES, disni._getIbvWCSize());
        expect("sizeof(sockaddr_in)", SocketAddressDescriptor.IPV4_STRUCT_BYTES, disni._getSockAddrInSize());
        expect("offsetof(ibv_send_wr, remote_addr)", VerbsStructs.SEND_REMOTE_ADDRESS, disni._getRemoteAddressOffset());
        expect("offsetof(ibv_send_wr, rkey)", VerbsStructs.SEND_REMOTE_KEY, disni._getRKeyOffset());
    }

    private static void expect(String what, int expected, int actual) throws VerbsUnavailableException {
        if (actual != expected) {
            throw new VerbsUnavailableException("libdisni.so was built for another platform: " + what + " is " + actual
                    + " there, not " + expected + "; only 64-bit Linux is supported");
        }
    }
}
