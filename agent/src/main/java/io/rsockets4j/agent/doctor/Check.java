/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.doctor;

import java.util.List;

/** Looks at one thing that paths need. Changes nothing; one thread. */
interface Check {
    /** What it found: at least one finding, also where files are missing or cannot be read. */
    List<Finding> run();
}
