/* SPDX-License-Identifier: Apache-2.0 */
/** The lock of streams and channels, which each have several. */
package io.rsockets4j.spi.lock;
