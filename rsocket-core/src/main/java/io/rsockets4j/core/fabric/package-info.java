/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What the socket doors see of any fabric: {@link io.rsockets4j.core.fabric.Link links},
 * {@link io.rsockets4j.core.fabric.AcceptQueue accept queues} and {@link io.rsockets4j.core.fabric.Waiter waiters}, and
 * the {@link io.rsockets4j.core.fabric.Fabric} that makes them; and how threads spin, yield and sleep.
 */
package io.rsockets4j.core.fabric;
