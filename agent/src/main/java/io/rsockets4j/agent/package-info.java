/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The Java agent: puts rsockets4j under the JVM's sockets.
 */
package io.rsockets4j.agent;
