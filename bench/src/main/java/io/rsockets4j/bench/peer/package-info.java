/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The process under test: a plain Java program that serves or drives works over the JDK's sockets. It knows nothing
 * of the path that its bytes take; that is decided by the flags with which its JVM was started.
 *
 * <p>It takes commands on standard input and answers each with one line on standard output that starts with
 * {@link io.rsockets4j.bench.peer.Protocol#MARK}. The end of its input ends it, whatever it is doing.
 */
package io.rsockets4j.bench.peer;
