/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs;

import static io.rsockets4j.core.verbs.CompletionStatus.FLUSHED;
import static io.rsockets4j.core.verbs.CompletionStatus.RETRIES_EXCEEDED;
import static io.rsockets4j.core.verbs.CompletionStatus.SUCCESS;
import static io.rsockets4j.core.verbs.QueuePair.SIGNALED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.core.verbs.CmEvent.Type;
import io.rsockets4j.core.verbs.memory.MemoryBinding;
import io.rsockets4j.core.verbs.memory.MemoryDevice;
import io.rsockets4j.core.verbs.memory.MemoryHost;
import io.rsockets4j.core.verbs.memory.MemoryNetwork;
import io.rsockets4j.core.verbs.memory.MemoryQueuePair;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Hosts with two devices each, or two ports of one, in subnets of the network in memory, and what breaks there. */
class MemoryDevicesTest {
    private static final String NEAR = "198.51.100.1";
    private static final String FAR = "198.51.100.2";
    private static final String NEAR_SECOND = "203.0.113.1";
    private static final String FAR_SECOND = "203.0.113.2";
    private static final int ENODEV = 19;
    private static final int EINVAL = 22;
    private static final int EADDRNOTAVAIL = 99;
    private static final int ENETUNREACH = 101;
    private static final int ETIMEDOUT = 110;

    private final MemoryNetwork network = new MemoryNetwork();
    private final MemoryHost near = network.host("near", address(NEAR));
    private final MemoryHost far = network.host("far", address(FAR));
    private final MemoryDevice nearSecond = near.addDevice("near1", address(NEAR_SECOND));
    private final MemoryDevice farSecond = far.addDevice("far1", address(FAR_SECOND));
    private final ConnectionManager initiators = new MemoryBinding(near).openConnectionManager();
    private final ConnectionManager acceptors = new MemoryBinding(far).openConnectionManager();
    private int port = 700;

    @AfterEach
    void close() {
        network.close();
    }

    private static InetAddress address(String literal) {
        try {
            return InetAddress.getByName(literal);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(literal, e);
        }
    }

    private static InetSocketAddress at(String literal, int port) {
        return new InetSocketAddress(address(literal), port);
    }

    /** A connection from one of the near host's devices to one of the far host's, by a listener of its own. */
    private VerbsPair pair(String from, String to) throws IOException {
        return new VerbsPair(new MemoryBinding(near), at(from, 0), new MemoryBinding(far), at(to, ++port), 0);
    }

    private static void assertErrno(int errno, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(VerbsException.class,
                e -> assertThat(e.errno()).as("%s", e).isEqualTo(errno));
    }

    private static void assertCarries(VerbsPair pair) throws IOException {
        pair.initiator.write(70, 0, 8, pair.acceptor, 0, SIGNALED);
        pair.initiator.expect(70, SUCCESS);
        pair.acceptor.write(71, 0, 8, pair.initiator, 0, SIGNALED);
        pair.acceptor.expect(71, SUCCESS);
    }

    private static void assertNoEvents(ConnectionManager... managers) throws IOException {
        for (ConnectionManager manager : managers) {
            assertThat(manager.await(0)).isNull();
        }
    }

    // ---- which device

    @Test
    void shouldBelongToTheDeviceThatHasItsSource() throws IOException {
        CmId first = VerbsPair.resolve(initiators, at(NEAR, 0), at(FAR_SECOND, 700));
        CmId second = VerbsPair.resolve(initiators, at(NEAR_SECOND, 900), at(FAR, 700));
        assertThat(first.device()).isSameAs(near.device());
        assertThat(first.localAddress().getAddress()).isEqualTo(address(NEAR));
        assertThat(second.device()).isSameAs(nearSecond);
        assertThat(second.device().name()).isEqualTo("near1");
        assertThat(second.localAddress()).isEqualTo(at(NEAR_SECOND, 900));
    }

