/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.host;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import io.rsockets4j.core.reason.PathException;
import io.rsockets4j.core.reason.Reason;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import jdk.net.ExtendedSocketOptions;

/** Makes sure that directories, files and peers belong to the user of this process. */
public final class Ownership {
    private static final Path SELF = Path.of("/proc/self");
    /** Whether the JVM can ask for a peer's user: modular programs get jdk.net only if they require it. */
    private static final boolean HAS_PEER_CREDENTIALS = ModuleLayer.boot().findModule("jdk.net").isPresent();

    private Ownership() { }

    /**
     * The numeric id of this process' user.
     *
     * @return as the kernel has it
     * @throws IOException without /proc
     */
    public static int userId() throws IOException {
        return (Integer) Files.getAttribute(SELF, "unix:uid");
    }

    /**
     * Fails unless the path is a directory, not a link to one, that this user alone may enter.
     *
     * @param path to look at
     * @throws PathException if it is another user's
     * @throws IOException if it is not there, or no such directory; the message says what to do
     */
    public static void requireOwnDirectory(Path path) throws IOException {
        PosixFileAttributes attributes = attributes(path);
        requireOwner(path, attributes);
        if (!attributes.isDirectory()) {
            throw new IOException(path + " is not a directory; remove it");
        }
        if (!attributes.permissions().equals(PosixFilePermissions.fromString("rwx------"))) {
            throw new IOException(path + " has permissions " + PosixFilePermissions.toString(attributes.permissions())
                    + "; only its owner may have any: chmod 700 " + path);
        }
    }

    /**
     * Fails unless the path is a regular file, not a link to one, of this user.
     *
     * @param path to look at
     * @throws PathException if it is another user's
     * @throws IOException if it is not there, or no such file
     */
    public static void requireOwnFile(Path path) throws IOException {
        PosixFileAttributes attributes = attributes(path);
        if (!attributes.isRegularFile()) {
            throw new IOException(path + " is not a regular file");
        }
        requireOwner(path, attributes);
    }

    /**
     * Fails unless the process at the other end of a Unix-domain socket runs as this user. Where the JVM cannot tell,
     * the directory of the socket has to do, which this user alone may enter.
     *
     * @param channel connected
     * @throws PathException if the peer is another user's
     * @throws IOException if the channel is closed
     */
    public static void requireOwnPeer(SocketChannel channel) throws IOException {
        if (!HAS_PEER_CREDENTIALS) {
            return;
        }
        UserPrincipal peer = channel.getOption(ExtendedSocketOptions.SO_PEERCRED).user();
        if (!peer.equals(self())) {
            throw new PathException(Reason.OTHER_USER,
                    "the peer runs as user " + peer.getName() + ", this process as " + self().getName());
        }
    }

    private static void requireOwner(Path path, PosixFileAttributes attributes) throws IOException {
        if (!attributes.owner().equals(self())) {
            throw new PathException(Reason.PERMISSION,
                    path + " belongs to " + attributes.owner().getName() + ", not to " + self().getName());
        }
    }

    private static UserPrincipal self() throws IOException {
        return Files.getOwner(SELF);
    }

    private static PosixFileAttributes attributes(Path path) throws IOException {
        return Files.readAttributes(path, PosixFileAttributes.class, NOFOLLOW_LINKS);
    }
}
