/* SPDX-License-Identifier: Apache-2.0 */
/** The suite on machines that have an RDMA device, emulated or real. Each says which; without, it is skipped. */
package io.rsockets4j.spi.suite;
