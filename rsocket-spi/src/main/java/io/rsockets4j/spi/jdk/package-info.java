/* SPDX-License-Identifier: Apache-2.0 */
/** The way to the JDK's own sockets, which carry the TCP path and everything that is not ours. */
package io.rsockets4j.spi.jdk;
