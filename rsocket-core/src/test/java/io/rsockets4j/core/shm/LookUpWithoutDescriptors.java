/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import io.rsockets4j.core.shm.rendezvous.Rendezvous;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.attribute.FileTime;
import java.util.ArrayDeque;
import java.util.Deque;

/** Looks a listener up that is there, first with and then without descriptors: a program for few of them. */
final class LookUpWithoutDescriptors {
    private LookUpWithoutDescriptors() { }

    /**
     * Prints what came of the second look, and whether a third one, with descriptors again, finds the listener.
     *
     * @param arguments the directory to meet in
     * @throws IOException if something else goes wrong
     */
    public static void main(String[] arguments) throws IOException {
        Rendezvous rendezvous = Rendezvous.open(arguments[0], false);
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 80);
        rendezvous.publish(address, false, new Rendezvous.Entry("0123456789abcdef".repeat(2) + ".endpoint", 3, 4, 0),
                true);
        FileTime settled = FileTime.fromMillis(System.currentTimeMillis() - 10_000);
        Files.setLastModifiedTime(rendezvous.directory(), settled);
        rendezvous.lookUp(address); // loads what is needed
        Deque<Closeable> taken = new ArrayDeque<>();
        String second;
        try {
            SessionWithFewDescriptors.takeAll(taken);
            second = String.valueOf(rendezvous.lookUp(address));
        } catch (IOException e) {
            second = e.getMessage();
        }
        while (!taken.isEmpty()) {
            taken.pop().close();
        }
        System.out.println(second);
        System.out.println(rendezvous.lookUp(address) != null);
    }
}
