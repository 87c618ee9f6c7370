/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What both blocking doors stand on: how a socket gets its path, the connected stream over a link, the accept that
 * merges links and TCP, the options of what was accepted, and the held port. A door adds what only its kind of socket
 * has: the JDK's contract and exceptions, options, and how it connects and binds.
 */
package io.rsockets4j.spi.stream;
