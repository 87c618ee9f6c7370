/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Measures programs by turns over TCP and with the agent. {@link io.rsockets4j.it.programs.compare.Compare} starts a
 * server and a client process of each program without the agent, and two with it. The clients repeat one operation by
 * turns. {@link io.rsockets4j.it.programs.compare.Program} lists the programs.
 */
package io.rsockets4j.it.programs.compare;
