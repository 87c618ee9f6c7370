/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.doctor;

import java.util.Locale;

/** How bad a finding is. */
enum Severity {
    /** As it should be. */
    OK,
    /** Something works less well than it could, or a path that the settings name is not there. */
    WARNING,
    /** No path but TCP can work. */
    ERROR;

    /** The name in reports. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
