/* SPDX-License-Identifier: Apache-2.0 */
/** The NIO channels: each holds a JDK channel for the TCP path, a fabric's link or listener, or both. */
package io.rsockets4j.spi.channel;
