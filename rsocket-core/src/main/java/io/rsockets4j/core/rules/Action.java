/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rules;

import io.rsockets4j.core.settings.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What a rule does with the paths that it lists. */
enum Action {
    /** Only these, in this order, and TCP after them where the settings have it. */
    ALLOW {
        @Override
        List<String> choose(List<String> listed, List<String> available) {
            List<String> chosen = REQUIRE.choose(listed, available);
            if (available.contains(Settings.TCP) && !chosen.contains(Settings.TCP)) {
                chosen.add(Settings.TCP);
            }
            return chosen;
        }
    },
    /** These first, in this order, then the others. */
    PREFER {
        @Override
        List<String> choose(List<String> listed, List<String> available) {
            List<String> chosen = REQUIRE.choose(listed, available);
            available.stream().filter(path -> !listed.contains(path)).forEach(chosen::add);
            return chosen;
        }
    },
    /** All but these. */
    DENY {
        @Override
        List<String> choose(List<String> listed, List<String> available) {
            return available.stream().filter(path -> !listed.contains(path)).toList();
        }
    },
    /** Only these, in this order; when none of them comes up the connection fails. */
    REQUIRE {
        @Override
        List<String> choose(List<String> listed, List<String> available) {
            List<String> chosen = new ArrayList<>(listed);
            chosen.retainAll(available);
            return chosen;
        }
    };


    /**
     * The paths that are left, in order.
     *
     * @param listed by the rule
     * @param available by the settings
     * @return some of {@code available}
     */
    abstract List<String> choose(List<String> listed, List<String> available);

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
