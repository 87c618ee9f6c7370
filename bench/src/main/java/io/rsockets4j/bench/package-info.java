/* SPDX-License-Identifier: Apache-2.0 */
/** The benchmark's command line: {@link io.rsockets4j.bench.Bench} and what it shows on the terminal. */
package io.rsockets4j.bench;
