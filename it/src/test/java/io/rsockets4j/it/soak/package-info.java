/* SPDX-License-Identifier: Apache-2.0 */
/** A program that lets processes connect, talk, stop and die for a given time, and checks every byte: it/soak. */
package io.rsockets4j.it.soak;
