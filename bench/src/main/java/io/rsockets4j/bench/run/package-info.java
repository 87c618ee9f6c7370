/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Starts the JVMs under test, gives them jobs in turn, and takes down what they say: a
 * {@link io.rsockets4j.bench.run.Plan} of jobs is carried out by a {@link io.rsockets4j.bench.run.Runner}, each job on
 * one {@link io.rsockets4j.bench.work.PathSetup} after the other, so that a drifting machine treats all routes alike.
 */
package io.rsockets4j.bench.run;
