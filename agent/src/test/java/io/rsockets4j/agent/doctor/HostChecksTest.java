/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.rsockets4j.core.verbs.VerbsUnavailableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each check on a host made of a few files. */
class HostChecksTest {
    private static final int RING_BYTES = 262_144;
    private static final int ANOTHER_USER = 54_321;
    private static final String PORT = "/sys/class/infiniband/rxe0/ports/1/";

    @TempDir
    private Path root;

    private Host host;

    @BeforeEach
    void host() {
        host = new Host(root);
    }

    @ParameterizedTest
    @CsvSource({"11, true, ERROR", "17, false, OK", "17, true, WARNING", "22, true, OK", "25.0.3, false, OK"})
    void shouldJudgeTheJavaVersion(String version, boolean rdmaWanted, Severity level) {
        List<Finding> findings = new JavaCheck(Runtime.Version.parse(version), rdmaWanted).run();
        assertThat(findings).extracting(Finding::level).containsExactly(level);
        assertThat(findings.get(0).found()).isEqualTo("Java " + version);
    }

    @Test
    void shouldMissTheKernel() {
        assertThat(new KernelCheck(host, false).run()).extracting(Finding::level).containsExactly(Severity.ERROR);
    }

    @Test
    void shouldMissTheKernelsModuleOnlyWhereRdmaIsWanted() throws IOException {
        file("/proc/sys/kernel/osrelease", "6.1.0\n");
        assertThat(new KernelCheck(host, false).run()).extracting(Finding::level).containsOnly(Severity.OK);
        assertThat(new KernelCheck(host, true).run()).extracting(Finding::level)
                .containsExactly(Severity.OK, Severity.WARNING);
        file("/dev/infiniband/rdma_cm", "");
        assertThat(new KernelCheck(host, true).run()).extracting(Finding::found)
                .containsExactly("Linux 6.1.0", "loaded");
    }

    @ParameterizedTest
    @CsvSource({"unlimited, unlimited, OK, OK", "8388608, 20000, WARNING, OK", "unlimited, 1024, OK, WARNING"})
    void shouldJudgeLimits(String memlock, String nofile, Severity memlockLevel, Severity nofileLevel)
            throws IOException {
        file("/proc/self/limits", "Limit                     Soft Limit           Hard Limit           Units\n"
                + "Max open files            " + nofile + "       1048576    files\n"
                + "Max locked memory         " + memlock + "      unlimited  bytes\n");
        List<Finding> findings = new LimitsCheck(host, true, RING_BYTES).run();
        assertThat(findings).extracting(Finding::level).containsExactly(memlockLevel, nofileLevel);
        assertThat(findings.get(0).found()).contains(memlock);
        assertThat(findings.get(1).found()).contains(nofile);
    }

    @Test
    void shouldSayForHowManyConnectionsLockedMemoryDoes() throws IOException {
        file("/proc/self/limits", "Max locked memory         8388608       unlimited  bytes\n");
        assertThat(new LimitsCheck(host, true, RING_BYTES).run().get(0).means()).contains("room for 512")
                .contains(": 8 streams");
    }

    @ParameterizedTest
    @CsvSource({"00000000a80465fb, OK", "00000000a80425fb, WARNING", "0000000000000000, WARNING",
        "000001ffffffffff, OK"})
    void shouldWarnOfLockedMemoryOnlyWhereTheLimitBinds(String capabilities, Severity level) throws IOException {
        file("/proc/self/limits", "Max locked memory         8388608       unlimited  bytes\n");
        file("/proc/self/status", "Name:\tjava\nCapEff:\t" + capabilities + "\n");
        assertThat(new LimitsCheck(host, true, RING_BYTES).run().get(0).level()).isEqualTo(level);
    }

    @ParameterizedTest
    @CsvSource({"debian, '', apt-get", "linuxmint, ubuntu debian, apt-get", "rocky, rhel centos fedora, dnf",
        "opensuse-leap, suse opensuse, zypper", "alpine, '', apk add", "gentoo, '', in a package rdma-core"})
    void shouldNamePackagesOfTheDistribution(String id, String like, String mend) throws IOException {
        file("/etc/os-release", "NAME=\"Linux\"\nID=" + id + "\nID_LIKE=\"" + like + "\"\n");
        VerbsCheck check = new VerbsCheck(host, binding -> {
            throw new VerbsUnavailableException("no " + binding);
        }, true);
        assertThat(check.run().get(0).mend()).contains(mend);
    }

    @Test
    void shouldGoOnWithoutLimits() {
        assertThat(new LimitsCheck(host, true, RING_BYTES).run()).extracting(Finding::level)
                .containsExactly(Severity.WARNING);
    }

    @Test
    void shouldMissTheSharedMemoryDirectory() {
        Finding finding = new SharedMemoryCheck(host, "/dev/shm", RING_BYTES).run().get(0);
        assertThat(finding.level()).isEqualTo(Severity.ERROR);
        assertThat(finding.mend()).contains("mount -t tmpfs").contains("/dev/shm");
    }

