/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.it.programs.compare;

/**
 * What one turn over one path showed.
 *
 * @param rate operations per second
 * @param p50Micros the median of the time that an operation took, in microseconds
 * @param p99Micros the 99th percentile of it
 * @param cpuMicros processor time of both processes for each operation, in microseconds
 */
record Turn(double rate, double p50Micros, double p99Micros, double cpuMicros) { }
