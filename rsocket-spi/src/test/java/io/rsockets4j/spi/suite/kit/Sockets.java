/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite.kit;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.spi.AsynchronousChannelProvider;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** What the cases run on: the sockets and channels of one fabric, made as that fabric makes them. */
public interface Sockets {
    /** @return the fabric's name, as the summary line prints it */
    String name();

    /** @return the provider whose channels and selectors are under test */
    SelectorProvider provider();

    /** @return the provider of the channels that connect */
    default SelectorProvider clientProvider() {
        return provider();
    }

    /** @return the provider of the channels that listen, and of those that they accept */
    default SelectorProvider serverProvider() {
        return provider();
    }

    /** @return the provider whose asynchronous channels and groups are under test, the same at each call */
    AsynchronousChannelProvider asyncProvider();

    /** @return the provider of the asynchronous channels that connect */
    default AsynchronousChannelProvider asyncClientProvider() {
        return asyncProvider();
    }

    /** @return the provider of the asynchronous channels that listen, and of those that they accept */
    default AsynchronousChannelProvider asyncServerProvider() {
        return asyncProvider();
    }

    /** @return what this fabric can do here; a case that needs more is skipped and counted */
    Set<Capability> capabilities();

    /**
     * Makes a socket of the fabric.
     *
     * @return an unconnected socket
     * @throws IOException when none can be made
     */
    Socket newSocket() throws IOException;

    /**
     * Makes a server socket of the fabric.
     *
     * @return an unbound server socket
     * @throws IOException when none can be made
     */
    ServerSocket newServerSocket() throws IOException;

    /** @return the options that make a child virtual machine use this fabric; needs {@link Capability#CHILD_JVM} */
    List<String> childOptions();

    /**
     * Lists the files by which processes meet, if the fabric has any.
     *
     * @return those there now
     * @throws IOException when they cannot be listed
     */
    default Set<Path> files() throws IOException {
        return Set.of();
    }
}
