/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What is measured. Each {@link io.rsockets4j.bench.work.Work} says how a server answers and what a client does and
 * times, through the faces of {@link io.rsockets4j.bench.net}; {@link io.rsockets4j.bench.work.Works} lists them all.
 */
package io.rsockets4j.bench.work;
