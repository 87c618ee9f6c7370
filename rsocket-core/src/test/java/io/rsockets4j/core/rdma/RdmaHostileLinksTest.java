/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.core.fabric.Eventually;
import io.rsockets4j.core.fabric.Streams;
import io.rsockets4j.core.stat.SessionSnapshot;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever a peer says about second links costs its own session, and no other. */
@Timeout(60)
class RdmaHostileLinksTest extends BesideBystanders {
    private static final long SESSION = 4711;
    private static final long SWITCH_MILLIS = 5000;
    private static final int DIRECT_BYTES = 1 << 20;

    RdmaHostileLinksTest() {
        super(new RdmaNetwork("handshake.millis=2000").twoDevices().switchLimit(SWITCH_MILLIS));
    }

    /** A peer that has said HELLO, and where it may make a second link. */
    private record Guest(HandPeer peer, Links links, RdmaLink far) {
        InetSocketAddress second() {
            return new InetSocketAddress(RdmaNetwork.address(RdmaNetwork.FAR_SECOND), links.port());
        }
    }

    private Guest guest() throws Exception {
        HandPeer peer = HandPeer.connect(network, listening.address());
        Hello plain = peer.hello(SESSION, listening.address());
        peer.send(HandPeer.encode(new Hello(SESSION, true, true, true, true, plain.ring(), plain.receives(), 0,
                plain.initiator(), plain.acceptor())));
        assertThat(peer.awaitHello().links()).isTrue();
        ByteBuffer links = peer.awaitMessage();
        return new Guest(peer, Links.decode(links, links.limit()), listening.accept());
    }

    private static ByteBuffer join(long session, long token, int receives) {
        ByteBuffer message = ByteBuffer.allocate(MessageDescriptor.JOIN_BYTES);
        new Join(false, true, receives, session, token).encode(message);
        return message;
    }

    private static ByteBuffer switchOver(int connections) {
        return ByteBuffer.allocate(MessageDescriptor.SWITCH_BYTES).put(0, MessageDescriptor.SWITCH)
                .putInt(MessageDescriptor.SWITCH_CONNECTIONS, connections).rewind();
    }

    private static ByteBuffer resume(Resume resume) {
        ByteBuffer message = ByteBuffer.allocate(MessageDescriptor.RESUME_BYTES);
        resume.encode(message);
        return message;
    }

    private HandPeer joined(Guest guest) throws Exception {
        HandPeer second = HandPeer.connect(network.near, guest.second());
        second.send(join(SESSION, guest.links().token(), HandPeer.RECEIVES));
        ByteBuffer answer = second.awaitMessage();
        assertThat(Join.decode(answer, answer.limit()).refused()).isFalse();
        Eventually.until("the link waits", () -> network.acceptor().sessions().stream()
                .filter(link -> link.state().equals(SessionSnapshot.STANDBY)).count() == 2);
        return second;
    }

    @Test
    void shouldTellAddressesOfBothPorts() throws Exception {
        Guest guest = guest();
        assertThat(guest.links().addresses()).extracting(address -> address.getAddress().getHostAddress())
                .containsExactly(RdmaNetwork.FAR, RdmaNetwork.FAR_SECOND);
        assertThat(guest.links().addresses()).extracting(InetSocketAddress::getPort).containsExactly(0, 1);
        guest.peer().close();
    }

