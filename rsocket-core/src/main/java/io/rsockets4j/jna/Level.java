/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.jna;

/** How grave a message is, as JNA names it. */
public final class Level {
    /** More than a detail. */
    public static final Level FINER = new Level();
    /** A detail. */
    public static final Level FINE = new Level();
    /** For information. */
    public static final Level INFO = new Level();
    /** Something may be wrong. */
    public static final Level WARNING = new Level();
    /** Something is wrong. */
    public static final Level SEVERE = new Level();

    private Level() { }
}
