/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Sleeping and waking across processes: words of shared memory on which threads sleep, by the kernel's futex. Knows
 * nothing of links or fabrics.
 */
package io.rsockets4j.core.bell;
