/* SPDX-License-Identifier: Apache-2.0 */
/** Why a connection takes the path that it takes: one enum, which logs, reports and documentation share. */
package io.rsockets4j.core.reason;
