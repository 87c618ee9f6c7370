/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.work;

/**
 * By what the rate of a work is set: the best that TCP reached earlier in the same run, through the same API.
 *
 * @param work the work that yielded it
 * @param metric the name of the figure
 * @param share how much of it to take
 */
public record Pace(Work work, String metric, double share) {}
