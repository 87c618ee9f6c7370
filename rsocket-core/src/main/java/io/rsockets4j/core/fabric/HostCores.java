/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.fabric;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** How many cores the machine has: in a container more than this process may use. */
final class HostCores {
    private static final String ONLINE = "/sys/devices/system/cpu/online";

    private HostCores() { }

    /** The cores that are online, or 1 where the kernel does not tell. */
    static int count() {
        try (FileInputStream in = new FileInputStream(ONLINE)) {
            return parse(new String(in.readAllBytes(), StandardCharsets.US_ASCII).trim());
        } catch (IOException | NumberFormatException e) {
            return 1;
        }
    }

    /** Counts a list such as {@code 0-3,8}. */
    static int parse(String list) {
        int count = 0;
        int begin = 0;
        while (begin < list.length()) {
            int comma = list.indexOf(',', begin);
            int end = comma < 0 ? list.length() : comma;
            int dash = list.indexOf('-', begin);
            if (dash < 0 || dash > end) {
                count++;
            } else {
                count += Integer.parseInt(list, dash + 1, end, 10) - Integer.parseInt(list, begin, dash, 10) + 1;
            }
            begin = end + 1;
        }
        return count;
    }
}