    @Test
    void shouldNotTakeAFileForTheSharedMemoryDirectory() throws IOException {
        file("/dev/shm", "");
        assertThat(new SharedMemoryCheck(host, "/dev/shm", RING_BYTES).run()).extracting(Finding::level)
                .containsExactly(Severity.ERROR);
    }

    @Test
    void shouldTellTheFreeSpaceOfSharedMemory() throws IOException {
        Files.createDirectories(root.resolve("dev/shm"));
        List<Finding> findings = new SharedMemoryCheck(host, "/dev/shm", RING_BYTES).run();
        assertThat(findings).hasSize(1);
        assertThat(findings.get(0).found()).matches("/dev/shm \\(.*\\) has \\d+ MiB free");
    }

    @Test
    void shouldFindTheUsersDirectoryOpenToOthers() throws IOException {
        Object user = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        Path own = Files.createDirectories(root.resolve("dev/shm/rsockets4j-" + user));
        Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rwxr-xr-x"));
        Finding finding = new SharedMemoryCheck(host, "/dev/shm", RING_BYTES).run().get(1);
        assertThat(finding.level()).isEqualTo(Severity.ERROR);
        assertThat(finding.mend()).isEqualTo("chmod 700 " + own);
    }

    @Test
    void shouldOnlyWarnWhereAnotherUserHasTakenTheDirectory() throws IOException {
        Object user = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        assumeTrue(user.equals(0), "only root can make what is another user's");
        Path own = Files.createDirectories(root.resolve("dev/shm/rsockets4j-" + user));
        Files.setAttribute(own, "unix:uid", ANOTHER_USER);
        Finding finding = new SharedMemoryCheck(host, "/dev/shm", RING_BYTES).run().get(1);
        assertThat(finding.level()).isEqualTo(Severity.WARNING);
        assertThat(finding.found()).endsWith("another user");
        assertThat(finding.means()).contains("meet beside it instead", "rsockets4j-" + user + "-TIME-RANDOM");
        assertThat(finding.mend()).contains("rm -r " + own, "rsockets4j.shm.dir");
    }

    @Test
    void shouldNotTakeALinkForTheUsersDirectory() throws IOException {
        Object user = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        Path target = Files.createDirectories(root.resolve("elsewhere"));
        Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rwx------"));
        Path own = Files.createDirectories(root.resolve("dev/shm")).resolve("rsockets4j-" + user);
        Files.createSymbolicLink(own, target);
        Finding finding = new SharedMemoryCheck(host, "/dev/shm", RING_BYTES).run().get(1);
        assertThat(finding.level()).isEqualTo(Severity.ERROR);
        assertThat(finding.mend()).isEqualTo("rm " + own);
    }

    @Test
    void shouldFindADirectoryTooLongForSockets() throws IOException {
        String directory = "/" + "x".repeat(60);
        Files.createDirectories(root.resolve(directory.substring(1)));
        Finding finding = new SharedMemoryCheck(host, directory, RING_BYTES).run().get(0);
        assertThat(finding.level()).isEqualTo(Severity.ERROR);
        assertThat(finding.found()).matches(directory + " is too long by [1-9]\\d* bytes");
    }

    @Test
    void shouldFindNoRdmaDevice() {
        assertThat(new RdmaDevicesCheck(host, false).run()).extracting(Finding::level).containsExactly(Severity.OK);
        assertThat(new RdmaDevicesCheck(host, true).run()).extracting(Finding::level).containsExactly(Severity.WARNING);
        assertThat(new DeviceFilesCheck(host, true).run()).extracting(Finding::level).containsExactly(Severity.OK);
    }

    @Test
    void shouldTellWhichGidsAreUsed() throws IOException {
        device("4: ACTIVE", "fe80:0000:0000:0000:5054:00ff:fe12:3456");
        gid(0, "fe80:0000:0000:0000:5054:00ff:fe12:3456", "IB/RoCE v1", "eth0");
        gid(1, "fe80:0000:0000:0000:5054:00ff:fe12:3456", "RoCE v2", "eth0");
        gid(2, "0000:0000:0000:0000:0000:ffff:0a07:0701", "IB/RoCE v1", "eth0");
        gid(3, "0000:0000:0000:0000:0000:ffff:0a07:0701", "RoCE v2", "eth0");
        gid(4, "0000:0000:0000:0000:0000:0000:0000:0000", "", "");
        gid(10, "fd07:0000:0000:0000:0000:0000:0000:0001", "RoCE v2", "eth0.100");
        List<Finding> findings = new RdmaDevicesCheck(host, true).run();
        assertThat(findings).extracting(Finding::level).containsOnly(Severity.OK);
        assertThat(findings).extracting(Finding::found).containsExactly("rxe0/1 is 4: ACTIVE, with 5 GIDs",
                "rxe0/1  GID 0   RoCE v1  eth0      fe80:0:0:0:5054:ff:fe12:3456  not used, as RoCE v2 is",
                "rxe0/1  GID 1   RoCE v2  eth0      fe80:0:0:0:5054:ff:fe12:3456  used only from that link-local "
                        + "address",
                "rxe0/1  GID 2   RoCE v1  eth0      10.7.7.1                      not used, as RoCE v2 is",
                "rxe0/1  GID 3   RoCE v2  eth0      10.7.7.1                      used",
                "rxe0/1  GID 10  RoCE v2  eth0.100  fd07:0:0:0:0:0:0:1            used");
    }

