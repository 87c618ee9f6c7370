/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.rsockets4j.core.fabric.Eventually;
import io.rsockets4j.core.host.HostAddresses;
import io.rsockets4j.core.shm.rendezvous.Rendezvous;
import io.rsockets4j.core.shm.ring.SlotDescriptor;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a listener believes of a peer that says it is in another network namespace, and how it is found there. */
class AcrossNamespacesTest {
    private static final String SETTING = "shm.across.namespaces=true";
    private static final String ELSEWHERE = "203.0.113.9"; // for documentation: no host has it
    private static final int PORT = 40_000;

    @TempDir
    private Path directory;

    private InetAddress own; // this host's, as the network knows it
    private Fabrics.Listening listening;
    private HandInitiator hand;

    @BeforeEach
    void establish() throws IOException {
        InetAddress any = InetAddress.getByName("0.0.0.0");
        List<InetAddress> routable = HostAddresses.routable(any, true);
        assumeTrue(!routable.isEmpty(), "this host has no address but loopback's");
        own = routable.get(0);
        listening = Fabrics.listen(Fabrics.open(directory, SETTING),
                new InetSocketAddress(any, Fabrics.newAddress().getPort()));
        hand = HandInitiator.dial(directory);
        Frame.ShmHello good = hand.hello();
        hand.establish(new Frame.ShmHello(Frame.VERSION, Frame.VERSION, 0, 12, good.ringBytes(), good.sharedName(),
                good.slotsName(), good.bellsName()));
    }

    @AfterEach
    void close() throws IOException {
        if (hand != null) {
            hand.close();
            listening.queue().close();
        }
    }

    @Test
    void shouldTakeAPeerAtAnAddressOfAnotherNamespace() throws Exception {
        request(1, InetAddress.getByName(ELSEWHERE), PORT, own);
        ShmLink link = listening.accept();
        assertThat(link.remoteAddress()).isEqualTo(new InetSocketAddress(ELSEWHERE, PORT));
        assertThat(link.localAddress().getAddress()).isEqualTo(own);
        link.close(false);
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.9.9.9", "0.0.0.0", "169.254.1.1", "224.0.0.1", "::1", "fe80::1", "::"})
    void shouldNotTakeAPeerAtAnAddressThatMeansAnotherPlaceThere(String claimed) throws Exception {
        request(1, InetAddress.getByName(claimed), PORT, own);
        assertIsReset(1);
    }

    @Test
    void shouldNotTakeAPeerThatClaimsAnAddressOfThisNamespace() throws Exception {
        request(1, own, PORT, own);
        assertIsReset(1);
        request(2, InetAddress.getByName(ELSEWHERE), 0, own);
        assertIsReset(2);
    }

    @Test
    void shouldNotTakeAPeerThatHidesAnAddressInALongerOne() throws Exception {
        byte[] mapped = HexFormat.of().parseHex("00000000000000000000ffff7f000001");
        request(1, Inet6Address.getByAddress(null, mapped, 1), PORT, own);
        assertIsReset(1);
    }

    @Test
    void shouldNotTakeAConnectToLoopbackOrToAnAddressThatIsNotTheListeners() throws Exception {
        request(1, InetAddress.getByName(ELSEWHERE), PORT, InetAddress.getByName("127.0.0.1"));
        assertIsReset(1);
        request(2, InetAddress.getByName(ELSEWHERE), PORT, InetAddress.getByName("203.0.113.10"));
        assertIsReset(2);
        request(3, InetAddress.getByName(ELSEWHERE), PORT,
                new InetSocketAddress(own, listening.address().getPort() ^ 1));
        assertIsReset(3);
    }

    @Test
    void shouldBeFoundByItsAddressesAndNotByLoopback() throws IOException {
        int port = listening.address().getPort();
        List<String> across = Fabrics.files(directory, ".listen").stream().filter(name -> name.startsWith("across-"))
                .toList();
        assertThat(across).contains("across-" + port + "-" + HexFormat.of().formatHex(own.getAddress()) + ".listen")
                .doesNotContain("across-" + port + "-7f000001.listen");
        listening.queue().close();
        assertThat(Fabrics.files(directory, ".listen")).isEmpty();
    }

    /** What it finds there is of its own namespace, and so of an address that this one had once. */
    @Test
    void shouldNotFindItselfAcross() throws IOException {
        Rendezvous rendezvous = Rendezvous.open(directory.toString(), true);
        InetSocketAddress gone = new InetSocketAddress(ELSEWHERE, PORT);
        Rendezvous.Entry entry = new Rendezvous.Entry("0123456789abcdef".repeat(2) + ".endpoint", 3, 4, 0);
        assertThat(rendezvous.publishAcross(gone, false, entry)).hasSize(1);
        assertThat(rendezvous.lookUp(gone)).isNull();
    }

    private void request(int slot, InetAddress from, int port, InetAddress to) throws IOException {
        request(slot, from, port, new InetSocketAddress(to, listening.address().getPort()));
    }

    private void request(int slot, InetAddress from, int port, InetSocketAddress to) throws IOException {
        ConnectEntry good = hand.entry(slot, 1, new InetSocketAddress(InetAddress.getLoopbackAddress(),
                listening.address().getPort()));
        hand.slots.reset(slot);
        hand.request(new ConnectEntry(slot, 1, good.listener(), good.listenerGeneration(),
                new InetSocketAddress(from, port), to, 0, 0));
    }

    private void assertIsReset(int slot) throws Exception {
        Eventually.until("the connect in slot " + slot + " is answered",
                () -> hand.slotControl(slot).getAcquire(SlotDescriptor.RELEASED) == 1);
        assertThat(listening.queue().poll()).isNull();
    }
}
