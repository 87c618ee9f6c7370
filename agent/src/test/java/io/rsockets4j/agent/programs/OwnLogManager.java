/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.programs;

import java.util.logging.LogManager;

/** Names its log manager in main, as application servers do, which works only while nobody has logged. */
public final class OwnLogManager {
    private OwnLogManager() { }

    /** The program's own. */
    public static final class Manager extends LogManager { }

    public static void main(String[] args) {
        System.setProperty("java.util.logging.manager", Manager.class.getName());
        System.out.println(LogManager.getLogManager().getClass().getName());
    }
}
