/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Asynchronous channels and their groups. A channel is one of the non-blocking channels of {@link
 * io.rsockets4j.spi.channel}, and its group has a selector of {@link io.rsockets4j.spi.selector}; what is here adds
 * operations that complete later: futures, handlers, timeouts and threads.
 */
package io.rsockets4j.spi.async;
