/* SPDX-License-Identifier: Apache-2.0 */
/** Where the doors of listeners wait for links and for TCP connections at the same time. */
package io.rsockets4j.spi.accept;
