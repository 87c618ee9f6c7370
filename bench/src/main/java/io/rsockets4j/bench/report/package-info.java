/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Turns the figures of a run into a {@link io.rsockets4j.bench.report.BenchReport}, and that into a table for the
 * terminal, a JSON file and a web page that stands on its own.
 */
package io.rsockets4j.bench.report;
