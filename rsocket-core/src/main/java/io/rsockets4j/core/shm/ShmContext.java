/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import io.rsockets4j.core.fabric.SpinPolicy;
import io.rsockets4j.core.host.DescriptorBudget;
import io.rsockets4j.core.host.MemoryBudget;
import io.rsockets4j.core.settings.RingLimits;
import io.rsockets4j.core.shm.rendezvous.BellsFile;
import io.rsockets4j.core.shm.rendezvous.Rendezvous;

/**
 * What everything in this fabric shares.
 *
 * @param rendezvous where processes meet
 * @param bells what threads and selectors of this process sleep on
 * @param service the control plane's thread
 * @param spinPolicy how long to spin before parking
 * @param rings how large the rings of connections are that this process opens
 * @param handshakeNanos how long a handshake may take
 * @param budget how much memory may be made
 * @param heldPorts the ports of connections that only the peers still have open
 * @param descriptors what peers may make this process hold
 * @param virtualWaker wakes virtual threads
 * @param lentMemory what of this process' memory peers may read
 */
record ShmContext(Rendezvous rendezvous, BellsFile bells, ServiceThread service, SpinPolicy spinPolicy,
        RingLimits rings, long handshakeNanos, MemoryBudget budget, HeldPorts heldPorts,
        DescriptorBudget descriptors, VirtualWaker virtualWaker, LentMemory lentMemory) { }
