/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.host;

import io.rsockets4j.core.log.Log;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The names of the sockets by which processes tell of their connections: {@code PID-RANDOM.PIDNS.stat}. A process id
 * means nothing in another pid namespace, and several may share the directory, so the name has that, too. Thread-safe.
 */
public final class StatNames {
    /** What they all end in. */
    public static final String SUFFIX = ".stat";
    /** What is added to the name of one that does not listen yet. */
    public static final String DRAFT = ".draft";
    private static final Log LOG = Log.of(StatNames.class);
    private static final String FIRST_NAMESPACE = "4026531836"; // PROC_PID_INIT_INO of linux/proc_ns.h
    private static volatile String ownNamespace; // once it was needed

    private StatNames() { }

    /**
     * A name for this process that no other has.
     *
     * @return a file name
     * @throws IOException if the kernel does not tell this process' number, as without /proc
     */
    public static String create() throws IOException {
        String pid = Files.readSymbolicLink(Path.of("/proc/self")).toString(); // a ProcessHandle starts threads
        long random = ThreadLocalRandom.current().nextLong(); // only that names differ: nobody is to guess anything
        return pid + "-" + Long.toHexString(random) + "." + namespace() + SUFFIX;
    }

    /**
     * Whether a file is a socket, or the draft of one, that a process has left which has ended. The socket of a process
     * that runs is not tried: an answer costs it time. A process number of another pid namespace, or of one that the
     * name does not tell, says nothing: there the socket is tried, and a draft, which refuses in any case, may be new.
     *
     * @param file in the directory of sockets
     * @return false also where it is anything else
     */
    public static boolean isLeft(Path file) {
        String name = file.getFileName().toString();
        if (name.endsWith(SUFFIX + DRAFT)) {
            String shown = name.substring(0, name.length() - DRAFT.length());
            return isOfThisNamespace(shown) && !isRunning(shown);
        }
        return name.endsWith(SUFFIX) && !(isOfThisNamespace(name) && isRunning(name)) && UnixSockets.isDead(file);
    }

    private static boolean isOfThisNamespace(String name) {
        try {
            return name.indexOf('-') > 0 && name.endsWith("." + namespace() + SUFFIX);
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "cannot tell whether " + name + " is of this pid namespace", e);
            return false;
        }
    }

    private static boolean isRunning(String name) {
        return new File("/proc", name.substring(0, name.indexOf('-'))).exists();
    }

    /**
     * Which of the processes of one number this one is: containers of a pod have the pod's host name in common.
     *
     * @return nothing in the host's own pid namespace, in another a slash and its number
     * @throws IOException without /proc
     */
    public static String namespaceTag() throws IOException {
        return namespace().equals(FIRST_NAMESPACE) ? "" : "/" + namespace();
    }

    private static String namespace() throws IOException {
        String known = ownNamespace;
        if (known == null) {
            String link = Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString(); // "pid:[4026531836]"
            known = link.substring(link.indexOf('[') + 1, link.length() - 1);
            ownNamespace = known;
        }
        return known;
    }
}
