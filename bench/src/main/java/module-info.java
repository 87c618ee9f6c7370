/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Benchmarks.
 */
module io.rsockets4j.bench {
    requires HdrHistogram;
    requires com.fasterxml.jackson.databind;
    requires info.picocli;
    requires io.rsockets4j.core;
    requires io.rsockets4j.samples;
    requires io.rsockets4j.spi;
    requires jmh.core;
}
