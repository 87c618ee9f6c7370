/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The door of {@link java.net.Socket} and {@link java.net.ServerSocket}: what {@link io.rsockets4j.spi.net.SocketDoor}
 * puts in the place of the JDK's socket implementation, which stays underneath for TCP.
 */
package io.rsockets4j.spi.net;
