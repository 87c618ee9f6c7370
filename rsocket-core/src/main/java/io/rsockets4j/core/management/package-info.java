/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What management tools see of this process by JMX. Nothing of it is loaded where the module {@code java.management} is
 * not there.
 */
package io.rsockets4j.core.management;
