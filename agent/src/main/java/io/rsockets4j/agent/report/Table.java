/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.report;

import java.util.ArrayList;
import java.util.List;

/** Rows of text in columns as wide as their widest cell. */
public final class Table {
    private static final String GAP = "  ";

    private final List<List<String>> rows = new ArrayList<>();

    /**
     * Begins a table.
     *
     * @param headings of its columns; none for a table without
     */
    public Table(String... headings) {
        if (headings.length > 0) {
            rows.add(List.of(headings));
        }
    }

    /**
     * Adds a row.
     *
     * @param cells one for each column, shown by their text
     */
    public void add(Object... cells) {
        List<String> row = new ArrayList<>();
        for (Object cell : cells) {
            row.add(String.valueOf(cell));
        }
        rows.add(row);
    }

    /**
     * The lines, the headings first. All have the same number of columns.
     *
     * @return without spaces at their ends
     */
    public List<String> lines() {
        int[] widths = new int[rows.isEmpty() ? 0 : rows.get(0).size()];
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        return rows.stream().map(row -> line(row, widths)).toList();
    }

    private static String line(List<String> row, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            line.append(row.get(i)).append(" ".repeat(widths[i] - row.get(i).length())).append(GAP);
        }
        return line.toString().stripTrailing();
    }
}
