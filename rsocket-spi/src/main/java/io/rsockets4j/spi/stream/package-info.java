/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What both blocking doors stand on: how a socket gets its path, the connected stream over a link, the accept that
 * merges links and TCP, the options of what was accepted, and the held port. The doors add the JDK's contracts and
 * exceptions, and nothing else.
 */
package io.rsockets4j.spi.stream;
