/* SPDX-License-Identifier: Apache-2.0 */
/** Extended sockets on machines that have an RDMA device, emulated or real. */
package io.rsockets4j.exs;