    @Test
    void shouldFindTheDeviceWithTheLongestPrefixInCommon() throws IOException {
        near.addDevice("near2", address("2001:db8:1::1"), address("203.0.112.1"));
        MemoryDevice fourth = near.addDevice("near3", address("2001:db8:2::1"), address("203.0.113.128"));
        far.addDevice("far2", address("2001:db8:2::2"), address("203.0.113.130"));
        assertThat(VerbsPair.resolve(initiators, at(FAR, 700)).device()).isSameAs(near.device());
        CmId second = VerbsPair.resolve(initiators, at(FAR_SECOND, 700));
        assertThat(second.device()).isSameAs(nearSecond);
        assertThat(second.localAddress().getAddress()).isEqualTo(address(NEAR_SECOND));
        assertThat(VerbsPair.resolve(initiators, at("203.0.113.130", 700)).device()).isSameAs(fourth);
        CmId wildcard = VerbsPair.resolve(initiators, at("0.0.0.0", 900), at(FAR_SECOND, 700));
        assertThat(wildcard.device()).isSameAs(second.device());
        assertThat(wildcard.localAddress()).isEqualTo(at(NEAR_SECOND, 900));
        CmId sixth = VerbsPair.resolve(initiators, at("2001:db8:2::2", 700));
        assertThat(sixth.device()).isSameAs(fourth);
        assertThat(sixth.localAddress().getAddress()).isEqualTo(address("2001:db8:2::1"));
        CmId own = VerbsPair.resolve(initiators, at("203.0.113.128", 700));
        assertThat(own.device()).as("to itself").isSameAs(fourth);
        assertThat(own.localAddress().getAddress()).isEqualTo(address("203.0.113.128"));
    }

    @Test
    void shouldRefuseAddressesThatNoDeviceHas() throws IOException {
        far.addDevice("far2", address("2001:db8::2"));
        CmId id = initiators.createId();
        assertErrno(EADDRNOTAVAIL, () -> id.resolveAddress(at("192.0.2.1", 0), at(FAR, 700), 1000));
        assertErrno(EADDRNOTAVAIL, () -> id.resolveAddress(at(FAR, 0), at(FAR, 700), 1000));
        assertErrno(EADDRNOTAVAIL, () -> id.bind(at(FAR_SECOND, 700), true));
        assertErrno(ENETUNREACH, () -> id.resolveAddress(null, at("2001:db8::2", 700), 1000));
        id.resolveAddress(null, at("192.0.2.1", 700), 1000);
        assertThat(VerbsPair.expect(initiators, Type.ADDR_ERROR).status()).isEqualTo(-ETIMEDOUT);
    }

    @Test
    void shouldAcceptAtTheDeviceThatWasConnectedTo() throws IOException {
        VerbsPair.listen(acceptors, at("0.0.0.0", 700));
        for (MemoryDevice device : new MemoryDevice[] {far.device(), farSecond}) {
            InetSocketAddress to = at(device == farSecond ? FAR_SECOND : FAR, 700);
            CmId id = VerbsPair.resolve(initiators, to);
            VerbsPeer initiator = new VerbsPeer(id, 0);
            id.connect();
            CmId accepted = VerbsPair.expect(acceptors, Type.CONNECT_REQUEST).id();
            assertThat(accepted.device()).isSameAs(device);
            assertThat(accepted.localAddress()).isEqualTo(to);
            assertThat(accepted.peerAddress()).isEqualTo(id.localAddress());
            VerbsPeer acceptor = new VerbsPeer(accepted, 0);
            assertThat(network.queuePairs()).extracting(MemoryQueuePair::device)
                    .endsWith((MemoryDevice) id.device(), device);
            accepted.accept();
            VerbsPair.expect(initiators, Type.ESTABLISHED);
            VerbsPair.expect(acceptors, Type.ESTABLISHED);
            initiator.write(1, 0, 8, acceptor, 0, SIGNALED);
            initiator.expect(1, SUCCESS);
        }
    }

    @Test
    void shouldRejectConnectsToADeviceWhereNobodyListens() throws IOException {
        VerbsPair.listen(acceptors, at(FAR, 700));
        CmId id = VerbsPair.resolve(initiators, at(FAR_SECOND, 700));
        new VerbsPeer(id, 0);
        id.connect();
        VerbsPair.expect(initiators, Type.REJECTED);
        assertNoEvents(acceptors);
    }

