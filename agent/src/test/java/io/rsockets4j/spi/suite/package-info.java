/* SPDX-License-Identifier: Apache-2.0 */
/** The abstract suite of module spi, in a JVM with the agent. */
package io.rsockets4j.spi.suite;
