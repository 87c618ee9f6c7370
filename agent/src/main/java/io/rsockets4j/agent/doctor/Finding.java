/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.doctor;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What one check found.
 *
 * @param subject what was looked at, for example {@code memlock}
 * @param level how bad it is
 * @param found what is there, with values
 * @param means what follows from it for connections; empty where all is well
 * @param mend the command that mends it; empty where there is nothing to mend
 */
record Finding(String subject, Severity level, String found, String means, String mend) {

    static Finding ok(String subject, String found) {
        return new Finding(subject, Severity.OK, found, "", "");
    }

    static Finding warning(String subject, String found, String means, String mend) {
        return new Finding(subject, Severity.WARNING, found, means, mend);
    }

    static Finding error(String subject, String found, String means, String mend) {
        return new Finding(subject, Severity.ERROR, found, means, mend);
    }

    /** A lack that only hurts where a path is wanted: a warning, or not worth one. */
    static Finding lack(boolean wanted, String subject, String found, String means, String mend) {
        return new Finding(subject, wanted ? Severity.WARNING : Severity.OK, found, means, wanted ? mend : "");
    }

    Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("subject", subject);
        fields.put("level", level.label());
        fields.put("found", found);
        fields.put("means", means);
        fields.put("mend", mend);
        return fields;
    }
}
