/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Events for the JDK's flight recorder. Nothing of it is loaded where that is not there or does not record.
 */
package io.rsockets4j.core.flight;
