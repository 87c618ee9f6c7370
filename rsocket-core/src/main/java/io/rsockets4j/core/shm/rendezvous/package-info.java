/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Where processes of one user find each other: the entries of listeners, the file of each process' bells, and what the
 * host tells of those who are not to be found. Files alone; knows no session.
 */
package io.rsockets4j.core.shm.rendezvous;
