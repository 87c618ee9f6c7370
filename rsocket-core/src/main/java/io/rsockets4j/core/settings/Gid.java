/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.settings;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * An address of an RDMA device's port, as the kernel shows it in files: an entry of the port's table of GIDs.
 *
 * @param index its number in the table
 * @param raw what the kernel shows
 * @param type for people; empty where it is not known
 * @param netdev the network interface; empty where there is none
 */
public record Gid(String index, String raw, String type, String netdev) {
    /** The type that is not over UDP. */
    public static final String ROCE_V1 = "RoCE v1";

    /** The type over UDP. */
    public static final String ROCE_V2 = "RoCE v2";

    private static final int MAX_UNUSED = 32;
    private static final String NO_GID = "0000:0000:0000:0000:0000:0000:0000:0000";

    /**
     * Reads the table of a port, until many entries on end are not in use: it may have a thousand, and the kernel takes
     * the first free one. What cannot be read is missing.
     *
     * @param device directory of the device
     * @param port directory of the port
     * @return the entries in use, in order of their numbers
     */
    public static List<Gid> read(Path device, Path port) {
        String withoutUdp = withoutUdp(device, port);
        Path types = port.resolve("gid_attrs/types");
        Path netdevs = port.resolve("gid_attrs/ndevs"); // to read one of an entry that is not in use fails
        List<Gid> gids = new ArrayList<>();
        int unused = 0;
        for (int number = 0; unused < MAX_UNUSED; number++) {
            String index = Integer.toString(number);
            String raw = RdmaPorts.text(port.resolve("gids").resolve(index));
            if (raw.isEmpty() || raw.equals(NO_GID)) {
                unused++;
            } else {
                unused = 0;
                gids.add(new Gid(index, raw, readable(RdmaPorts.text(types.resolve(index)), withoutUdp),
                        RdmaPorts.text(netdevs.resolve(index))));
            }
        }
        return gids;
    }

    /**
     * The name of a type for people.
     *
     * @param kernels what the kernel calls it; it has one name for all types without UDP
     * @param withoutUdp which of them it is
     * @return a type, or what was given where the kernel's name is clear
     */
    public static String readable(String kernels, String withoutUdp) {
        return kernels.equals("IB/RoCE v1") ? withoutUdp : kernels;
    }

    /** Which type the port's GIDs have that are not over UDP: on RoCE, {@link #ROCE_V1}. */
    static String withoutUdp(Path device, Path port) {
        return RdmaPorts.text(port.resolve("link_layer")).equals("InfiniBand") ? "InfiniBand"
                : RdmaPorts.text(device.resolve("node_type")).endsWith("RNIC") ? "iWARP" : ROCE_V1;
    }

    /**
     * The IP address that it may have been made of.
     *
     * @return null where it has no such form
     */
    public InetAddress address() {
        if (!raw.contains(":") || Character.digit(raw.charAt(0), 16) < 0) {
            return null; // of anything else Java may take it for a name, and ask somebody
        }
        try {
            return InetAddress.getByName(raw);
        } catch (UnknownHostException e) {
            return null; // no address
        }
    }
}