    @Test
    void shouldNotMixWhatBelongsToSeveralDevices() throws IOException {
        VerbsDevice first = near.device();
        CompletionChannel channel = first.createCompletionChannel();
        CompletionChannel secondChannel = nearSecond.createCompletionChannel();
        assertErrno(EINVAL, () -> nearSecond.createCompletionQueue(channel, 8));
        CompletionQueue queue = first.createCompletionQueue(channel, 8);
        CompletionQueue secondQueue = nearSecond.createCompletionQueue(secondChannel, 8);
        ProtectionDomain domain = first.allocateProtectionDomain();
        ProtectionDomain secondDomain = nearSecond.allocateProtectionDomain();
        CmId id = VerbsPair.resolve(initiators, at(FAR, 700));
        assertErrno(EINVAL, () -> id.createQueuePair(secondDomain, new QueuePairOptions(queue, 1, 1, 0)));
        assertErrno(EINVAL, () -> id.createQueuePair(domain, new QueuePairOptions(secondQueue, 1, 1, 0)));
        id.createQueuePair(domain, new QueuePairOptions(queue, 1, 1, 0));
    }

    @Test
    void shouldGiveAnAddressToOneDeviceAtATime() throws IOException {
        assertThatThrownBy(() -> near.addDevice("near2", address(NEAR_SECOND)))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("near1 has /" + NEAR_SECOND);
        assertThatThrownBy(() -> near.addDevice("near2")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> network.host("any").addDevice("any1", address("192.0.2.1")))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("memory_any has /192.0.2.1");
        nearSecond.remove();
        MemoryDevice third = near.addDevice("near2", address(NEAR_SECOND));
        CmId id = VerbsPair.resolve(initiators, at(NEAR_SECOND, 0), at(FAR_SECOND, 700));
        assertThat(id.device()).isSameAs(third);
        assertCarries(pair(NEAR_SECOND, FAR_SECOND));
    }

    // ---- which port

