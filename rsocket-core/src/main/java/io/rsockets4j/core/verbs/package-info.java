/* SPDX-License-Identifier: Apache-2.0 */
/**
 * RDMA verbs as the fabric needs them, in the words of libibverbs and librdmacm: device, protection domain, memory
 * region, queue pair, completion queue and channel, connection manager. A {@link
 * io.rsockets4j.core.verbs.VerbsBinding binding} implements them over some native library, or in memory for tests.
 *
 * <p>A thin layer: no policy, no threads of its own, no locks unless said otherwise. Nothing that is called for each
 * message allocates. Sources: InfiniBand Architecture Specification, chapters 10 and 11; RFC 5040 (RDMAP) for iWARP.
 */
package io.rsockets4j.core.verbs;