    @Test
    void shouldTellThatTheOlderTypeIsConfigured() throws IOException {
        device("4: ACTIVE", "");
        gid(0, "0000:0000:0000:0000:0000:ffff:0a07:0701", "IB/RoCE v1", "eth0");
        gid(1, "0000:0000:0000:0000:0000:ffff:0a07:0701", "RoCE v2", "eth0");
        file("/sys/kernel/config/rdma_cm/rxe0/ports/1/default_roce_mode", "IB/RoCE v1\n");
        assertThat(gids()).containsExactly("rxe0/1  GID 0  RoCE v1  eth0  10.7.7.1  used",
                "rxe0/1  GID 1  RoCE v2  eth0  10.7.7.1  not used, as RoCE v1 is");
    }

    @Test
    void shouldUseTheOlderTypeWhereThereIsNoOther() throws IOException {
        device("4: ACTIVE", "");
        gid(0, "0000:0000:0000:0000:0000:ffff:0a07:0701", "IB/RoCE v1", "eth0");
        assertThat(gids()).containsExactly("rxe0/1  GID 0  RoCE v1  eth0  10.7.7.1  used");
    }

    @ParameterizedTest
    @CsvSource({"InfiniBand, 1: CA, InfiniBand", "Ethernet, 4: RNIC, iWARP"})
    void shouldKnowNetworksWithoutTypes(String linkLayer, String nodeType, String type) throws IOException {
        device("4: ACTIVE", "");
        gid(0, "fe80:0000:0000:0000:5054:00ff:fe12:3456", "IB/RoCE v1", "");
        file(PORT + "link_layer", linkLayer + "\n");
        file("/sys/class/infiniband/rxe0/node_type", nodeType + "\n");
        assertThat(gids()).containsExactly("rxe0/1  GID 0  " + type + "  -  fe80:0:0:0:5054:ff:fe12:3456");
    }

    @Test
    void shouldGoOnWhereTheKernelTellsNoTypes() throws IOException {
        device("4: ACTIVE", "no:address");
        assertThat(gids()).containsExactly("rxe0/1  GID 0  unknown type  -  no:address");
    }

    private List<String> gids() {
        List<Finding> findings = new RdmaDevicesCheck(host, true).run();
        return findings.stream().skip(1).map(Finding::found).toList();
    }

    @ParameterizedTest
    @CsvSource({"1: DOWN, fe80::1, ip link set", "4: ACTIVE, 0000:0000:0000:0000:0000:0000:0000:0000, ip addr add"})
    void shouldFindAPortThatCarriesNothing(String state, String gid, String mend) throws IOException {
        device(state, gid);
        Finding finding = new RdmaDevicesCheck(host, true).run().get(0);
        assertThat(finding.level()).isEqualTo(Severity.WARNING);
        assertThat(finding.mend()).contains(mend);
    }

    @Test
    void shouldMissTheDevicesSpecialFile() throws IOException {
        device("4: ACTIVE", "fe80::1");
        assertThat(new DeviceFilesCheck(host, true).run()).extracting(Finding::level).containsExactly(Severity.WARNING);
        file("/dev/infiniband/uverbs0", "");
        assertThat(new DeviceFilesCheck(host, true).run()).extracting(Finding::found)
                .containsExactly("/dev/infiniband/uverbs0 may be opened");
    }

    @ParameterizedTest
    @CsvSource({"none, WARNING, WARNING", "ffm, OK, OK", "disni, OK, OK"})
    void shouldBeContentWithOneBinding(String there, Severity rdmaCore, Severity disni) {
        VerbsCheck check = new VerbsCheck(host, binding -> {
            if (!binding.equals(there)) {
                throw new VerbsUnavailableException("no " + binding);
            }
        }, true);
        assertThat(check.run()).extracting(Finding::level).containsExactly(rdmaCore, disni);
    }

    @Test
    void shouldSayWhyThereIsNoFutex() {
        assertThat(new FutexCheck(() -> null, true).run()).extracting(Finding::level).containsExactly(Severity.OK);
        Finding denied = new FutexCheck(() -> "denied", true).run().get(0);
        assertThat(denied.level()).isEqualTo(Severity.WARNING);
        assertThat(denied.found()).isEqualTo("denied");
        assertThat(denied.mend()).contains("jna.tmpdir");
        assertThat(new FutexCheck(() -> "denied", false).run()).extracting(Finding::level).containsExactly(Severity.OK);
    }

    private void device(String state, String gid) throws IOException {
        file(PORT + "state", state + "\n");
        file(PORT + "gids/0", gid + "\n");
    }

    private void gid(int index, String gid, String type, String netdev) throws IOException {
        file(PORT + "gids/" + index, gid + "\n");
        file(PORT + "gid_attrs/types/" + index, type + "\n");
        file(PORT + "gid_attrs/ndevs/" + index, netdev + "\n");
    }

    private void file(String path, String text) throws IOException {
        Path file = root.resolve(path.substring(1));
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
