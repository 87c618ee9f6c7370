/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The addresses of ports, on a host made of a few files. */
class RdmaPortsTest {
    private static final String NO_GID = "0000:0000:0000:0000:0000:0000:0000:0000";
    private static final String LINK_LOCAL = "fe80:0000:0000:0000:5054:00ff:fe12:3456";
    private static final String GID_7_1 = "0000:0000:0000:0000:0000:ffff:0a07:0701"; // 10.7.7.1
    private static final String GID_8_1 = "0000:0000:0000:0000:0000:ffff:0a07:0801"; // 10.7.8.1

    @TempDir
    private Path devices;

    private final Map<String, Map<InetAddress, Integer>> interfaces = new HashMap<>();

    @Test
    void shouldTellTheAddressesOfEachActivePort() throws IOException {
        roce("mlx5_1", 1, "4: ACTIVE");
        gid("mlx5_1", 1, 0, LINK_LOCAL, "eth1");
        gid("mlx5_1", 1, 1, GID_8_1, "eth1");
        roce("mlx5_0", 1, "4: ACTIVE");
        gid("mlx5_0", 1, 0, LINK_LOCAL, "eth0");
        gid("mlx5_0", 1, 1, GID_7_1, "eth0");
        gid("mlx5_0", 1, 2, "fd07:0000:0000:0000:0000:0000:0000:0001", "eth0.100");
        network("eth0", LINK_LOCAL + "/64", "10.7.7.1/24");
        network("eth0.100", "fd07::1/64");
        network("eth1", "10.7.8.1/16");
        assertThat(addresses()).containsExactly(at("mlx5_0", 1, "10.7.7.1", 24), at("mlx5_0", 1, "fd07::1", 64),
                at("mlx5_1", 1, "10.7.8.1", 16));
    }

    @Test
    void shouldTellAnAddressOnceThoughItHasAGidOfEachType() throws IOException {
        roce("rxe0", 1, "4: ACTIVE");
        gid("rxe0", 1, 0, GID_7_1, "eth0");
        gid("rxe0", 1, 1, GID_7_1, "eth0");
        roce("rxe1", 1, "4: ACTIVE");
        gid("rxe1", 1, 0, GID_7_1, "eth0");
        network("eth0", "10.7.7.1/24");
        assertThat(addresses()).containsExactly(at("rxe0", 1, "10.7.7.1", 24));
    }

    @Test
    void shouldLeaveOutPortsThatCarryNothing() throws IOException {
        roce("mlx5_0", 1, "1: DOWN");
        gid("mlx5_0", 1, 0, GID_7_1, "eth0");
        roce("mlx5_0", 2, "4: ACTIVE");
        gid("mlx5_0", 2, 0, GID_8_1, "eth1");
        network("eth0", "10.7.7.1/24");
        network("eth1", "10.7.8.1/24");
        assertThat(addresses()).containsExactly(at("mlx5_0", 2, "10.7.8.1", 24));
    }

    @Test
    void shouldLeaveOutAddressesThatNoOtherHostCanUse() throws IOException {
        iwarp("siw0", "lo");
        network("lo", "127.0.0.1/8", "::1/128", "169.254.0.1/16", LINK_LOCAL + "/64", "224.0.0.1/32", "ff02::1/128",
                "10.7.7.1/32");
        assertThat(addresses()).containsExactly(at("siw0", 1, "10.7.7.1", 32));
    }

    @Test
    void shouldTellAddressesWithoutScope() throws IOException {
        iwarp("siw0", "eth0");
        network("eth0", "fd07::1%1/64");
        assertThat(addresses()).extracting(found -> found.address().getHostAddress())
                .containsExactly("fd07:0:0:0:0:0:0:1");
    }

    @Test
    void shouldNotTakeAnInterfaceForOneOfTheSameNameInAnotherNamespace() throws IOException {
        roce("mlx5_0", 1, "4: ACTIVE");
        gid("mlx5_0", 1, 0, GID_7_1, "eth0");
        gid("mlx5_0", 1, 1, GID_8_1, "eth1");
        network("eth0", "10.7.8.1/24", "10.244.0.9/24");
        assertThat(addresses()).isEmpty();
    }

