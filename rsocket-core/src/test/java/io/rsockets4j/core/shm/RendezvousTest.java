/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.core.host.UnixSockets;
import io.rsockets4j.core.host.UserDirectory;
import io.rsockets4j.core.reason.PathException;
import io.rsockets4j.core.reason.Reason;
import io.rsockets4j.core.shm.rendezvous.Rendezvous;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a process makes of listeners' entries that others have written. */
class RendezvousTest {
    private static final InetSocketAddress ADDRESS = new InetSocketAddress(InetAddress.getLoopbackAddress(), 80);
    private static final Rendezvous.Entry ENTRY =
            new Rendezvous.Entry("0123456789abcdef".repeat(2) + ".endpoint", 3, 4, 0);

    @TempDir
    private Path parent;

    private Rendezvous rendezvous;
    private Path file;

    @BeforeEach
    void publish() throws IOException {
        rendezvous = Rendezvous.open(parent.toString(), false);
        file = rendezvous.publish(ADDRESS, false, ENTRY, true);
    }

    @Test
    void shouldSayByHowMuchADirectorysNameIsTooLong() throws IOException {
        int longest = -UserDirectory.excess(UserDirectory.path(parent.toString())) - 1;
        Path fits = Files.createDirectory(parent.resolve("x".repeat(longest)));
        assertThat(Rendezvous.open(fits.toString(), false).directory()).isDirectory();
        Path tooLong = Files.createDirectory(parent.resolve("x".repeat(longest + 2)));
        assertThatThrownBy(() -> Rendezvous.open(tooLong.toString(), false))
                .hasMessageStartingWith("shm.dir is too long by 2 bytes: sockets in " + tooLong);
    }

    @Test
    void shouldFindWhatWasPublished() throws IOException {
        assertThat(rendezvous.lookUp(ADDRESS)).isEqualTo(ENTRY);
    }

    @Test
    void shouldKnowWhereNobodyWasFoundUntilSomebodyListens() throws IOException {
        InetSocketAddress other = new InetSocketAddress(ADDRESS.getAddress(), 81);
        FileTime settled = FileTime.fromMillis(System.currentTimeMillis() - 10_000);
        Files.setLastModifiedTime(rendezvous.directory(), settled);
        assertThat(rendezvous.knowsNobodyAt(other)).as("not looked at yet").isFalse();
        assertThat(rendezvous.lookUp(other)).isNull();
        assertThat(rendezvous.knowsNobodyAt(other)).isTrue();
        assertThat(rendezvous.knowsNobodyAt(ADDRESS)).isFalse();
        rendezvous.publish(other, false, ENTRY, true);
        assertThat(rendezvous.knowsNobodyAt(other)).as("someone listens").isFalse();
    }

    @Test
    void shouldReplaceTheEntryOfTheLivingOnlyWhereTcpListens() throws IOException {
        Rendezvous.Entry other = new Rendezvous.Entry("fedcba9876543210".repeat(2) + ".endpoint", 1, 2, 0);
        try (ServerSocketChannel living = UnixSockets.openServer()) {
            UnixSockets.show(living, rendezvous.path(ENTRY.endpoint()), rendezvous.newPath(Rendezvous.DRAFT), 0);
            assertThat(rendezvous.publish(ADDRESS, false, other, false)).isNull();
            assertThat(rendezvous.lookUp(ADDRESS)).isEqualTo(ENTRY);
            assertThat(rendezvous.publish(ADDRESS, false, other, true)).isEqualTo(file);
            assertThat(rendezvous.lookUp(ADDRESS)).isEqualTo(other);
        }
    }

    @Test
    void shouldReplaceTheEntryOfTheDeadBeforeTcpListens() throws IOException {
        Rendezvous.Entry other = new Rendezvous.Entry("fedcba9876543210".repeat(2) + ".endpoint", 1, 2, 0);
        assertThat(rendezvous.publish(ADDRESS, false, other, false)).isEqualTo(file);
        assertThat(rendezvous.lookUp(ADDRESS)).isEqualTo(other);
        assertThat(rendezvous.directory().toFile().list()).as("no draft is left").hasSize(1);
    }

    @Test
    void shouldNotFindAListenerOfAnotherNetworkNamespace() throws IOException {
        String own = String.valueOf(rendezvous.namespaceId());
        Files.move(file, file.resolveSibling(file.getFileName().toString().replaceFirst(own, own + "1")));
        assertThat(rendezvous.lookUp(ADDRESS)).isNull();
    }

    @Test
    void shouldSayThatAnEntryIsOfALaterVersion() throws IOException {
        Files.writeString(file, "rsockets4j 2 " + "something else ".repeat(50));
        assertThatThrownBy(() -> rendezvous.lookUp(ADDRESS)).isInstanceOf(PathException.class)
                .hasMessage("the listener entry " + file + " has version 2, this process knows version 1")
                .extracting(failure -> ((PathException) failure).reason()).isEqualTo(Reason.VERSION);
    }

    @Test
    void shouldSayWhichEntryMakesNoSense() throws IOException {
        Files.writeString(file, "rsockets4j 1 ../../etc/passwd 3 4\n");
        assertThatThrownBy(() -> rendezvous.lookUp(ADDRESS)).hasMessage(file + " is not a listener entry; remove it");
    }

    /** The lack is this process' own: it must not remember that nobody is there. */
    @Test
    void shouldNotTakeALackOfDescriptorsForNobody() throws Exception {
        List<String> lines = DescriptorsTest.runWithFew(LookUpWithoutDescriptors.class, parent);
        assertThat(lines).hasSize(2).first().asString().contains("Too many open files");
        assertThat(lines).last().isEqualTo("true");
    }
}
