/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Programs that {@link io.rsockets4j.bench.work.Start} times from their start to their end. They use the JDK alone and
 * next to nothing of it, so that what they take is what a JVM takes.
 */
package io.rsockets4j.bench.program;
