/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.report;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Keeps reports in JSON files. */
public final class JsonFile {
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT, SerializationFeature.WRITE_ENUMS_USING_TO_STRING)
            .enable(DeserializationFeature.READ_ENUMS_USING_TO_STRING)
            .build();

    private JsonFile() {}

    /**
     * Writes a report.
     *
     * @param report the report
     * @param file the file to create or replace
     * @throws IOException if it cannot be written
     */
    public static void write(BenchReport report, Path file) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.writeString(file, text(report) + '\n');
    }

    /** {@return a value as JSON} */
    static String text(Object value) throws IOException {
        return MAPPER.writeValueAsString(value);
    }

    /**
     * Reads a report.
     *
     * @param file the file
     * @return the report
     * @throws IOException if it cannot be read or is something else
     */
    public static BenchReport read(Path file) throws IOException {
        return MAPPER.readValue(file.toFile(), BenchReport.class);
    }
}
