/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import static io.rsockets4j.core.rdma.RdmaDirectTest.awaitAdvert;
import static io.rsockets4j.core.rdma.RdmaDirectTest.bytes;
import static io.rsockets4j.core.rdma.RdmaDirectTest.offer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.core.fabric.SourceMemory;
import io.rsockets4j.core.fabric.Streams;
import io.rsockets4j.core.log.LogCapture;
import io.rsockets4j.core.verbs.MemoryRegion;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Memory that a program sends from again and again: a session registers it once, and gives it up in time. */
@Timeout(60)
class RdmaSourceMemoryTest {
    private final RdmaNetwork network = new RdmaNetwork("direct.min.bytes=1");
    private final LogCapture log = LogCapture.of(RdmaFabric.class);

    @AfterEach
    void close() {
        log.close();
        network.close();
    }

    private RdmaNetwork.Links connect(RdmaNetwork.Listening listening) throws Exception {
        RdmaLink near = network.connect(listening.address());
        return new RdmaNetwork.Links(near, listening.accept());
    }

    /** Writes a part of memory that the program keeps to a buffer that waits for it. */
    private static void write(RdmaNetwork.Links links, SourceMemory memory, int offset, int length) throws Exception {
        ByteBuffer buffer = offer(links.far(), length);
        DirectProbe.awaitRoomOfBuffers(links.near(), length);
        ByteBuffer source = memory.whole().slice(offset, length);
        assertThat(links.near().lend(source, new SourceMemory.Part(memory, offset))).isTrue();
        Streams.write(links.near(), source);
        assertThat(Streams.readSome(links.far(), buffer)).isEqualTo(length);
        assertThat(buffer.flip()).isEqualTo(memory.whole().slice(offset, length));
    }

    @Test
    void shouldRegisterMemoryOnceThatTheProgramKeeps() throws Exception {
        RdmaNetwork.Listening listening = network.listen();
        RdmaNetwork.Links links = connect(listening);
        RdmaNetwork.Links others = connect(listening);
        long pinned = network.near.pinned();
        SourceMemory memory = new SourceMemory(bytes(1000, 1));
        write(links, memory, 0, 300);
        assertThat(network.near.pinned()).isEqualTo(pinned + 1000);
        write(links, memory, 700, 300);
        write(others, memory, 300, 400);
        assertThat(network.near.pinned()).as("once for the session").isEqualTo(pinned + 1000);
        assertThat(links.far().directBytesReceived()).isEqualTo(600);
        memory.letGo();
        assertThat(network.near.pinned()).isEqualTo(pinned);
        write(links, memory, 10, 20);
        assertThat(network.near.pinned()).isEqualTo(pinned + 1000);
        links.near().connection().session().memory().close();
        assertThat(network.near.pinned()).as("the session has ended").isLessThan(pinned);
        memory.letGo();
        assertThat(network.network.violations()).isEmpty();
    }

    /** The program may use it for something else now, which is none of the peer's business. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldTakeMemoryFromTheDeviceThatMayStillReadIt(boolean stays) throws Exception {
        RdmaNetwork.Links links = network.links();
        offer(links.far(), 100);
        awaitAdvert(links.near());
        SourceMemory memory = new SourceMemory(bytes(60, 1));
        ByteBuffer source = memory.whole().slice();
        network.network.pause(true);
        links.near().lend(source, stays ? new SourceMemory.Part(memory, 0) : null);
        SessionMemory session = links.near().connection().session().memory();
        assertThat(session.lentBytes()).isEqualTo(60);
        links.near().connection().fail(new IOException("a test's"));
        assertThatThrownBy(() -> links.near().send(source)).hasMessage("Broken pipe");
        assertThat(session.lentBytes()).isZero();
        network.network.pause(false);
    }

    @Test
    void shouldUseMemoryThatIsRegisteredWhereNoOtherCanBe() throws Exception {
        RdmaNetwork.Links links = network.links();
        SourceMemory memory = new SourceMemory(bytes(100, 1));
        write(links, memory, 0, 100);
        network.near.pinnable(0);
        ByteBuffer buffer = offer(links.far(), 50);
        awaitAdvert(links.near());
        ByteBuffer other = bytes(50, 3);
        assertThat(links.near().lend(other, new SourceMemory.Part(new SourceMemory(bytes(50, 3)), 0))).isFalse();
        Streams.write(links.near(), other);
        assertThat(Streams.readSome(links.far(), buffer)).isEqualTo(50);
        write(links, memory, 0, 100);
        assertThat(links.far().directBytesReceived()).isEqualTo(200);
    }

    @Test
    void shouldTakeBackNoMemoryThatIsRegisteredAnew() throws Exception {
        RdmaNetwork.Links links = network.links();
        SessionMemory session = links.near().connection().session().memory();
        SourceMemory memory = new SourceMemory(bytes(100, 1));
        MemoryRegion before = session.keep(memory);
        assertThat(session.keep(memory)).isSameAs(before);
        session.takeBack(memory, before);
        assertThat(session.kept(memory)).isNull();
        MemoryRegion after = session.keep(memory);
        session.takeBack(memory, before);
        assertThat(session.kept(memory)).isSameAs(after);
        assertThat(session.lentBytes()).isEqualTo(100);
    }

    @Test
    void shouldRegisterForOneWriteWhereMemoryCannotStayRegistered() throws Exception {
        RdmaNetwork.Links links = network.links();
        long pinned = network.near.pinned();
        network.near.pinnable(500);
        SourceMemory memory = new SourceMemory(bytes(1000, 1));
        write(links, memory, 100, 300);
        assertThat(network.near.pinned()).isEqualTo(pinned);
        assertThat(links.far().directBytesReceived()).isEqualTo(300);
        assertThat(log.lines()).isEmpty();
    }
}
