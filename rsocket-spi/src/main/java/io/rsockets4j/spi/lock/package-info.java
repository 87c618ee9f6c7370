/* SPDX-License-Identifier: Apache-2.0 */
/** The lock that every socket door holds per direction. */
package io.rsockets4j.spi.lock;
