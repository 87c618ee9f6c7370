/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The verbs through java.lang.foreign, straight to the distribution's libibverbs and librdmacm. Needs Java 22 or later:
 * what uses java.lang.foreign is in the overlay for such versions, and what doesn't is here.
 *
 * <p>Pointers to what the libraries own travel as {@code long}; memory that this side owns is a segment. Offsets and
 * constants are those of rdma-core's verbs.h and rdma_cma.h on Linux with 64-bit pointers, which are stable: both
 * libraries promise binary compatibility within {@code .so.1}.
 */
package io.rsockets4j.core.verbs.ffm;
