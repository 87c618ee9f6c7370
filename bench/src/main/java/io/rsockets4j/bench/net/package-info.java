/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The socket APIs under test behind one face, so that each work is written once: what a client does with {@link
 * io.rsockets4j.bench.net.ClientConnector} and {@link io.rsockets4j.bench.net.ClientLink}, what a server does with each
 * connection as a {@link io.rsockets4j.bench.net.ServerSession}. A client of many connections that are served by few
 * threads says with a {@link io.rsockets4j.bench.net.Call} what it does with each.
 *
 * <p>Each {@link io.rsockets4j.bench.net.Api} is used as a program normally would: blocking calls where the API
 * blocks, one thread and a {@code select()} loop where it does not, futures and
 * handlers where it is asynchronous. Only the JDK's public socket API is used.
 */
package io.rsockets4j.bench.net;
