/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.ffm;

import io.rsockets4j.core.verbs.VerbsUnavailableException;
import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;

/** Loads the distribution's libraries. They stay loaded as long as the process runs. */
final class NativeLibraries {
    private static final String PACKAGES = ". Install them: apt install libibverbs1 librdmacm1 ibverbs-providers"
            + " rdma-core (Debian, Ubuntu), or dnf install libibverbs librdmacm rdma-core (Fedora, RHEL)";

    private NativeLibraries() { }

    /**
     * Loads both libraries. Idempotent.
     *
     * @throws VerbsUnavailableException if this is no machine for them, or they are not installed
     */
    static void load() throws VerbsUnavailableException {
        if (!System.getProperty("os.name").equals("Linux") || ValueLayout.ADDRESS.byteSize() != Long.BYTES) {
            throw new VerbsUnavailableException("needs Linux with 64-bit pointers; this is "
                    + System.getProperty("os.name") + " on " + System.getProperty("os.arch"));
        }
        try {
            Libraries.touch();
        } catch (ExceptionInInitializerError | NoClassDefFoundError e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new VerbsUnavailableException(cause.getMessage() + advice(cause), e);
        }
    }

    private static String advice(Throwable cause) {
        boolean denied = cause instanceof IllegalCallerException;
        return denied ? ". Start Java with --enable-native-access=ALL-UNNAMED" : PACKAGES;
    }

    /** Where the functions of libibverbs are. */
    static SymbolLookup ibverbs() {
        return Libraries.IBVERBS;
    }

    /** Where the functions of librdmacm are. */
    static SymbolLookup rdmacm() {
        return Libraries.RDMACM;
    }

    /** Where the functions of the C library are. */
    static SymbolLookup libc() {
        return Libraries.LIBC;
    }

    private static final class Libraries {
        static final SymbolLookup LIBC = Linker.nativeLinker().defaultLookup();
        static final SymbolLookup IBVERBS = SymbolLookup.libraryLookup("libibverbs.so.1", Arena.global());
        static final SymbolLookup RDMACM = SymbolLookup.libraryLookup("librdmacm.so.1", Arena.global());

        private Libraries() { }

        /** Initializes this class. */
        static void touch() { }
    }
}
