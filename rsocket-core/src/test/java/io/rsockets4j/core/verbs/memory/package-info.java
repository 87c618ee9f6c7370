/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Verbs without devices: hosts of one process whose queue pairs a thread connects, as strict as the interface's
 * documentation allows. What a device would punish by chance (memory that is used again too early, a receive that is
 * missing, two threads in one queue) is punished or recorded always. See {@link
 * io.rsockets4j.core.verbs.memory.MemoryNetwork}.
 */
package io.rsockets4j.core.verbs.memory;
