/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Benchmarks: TCP, shared memory and RDMA side by side.
 */
package io.rsockets4j.bench;
