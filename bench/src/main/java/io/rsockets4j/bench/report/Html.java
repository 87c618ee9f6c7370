/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.report;

import java.util.List;

/** Writes pieces of HTML. */
final class Html {

    private Html() {}

    /** Makes a text fit for use between tags and in attributes. */
    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    /** Writes an element that holds text. */
    static String element(String tag, String text) {
        return '<' + tag + '>' + escape(text) + "</" + tag + ">\n";
    }

    /** Writes an element of a class, with contents that are HTML. */
    static String element(String tag, String style, String contents) {
        return '<' + tag + " class=\"" + style + "\">" + contents + "</" + tag + ">\n";
    }

    /** Writes a row of a table; the cells are HTML. */
    static String tableRow(String tag, List<String> cells) {
        StringBuilder row = new StringBuilder("<tr>");
        for (String cell : cells) {
            row.append('<' + tag + '>').append(cell).append("</" + tag + '>');
        }
        return row.append("</tr>\n").toString();
    }
}
