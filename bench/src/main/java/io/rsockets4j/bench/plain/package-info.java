/* SPDX-License-Identifier: Apache-2.0 */
/** What a connect to a peer without rsockets4j costs, by turns with the JDK's own sockets in one JVM. */
package io.rsockets4j.bench.plain;