    @Test
    void shouldFindTheInterfacesOfAnInfiniBandPortByItsDevice() throws IOException {
        for (int port = 1; port <= 2; port++) {
            file("mlx4_0/ports/" + port + "/state", "4: ACTIVE");
            file("mlx4_0/ports/" + port + "/link_layer", "InfiniBand");
            file("mlx4_0/ports/" + port + "/gids/0", LINK_LOCAL);
            unreadable("mlx4_0/ports/" + port + "/gid_attrs/ndevs/0");
            file("mlx4_0/device/net/ib" + port + "/dev_port", Integer.toString(port - 1));
        }
        network("ib1", "10.7.7.1/24");
        network("ib2", "10.7.8.1/24");
        assertThat(addresses()).containsExactly(at("mlx4_0", 1, "10.7.7.1", 24), at("mlx4_0", 2, "10.7.8.1", 24));
    }

    @Test
    void shouldNotTakeTheDevicesInterfacesForThoseOfARocePort() throws IOException {
        roce("mlx5_0", 1, "4: ACTIVE");
        file("mlx5_0/device/net/eth0/dev_port", "0");
        network("eth0", "10.7.7.1/24");
        assertThat(addresses()).isEmpty();
    }

    @Test
    void shouldSkipWhatCannotBeRead() throws IOException {
        assertThat(PortAddresses.find(devices.resolve("none").toFile(), this::ofInterface)).isEmpty();
        file("odd/ports/x/state", "4: ACTIVE");
        file("odd/ports/x/gids/0", GID_8_1);
        file("odd/ports/x/gid_attrs/ndevs/0", "eth1");
        network("eth1", "10.7.8.1/24");
        unreadable("empty/ports/1/state");
        roce("mlx5_0", 1, "4: ACTIVE");
        gid("mlx5_0", 1, 0, NO_GID, null);
        gid("mlx5_0", 1, 1, GID_8_1, null);
        gid("mlx5_0", 1, 2, GID_8_1, "gone");
        gid("mlx5_0", 1, 3, "bad:address", "eth0");
        unreadable("mlx5_0/ports/1/gids/4");
        gid("mlx5_0", 1, 5, GID_7_1, "eth0");
        network("eth0", "10.7.7.1/24");
        assertThat(addresses()).containsExactly(at("mlx5_0", 1, "10.7.7.1", 24));
    }

    @Test
    void shouldAskThisHost() throws IOException {
        InetAddress loopback = InetAddress.getByName("127.0.0.1");
        assertThat(PortAddresses.ofInterface("lo")).containsEntry(loopback, 8);
        assertThat(PortAddresses.ofInterface("no such one")).isEmpty();
        assertThat(PortAddresses.all()).extracting(PortAddress::address).doesNotContain(loopback)
                .doesNotHaveDuplicates();
    }

    private List<PortAddress> addresses() {
        return PortAddresses.find(devices.toFile(), this::ofInterface);
    }

    private Map<InetAddress, Integer> ofInterface(String name) {
        return interfaces.getOrDefault(name, Map.of());
    }

    private static PortAddress at(String device, int port, String address, int prefixLength)
            throws UnknownHostException {
        return new PortAddress(device, port, InetAddress.getByName(address), prefixLength);
    }

    private void network(String name, String... addresses) throws UnknownHostException {
        Map<InetAddress, Integer> map = new LinkedHashMap<>();
        for (String address : addresses) {
            int slash = address.indexOf('/');
            map.put(InetAddress.getByName(address.substring(0, slash)), Integer.parseInt(address.substring(slash + 1)));
        }
        interfaces.put(name, map);
    }

    private void roce(String device, int port, String state) throws IOException {
        file(device + "/ports/" + port + "/state", state);
        file(device + "/ports/" + port + "/link_layer", "Ethernet");
        file(device + "/node_type", "1: CA");
    }

    private void iwarp(String device, String netdev) throws IOException {
        roce(device, 1, "4: ACTIVE");
        file(device + "/node_type", "4: RNIC");
        gid(device, 1, 0, "5254:0012:3456:0000:0000:0000:0000:0000", netdev); // its hardware address
    }

    private void gid(String device, int port, int index, String gid, String netdev) throws IOException {
        String directory = device + "/ports/" + port;
        file(directory + "/gids/" + index, gid);
        if (netdev == null) {
            unreadable(directory + "/gid_attrs/ndevs/" + index);
        } else {
            file(directory + "/gid_attrs/types/" + index, index % 2 == 0 ? "IB/RoCE v1" : "RoCE v2");
            file(directory + "/gid_attrs/ndevs/" + index, netdev);
        }
    }

    private void file(String path, String text) throws IOException {
        Path file = devices.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text + "\n");
    }

    /** To read a directory fails, as to read an entry that is not in use does. */
    private void unreadable(String path) throws IOException {
        Files.createDirectories(devices.resolve(path));
    }
}
