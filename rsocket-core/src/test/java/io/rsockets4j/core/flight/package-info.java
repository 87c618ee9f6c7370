/* SPDX-License-Identifier: Apache-2.0 */
/** Tests of events in flight recordings. */
package io.rsockets4j.core.flight;