    static Stream<Arguments> wrongJoins() {
        return Stream.of(Arguments.of("a wrong session", 1L, 0L, HandPeer.RECEIVES),
                Arguments.of("a wrong token", 0L, 1L, HandPeer.RECEIVES), Arguments.of("no receives", 0L, 0L, 0),
                Arguments.of("too many receives", 0L, 0L, 1 << 20));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("wrongJoins")
    void shouldHangUpOnAWrongJoin(String what, long session, long token, int receives) throws Exception {
        Guest guest = guest();
        try (HandPeer second = HandPeer.connect(network.near, guest.second())) {
            second.send(join(SESSION + session, guest.links().token() + token, receives));
            second.awaitDisconnect();
        }
        guest.peer().send(HandPeer.state(MessageDescriptor.FINISHED, 0, HandPeer.RECEIVES, 0));
        assertThat(Streams.readByte(guest.far())).as("the end of a session that goes on").isEqualTo(-1);
        guest.peer().close();
    }

    @Test
    void shouldHangUpOnNonsense() throws Exception {
        Guest guest = guest();
        try (HandPeer second = HandPeer.connect(network.near, guest.second())) {
            second.send(ByteBuffer.wrap(new byte[] {3, 2, 1}));
            second.awaitDisconnect();
        }
        assertGoesOn(guest);
        guest.peer().close();
    }

    /** A byte there and back, by the link in use. */
    private static void assertGoesOn(Guest guest) throws IOException {
        guest.peer().write(0, 1, DataImmediate.of(0, HandPeer.RECEIVES));
        assertThat(Streams.readByte(guest.far())).isEqualTo(MessageDescriptor.HELLO);
        Streams.writeByte(guest.far(), 6);
        assertThat(guest.peer().awaitByte(0)).isEqualTo((byte) 6);
    }

    @Test
    void shouldHangUpWhereNoJoinComes() throws Exception {
        Guest guest = guest();
        try (HandPeer second = HandPeer.connect(network.near, guest.second())) {
            second.awaitDisconnect();
        }
        assertGoesOn(guest);
        guest.peer().close();
    }

    @Test
    void shouldGoOnAsTheyShould() throws Exception {
        Guest guest = guest();
        try (HandPeer second = joined(guest)) {
            second.send(switchOver(1));
            second.send(resume(new Resume(0, false, false, false, 0, 0, 0, 0)));
            ByteBuffer over = second.awaitMessage();
            assertThat(over.get(0)).isEqualTo(MessageDescriptor.SWITCH);
            assertThat(over.getInt(MessageDescriptor.SWITCH_CONNECTIONS)).isEqualTo(1);
            assertThat(Resume.decode(second.awaitMessage()).number()).isZero();
            second.send(HandPeer.state(MessageDescriptor.FINISHED, 0, HandPeer.RECEIVES, 0));
            assertThat(Streams.readByte(guest.far())).isEqualTo(-1);
        }
        guest.peer().close();
    }

    /** What a peer says by one of its links. */
    interface Attack {
        void run(HandPeer first, HandPeer second) throws IOException;
    }

    private static Arguments attack(String what, Attack attack) {
        return Arguments.of(what, attack);
    }

    private static void resumeWith(HandPeer second, Resume resume) throws IOException {
        second.send(switchOver(1));
        second.send(resume(resume));
    }

    static Stream<Arguments> attacks() {
        return Stream.of(attack("RESUME without SWITCH", (first, second) ->
                        second.send(resume(new Resume(0, false, false, false, 0, 0, 0, 0)))),
                attack("SWITCH by the link in use", (first, second) -> first.send(switchOver(1))),
                attack("SWITCH twice", (first, second) -> {
                    second.send(switchOver(1));
                    second.send(switchOver(1));
                }), attack("SWITCH with too many", (first, second) -> second.send(switchOver(1 << 20))),
                attack("SWITCH with less than none", (first, second) -> second.send(switchOver(-1))),
                attack("RESUME twice", (first, second) -> {
                    second.send(switchOver(2));
                    second.send(resume(new Resume(0, false, false, false, 0, 0, 0, 0)));
                    second.send(resume(new Resume(0, false, false, false, 0, 0, 0, 0)));
                }), attack("more than was sent", (first, second) ->
                        resumeWith(second, new Resume(0, false, false, false, 0, 1, 0, 0))),
                attack("less than nothing", (first, second) ->
                        resumeWith(second, new Resume(0, false, false, false, 0, -1, 0, 0))),
                attack("read before it arrived", (first, second) ->
                        resumeWith(second, new Resume(0, false, false, false, 1, 0, 0, 0))),
                attack("another ring", (first, second) ->
                        resumeWith(second, new Resume(0, false, false, true, 0, 0, 0, 0))),
                attack("an end that was not sent", (first, second) ->
                        resumeWith(second, new Resume(0, false, true, false, 0, 0, 0, 0))),
                attack("asked for again", (first, second) ->
                        resumeWith(second, new Resume(0, true, false, false, 0, 0, 0, 0))),
                attack("STATE by the link that waits", (first, second) ->
                        second.send(HandPeer.state(0, 0, HandPeer.RECEIVES, 0))),
                attack("data by the link that waits", (first, second) ->
                        second.send(ByteBuffer.allocate(MessageDescriptor.DATA_BYTES).put(0,
                                MessageDescriptor.DATA))),
                attack("LINKS from the initiator", (first, second) -> {
                    ByteBuffer message = ByteBuffer.allocate(MessageDescriptor.MESSAGE_BYTES);
                    first.send(message.limit(new Links(1, 1, List.of(listeningAnywhere())).encode(message)));
                }));
    }

    private static InetSocketAddress listeningAnywhere() {
        return new InetSocketAddress(RdmaNetwork.address(RdmaNetwork.NEAR), 1);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("attacks")
    void shouldEndTheSessionOfAPeerThatSays(String what, Attack attack) throws Exception {
        Guest guest = guest();
        try (HandPeer second = joined(guest)) {
            attack.run(guest.peer(), second);
            Eventually.until("its connection is reset", () -> guest.far().connection().failure() != null);
            Eventually.until("its links are gone", () -> network.acceptor().sessions().size() == 2);
        } finally {
            guest.peer().close();
        }
    }

    @Test
    void shouldResetConnectionsOfAPeerThatNeverResumes() throws Exception {
        Guest guest = guest();
        try (HandPeer second = joined(guest)) {
            long began = System.nanoTime();
            second.send(switchOver(1));
            assertThatThrownBy(() -> Streams.readByte(guest.far())).isInstanceOf(SocketException.class)
                    .cause().hasMessageContaining("does not go on over the other link");
            assertThat(System.nanoTime() - began).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(SWITCH_MILLIS));
            assertThat(guest.far().connection().session().hasEnded()).isTrue();
            Eventually.until("its links are gone", () -> network.acceptor().sessions().size() == 2);
        } finally {
            guest.peer().close();
        }
    }

    /** Its device refuses the write, and the link has failed; but there is another one. */
    @Test
    void shouldLoseALinkAndNotASessionByAWriteOutsideAnAdvert() throws Exception {
        Guest guest = guest();
        try (HandPeer second = joined(guest)) {
            ByteBuffer buffer = ByteBuffer.allocateDirect(DIRECT_BYTES + 100);
            buffer.limit(DIRECT_BYTES);
            assertThat(guest.far().receive(buffer)).isZero();
            guest.far().offer(buffer, false);
            ByteBuffer advert = guest.peer().awaitMessage();
            assertThat(advert.get(0)).isEqualTo(MessageDescriptor.ADVERT);
            RemoteRing told = new RemoteRing(advert.getLong(MessageDescriptor.ADVERT_ADDRESS),
                    advert.getInt(MessageDescriptor.ADVERT_LENGTH), advert.getInt(MessageDescriptor.ADVERT_KEY));
            assertThat(told.bytes()).isEqualTo(DIRECT_BYTES);
            guest.peer().write(told, DIRECT_BYTES - 10, 20,
                    DataImmediate.of(0, HandPeer.RECEIVES) | DataImmediate.DIRECT | DataImmediate.LAST);
            assertThat(second.awaitMessage().get(0)).isEqualTo(MessageDescriptor.SWITCH);
            resumeWith(second, new Resume(0, false, false, false, 0, 0, 0, 0));
            second.send(HandPeer.state(MessageDescriptor.FINISHED, 0, HandPeer.RECEIVES, 0));
            assertThat(Streams.readSome(guest.far(), buffer)).as("the end of what goes on").isEqualTo(-1);
            assertThat(buffer.clear()).isEqualTo(ByteBuffer.allocate(DIRECT_BYTES + 100));
            assertThat(guest.far().connection().failure()).isNull();
        } finally {
            guest.peer().close();
        }
    }

    /** A peer that says that a connection is not there any more loses it, and not the others of its session. */
    @Test
    void shouldLoseWhatThePeerDoesNotKnow() throws Exception {
        Guest guest = guest();
        try (HandPeer second = joined(guest)) {
            second.send(switchOver(0));
            Eventually.until("its connection is reset", () -> guest.far().connection().failure() != null);
            assertThat(guest.far().connection().session().hasEnded()).isFalse();
        } finally {
            guest.peer().close();
        }
    }
}
