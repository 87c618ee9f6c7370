/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import io.rsockets4j.core.reason.PathException;
import io.rsockets4j.core.reason.Reason;
import java.io.Closeable;
import java.io.FileInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;

/** Connects while hardly any descriptors are left: a program for a process that may have few of them. */
final class SessionWithFewDescriptors {
    private static final int MANY = 100_000;
    static final int SPARE = 10; // enough for both sides of a session, but not for much else
    private static final int LOOKS = 20; // each has a fabric of its own, whose descriptors are not given back

    private SessionWithFewDescriptors() { }

    /**
     * Prints the reason why the connect failed, and how many descriptors are left afterwards.
     *
     * @param arguments the directory to meet in
     * @throws Exception if something else goes wrong
     */
    public static void main(String[] arguments) throws Exception {
        Path directory = Path.of(arguments[0]);
        ShmFabric server = Fabrics.open(directory);
        Fabrics.Listening listening = Fabrics.listen(server);
        Fabrics.connect(Fabrics.open(directory), listening.address()).close(false); // loads what is needed
        listening.accept().close(false);
        PathException.reasonOf(new PathException(Reason.NO_DESCRIPTORS, "none")).label(); // as classes are files
        String reason = "";
        int left = 0;
        // Threads of the first connection may still open what they need: a look that they disturb is taken again,
        // by a fabric that does not remember how the last one ended.
        for (int look = 0; look < LOOKS && left < SPARE; look++) {
            ShmFabric client = Fabrics.open(directory);
            Deque<Closeable> taken = new ArrayDeque<>();
            takeAll(taken);
            giveBack(taken, SPARE);
            reason = reasonOfConnect(client, listening.address());
            int before = taken.size();
            takeAll(taken);
            left = taken.size() - before;
            giveBack(taken, taken.size());
        }
        System.out.println(reason);
        System.out.println(left);
        System.exit(0);
    }

    private static String reasonOfConnect(ShmFabric client, InetSocketAddress address) {
        try {
            return String.valueOf(Fabrics.connect(client, address));
        } catch (IOException e) {
            return PathException.reasonOf(e).label();
        }
    }

    private static void giveBack(Deque<Closeable> taken, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            taken.pop().close();
        }
    }

    /** Opens files until no more can be opened. */
    static void takeAll(Deque<Closeable> taken) {
        try {
            while (taken.size() < MANY) {
                taken.push(new FileInputStream("/dev/null"));
            }
        } catch (IOException e) {
            return; // all are taken
        }
        throw new IllegalStateException("there is no limit");
    }
}
