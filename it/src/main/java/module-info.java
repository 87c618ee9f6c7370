/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Programs that scripts run in emulated hosts and in containers.
 */
module io.rsockets4j.it {
    requires java.management;
}
