/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Benchmarks.
 */
module io.rsockets4j.bench {
    requires HdrHistogram;
    requires com.fasterxml.jackson.databind;
    requires info.picocli;
    requires static io.rsockets4j.core;
    requires static io.rsockets4j.spi;
    requires java.management;
    requires jdk.management;
    requires jmh.core;

    opens io.rsockets4j.bench to
            info.picocli;
    opens io.rsockets4j.bench.net to
            com.fasterxml.jackson.databind;
    opens io.rsockets4j.bench.report to
            com.fasterxml.jackson.databind;
    opens io.rsockets4j.bench.run to
            com.fasterxml.jackson.databind;
    opens io.rsockets4j.bench.work to
            com.fasterxml.jackson.databind;
}
