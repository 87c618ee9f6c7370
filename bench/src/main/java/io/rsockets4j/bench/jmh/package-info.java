/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Microbenchmarks of the data path, within one virtual machine and under the agent: what a call costs, and that it
 * allocates nothing. {@link io.rsockets4j.bench.jmh.Benchmarks} runs them.
 */
package io.rsockets4j.bench.jmh;
