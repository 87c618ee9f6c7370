/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Drives well-known programs that know nothing of rsockets4j: one class with a main method for each server that has no
 * launcher of its own, and one for each client. A server prints {@code listening on port N}; a client checks what
 * arrives and ends with an exception where it is not what was sent.
 */
package io.rsockets4j.it.programs;
