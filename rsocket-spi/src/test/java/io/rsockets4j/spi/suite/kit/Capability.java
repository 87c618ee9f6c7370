/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite.kit;

/**
 * Something that a fabric, or the machine under it, may lack. A case that needs it says so with {@link Requires}, and
 * is skipped and counted.
 */
public enum Capability {
    /** {@code java.net.Socket} and {@code ServerSocket} of the fabric can be made in this virtual machine. */
    SOCKET,
    /** A byte sent by {@code Socket.sendUrgentData} arrives, in line when the receiver asks for that. */
    URGENT_DATA,
    /**
     * The JDK's helpers, streams around a channel and transfers of files, treat the fabric's channels as its own; such
     * streams let one thread read while another writes.
     */
    HELPERS,
    /** The JDK's helpers do around its own channels what those of Java 25 do, as ours do everywhere. */
    TODAYS_HELPERS,
    /** A program that makes its socket buffers small makes a connection hold less. */
    SMALL_BUFFERS,
    /** A connect blocks while the listener's backlog is full, as it does over TCP on Linux. */
    FULL_BACKLOG_BLOCKS,
    /** The machine has the IPv6 address that the cases use. */
    IPV6,
    /** The loopback addresses, and with them the wildcard address as a destination, can be reached. */
    LOOPBACK,
    /** The machine has a second IPv4 address that can be reached. */
    SECOND_ADDRESS,
    /** A thousand connections at once are no burden, as they are to a device that is emulated. */
    THOUSAND_CONNECTIONS,
    /** A message costs no memory, as it does where verbs are in memory. */
    ALLOCATES_NOTHING,
    /** The JDK has virtual threads. */
    VIRTUAL_THREADS,
    /** A child virtual machine can be given the fabric by options alone. */
    CHILD_JVM
}
