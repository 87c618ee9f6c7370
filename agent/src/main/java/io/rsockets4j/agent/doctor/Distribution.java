/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.doctor;

import java.util.Locale;

/** The families of distributions whose packages have names of their own. */
enum Distribution {
    /** Debian, Ubuntu. */
    DEBIAN("apt-get install libibverbs1 librdmacm1 ibverbs-providers"),
    /** Fedora, Red Hat, Rocky, Amazon. */
    FEDORA("dnf install libibverbs librdmacm"),
    /** openSUSE, SLES. */
    SUSE("zypper install libibverbs1 librdmacm1 rdma-core"),
    /** Alpine. */
    ALPINE("apk add libibverbs librdmacm rdma-core"),
    /** Any other. */
    OTHER("install libibverbs and librdmacm, which are mostly in a package rdma-core");

    private final String verbs;

    Distribution(String verbs) {
        this.verbs = verbs;
    }

    /** What installs the libraries for the verbs. */
    String verbs() {
        return verbs;
    }

    /** The family that a host belongs to, by its {@code /etc/os-release}. */
    static Distribution of(Host host) {
        String like = "";
        for (String line : Host.text(host.path("/etc/os-release")).split("\n")) {
            if (line.startsWith("ID=") || line.startsWith("ID_LIKE=")) {
                like += " " + line.substring(line.indexOf('=') + 1).replace("\"", "").toLowerCase(Locale.ROOT);
            }
        }
        for (String name : like.strip().split(" ")) {
            switch (name) {
                case "debian", "ubuntu":
                    return DEBIAN;
                case "fedora", "rhel", "centos", "amzn":
                    return FEDORA;
                case "suse", "opensuse":
                    return SUSE;
                case "alpine":
                    return ALPINE;
                default:
                    break;
            }
        }
        return OTHER;
    }
}