    @Test
    void shouldKnowThePortOfItsAddress() throws IOException {
        assertThat(nearSecond.addPort(address("192.0.2.1"), address("192.0.2.3"))).isEqualTo(2);
        assertThat(farSecond.addPort(address("192.0.2.2"))).isEqualTo(2);
        VerbsPair first = pair(NEAR_SECOND, FAR_SECOND);
        VerbsPair second = pair("192.0.2.3", "192.0.2.2");
        assertThat(first.initiator.queuePair.source().port()).isEqualTo(1);
        assertThat(first.acceptor.queuePair.source().port()).isEqualTo(1);
        assertThat(second.initiator.id.device()).isSameAs(nearSecond);
        assertThat(second.acceptor.id.device()).isSameAs(farSecond);
        assertThat(second.initiator.queuePair.source().port()).isEqualTo(2);
        assertThat(second.acceptor.queuePair.source().port()).isEqualTo(2);
        assertThatThrownBy(() -> near.device().addPort(address("192.0.2.1")))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("near1 has /192.0.2.1");
        assertThatThrownBy(nearSecond::addPort).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldCarryByTheOtherPortWhileTheCableOfOneIsCut() throws IOException {
        near.device().addPort(address("192.0.2.1"));
        far.device().addPort(address("192.0.2.2"));
        VerbsPair first = pair(NEAR, FAR);
        VerbsPair second = pair("192.0.2.1", "192.0.2.2");
        network.cut(address("192.0.2.2"), true);
        second.initiator.write(1, 0, 8, second.acceptor, 0, 0);
        second.initiator.expect(1, RETRIES_EXCEEDED);
        assertCarries(first);
        assertNoEvents(second.initiators, second.acceptors);
    }

    @Test
    void shouldFailWhatIsOnEachPortOfTheRemovedDevice() throws IOException {
        near.device().addPort(address("192.0.2.1"));
        VerbsPair first = pair(NEAR, FAR);
        VerbsPair second = pair("192.0.2.1", FAR_SECOND);
        near.device().remove();
        VerbsPair.expect(first.initiators, Type.DEVICE_REMOVAL);
        VerbsPair.expect(second.initiators, Type.DEVICE_REMOVAL);
    }

    // ---- a device is removed

    @Test
    void shouldFailWhatIsOnTheRemovedDeviceAlone() throws IOException {
        VerbsPair first = pair(NEAR, FAR);
        VerbsPair second = pair(NEAR_SECOND, FAR_SECOND);
        first.initiator.receive(1, 0, 8);
        second.initiator.receive(2, 0, 8);
        nearSecond.remove();
        CmEvent event = VerbsPair.expect(second.initiators, Type.DEVICE_REMOVAL);
        assertThat(event.id()).isSameAs(second.initiator.id);
        second.initiator.expect(2, FLUSHED);
        second.initiator.write(3, 0, 8, second.acceptor, 0, 0);
        second.initiator.expect(3, FLUSHED);
        assertNoEvents(first.initiators, first.acceptors, second.acceptors);
        second.acceptor.write(4, 0, 8, second.initiator, 0, 0);
        second.acceptor.expect(4, RETRIES_EXCEEDED);
        assertCarries(first);
        assertThat(first.initiator.poll(0)).as("no receive was flushed").isNull();
        second.initiator.id.destroy();
        VerbsPair.expect(second.acceptors, Type.DISCONNECTED);
    }

    @Test
    void shouldNotFindARemovedDevice() throws IOException {
        CmId listener = VerbsPair.listen(acceptors, at("0.0.0.0", 700));
        CmId own = VerbsPair.listen(acceptors, at(FAR_SECOND, 701));
        VerbsPair.listen(acceptors, at(FAR, 702));
        CmId before = VerbsPair.resolve(initiators, at(FAR_SECOND, 700));
        VerbsPeer peer = new VerbsPeer(before, 0);
        CmId bare = VerbsPair.resolve(initiators, at(FAR_SECOND, 700));
        farSecond.remove();
        assertThat(VerbsPair.expect(acceptors, Type.DEVICE_REMOVAL).id()).isSameAs(own);
        before.connect();
        assertThat(VerbsPair.expect(initiators, Type.UNREACHABLE).status()).isEqualTo(-ETIMEDOUT);
        nearSecond.remove();
        VerbsPair.expect(initiators, Type.DEVICE_REMOVAL);
        VerbsPair.expect(initiators, Type.DEVICE_REMOVAL);
        assertErrno(ENODEV, bare::device);
        assertErrno(ENODEV, () -> bare.createQueuePair(peer.domain, new QueuePairOptions(peer.completions, 1, 1, 0)));
        CmId after = initiators.createId();
        assertErrno(ENODEV, () -> after.resolveAddress(at(NEAR_SECOND, 0), at(FAR, 700), 1000));
        assertErrno(ENODEV, () -> after.resolveAddress(null, at(NEAR_SECOND, 700), 1000));
        assertErrno(EADDRNOTAVAIL, () -> after.bind(at(NEAR_SECOND, 700), true));
        assertThat(VerbsPair.resolve(initiators, at(FAR_SECOND, 700)).device()).isSameAs(near.device());
        near.device().remove();
        assertErrno(ENODEV, initiators::createId);
        listener.destroy();
        assertNoEvents(acceptors);
    }

    @Test
    void shouldNeitherConnectNorAcceptByARemovedDevice() throws IOException {
        VerbsPair.listen(acceptors, at("0.0.0.0", 700));
        CmId first = VerbsPair.resolve(initiators, at(FAR, 700));
        new VerbsPeer(first, 0);
        first.connect();
        CmId request = VerbsPair.expect(acceptors, Type.CONNECT_REQUEST).id();
        new VerbsPeer(request, 0);
        CmId second = VerbsPair.resolve(initiators, at(FAR_SECOND, 700));
        new VerbsPeer(second, 0);
        nearSecond.remove();
        far.device().remove();
        assertErrno(EINVAL, second::connect);
        assertErrno(EINVAL, request::accept);
        VerbsPair.skipTo(acceptors, Type.DEVICE_REMOVAL);
        request.destroy();
        assertThat(VerbsPair.skipTo(initiators, Type.REJECTED).id()).isSameAs(first);
    }

    // ---- a cable is cut

    @ParameterizedTest
    @ValueSource(strings = {NEAR_SECOND, FAR_SECOND})
    void shouldCarryNothingWhileTheCableIsCut(String cut) throws IOException {
        VerbsPair first = pair(NEAR, FAR);
        VerbsPair second = pair(NEAR_SECOND, FAR_SECOND);
        assertCarries(second);
        network.cut(address(cut), true);
        second.initiator.receive(1, 0, 8);
        second.initiator.memory.putLong(0, 5);
        second.initiator.write(2, 0, 8, second.acceptor, 0, 0);
        second.acceptor.write(3, 8, 8, second.initiator, 8, SIGNALED);
        second.initiator.expect(2, RETRIES_EXCEEDED);
        second.initiator.expect(1, FLUSHED);
        second.acceptor.expect(3, RETRIES_EXCEEDED);
        assertThat(second.acceptor.memory.getLong(0)).isZero();
        assertCarries(first);
        network.cut(address(cut), false);
        second.initiator.write(4, 0, 8, second.acceptor, 0, SIGNALED);
        second.initiator.expect(4, FLUSHED);
        assertCarries(pair(NEAR_SECOND, FAR_SECOND));
        assertNoEvents(second.initiators, second.acceptors);
    }

    @Test
    void shouldGoOnWhereNothingWasPostedWhileTheCableWasCut() throws IOException {
        VerbsPair pair = pair(NEAR, FAR);
        network.cut(address(FAR), true);
        network.cut(address(FAR), false);
        assertCarries(pair);
    }

    @ParameterizedTest
    @ValueSource(strings = {NEAR_SECOND, FAR_SECOND})
    void shouldReachNobodyWhileTheCableIsCut(String cut) throws IOException {
        VerbsPair.listen(acceptors, at("0.0.0.0", 700));
        network.cut(address(cut), true);
        CmId id = VerbsPair.resolve(initiators, at(FAR_SECOND, 700));
        new VerbsPeer(id, 0);
        id.connect();
        assertThat(VerbsPair.expect(initiators, Type.UNREACHABLE).status()).isEqualTo(-ETIMEDOUT);
        assertNoEvents(acceptors);
        assertCarries(pair(NEAR, FAR));
        network.cut(address(cut), false);
        assertCarries(pair(NEAR_SECOND, FAR_SECOND));
    }

    @Test
    void shouldNotAnswerConnectsWhileTheCableIsCut() throws IOException {
        VerbsPair.listen(acceptors, at(FAR, 700));
        for (boolean accepts : new boolean[] {true, false}) {
            CmId id = VerbsPair.resolve(initiators, at(FAR, 700));
            new VerbsPeer(id, 0);
            id.connect();
            CmId request = VerbsPair.expect(acceptors, Type.CONNECT_REQUEST).id();
            VerbsPeer acceptor = new VerbsPeer(request, 0);
            network.cut(address(NEAR), true);
            if (accepts) {
                request.accept();
                assertThat(VerbsPair.expect(acceptors, Type.UNREACHABLE).id()).isSameAs(request);
                acceptor.send(1, 0, 8, 0);
                acceptor.expect(1, RETRIES_EXCEEDED);
            } else {
                request.reject((byte) 7);
            }
            CmEvent event = VerbsPair.expect(initiators, Type.UNREACHABLE);
            assertThat(event.id()).isSameAs(id);
            assertThat(event.status()).isEqualTo(-ETIMEDOUT);
            network.cut(address(NEAR), false);
            assertNoEvents(initiators, acceptors);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldNotTellThePeerOfADisconnectWhileTheCableIsCut(boolean mended) throws IOException {
        VerbsPair pair = pair(NEAR, FAR);
        network.cut(address(FAR), true);
        pair.acceptor.receive(1, 0, 8);
        pair.initiator.id.disconnect();
        VerbsPair.expect(pair.initiators, Type.DISCONNECTED);
        network.cut(address(FAR), !mended);
        assertNoEvents(pair.acceptors);
        pair.acceptor.write(2, 0, 8, pair.initiator, 0, 0);
        pair.acceptor.expect(2, RETRIES_EXCEEDED);
        pair.acceptor.expect(1, FLUSHED);
        pair.acceptor.id.disconnect();
        VerbsPair.expect(pair.acceptors, Type.DISCONNECTED);
        assertNoEvents(pair.initiators);
    }
}
