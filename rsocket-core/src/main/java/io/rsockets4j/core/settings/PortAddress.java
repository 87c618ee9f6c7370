/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.settings;

import java.net.InetAddress;

/**
 * An IP address of this host that a port of an RDMA device has.
 *
 * @param device the device's name, for example {@code mlx5_0}
 * @param port the port's number, from 1
 * @param address without a scope
 * @param prefixLength how many bits of it name the network
 */
public record PortAddress(String device, int port, InetAddress address, int prefixLength) { }
