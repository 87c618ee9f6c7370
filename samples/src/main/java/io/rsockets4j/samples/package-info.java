/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Plain network programs, written against the JDK and Netty alone. Nothing in here knows of rsockets4j: the
 * same classes run over TCP as they are, and over another path when the JVM is started with its agent.
 *
 * <p>Each program is a {@link io.rsockets4j.samples.Sample} and has a {@code main} with two roles,
 * {@code server [PORT]} and {@code client [HOST:]PORT [TEXT]}; without arguments it plays both in one JVM.
 */
package io.rsockets4j.samples;
