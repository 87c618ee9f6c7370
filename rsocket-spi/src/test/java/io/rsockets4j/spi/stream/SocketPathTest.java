/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rsockets4j.core.engine.ConnectionInfo;
import io.rsockets4j.core.engine.Engine;
import io.rsockets4j.core.engine.FakeFabric;
import io.rsockets4j.core.engine.Route;
import io.rsockets4j.core.engine.TcpAddresses;
import io.rsockets4j.core.fabric.Eventually;
import io.rsockets4j.core.reason.Reason;
import io.rsockets4j.core.rules.Direction;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each step of a socket's path: what it answers, and what the register and the link see of it. */
@Timeout(60)
class SocketPathTest {
    private static final InetSocketAddress TARGET = new InetSocketAddress("127.0.0.1", 80);

    private final FakeFabric fabric = new FakeFabric("shm");
    private final Engine engine = FakeFabric.engine("shm,tcp", "", fabric);
    private final FakeOwner owner = new FakeOwner();
    private final SocketPath path = new SocketPath(engine, owner, new SimpleLock());
    private final WatchfulLink link = new WatchfulLink();
    private final FakeStream stream = new FakeStream(link);

    // ---- a link

    @Test
    void shouldBeConnectedAtOnceWhereTheProgramNeedNotFinish() throws IOException {
        assertThat(path.adopt(stream, Direction.CONNECT, Reason.RULE, true)).isTrue();
        assertThat(path.stream()).isSameAs(stream);
        assertThat(path.isPending()).isFalse();
        assertThat(path.finish()).as("a link is connected").isTrue();
        assertThat(path.stream()).isSameAs(stream);
        ConnectionInfo info = onlyConnection();
        assertThat(info.direction()).isEqualTo(Direction.CONNECT);
        assertThat(info.link()).isSameAs(link);
        assertThat(info.reason()).isEqualTo(Reason.RULE);
    }

    @Test
    void shouldBePendingUntilTheProgramFinishesTheConnect() throws IOException {
        assertThat(path.adopt(stream, Direction.CONNECT, Reason.PREFERRED, false)).isTrue();
        assertThat(path.isPending()).isTrue();
        assertThat(path.stream()).as("no data before").isNull();
        assertThat(path.link()).as("addresses and readiness").isSameAs(link);
        assertThat(onlyConnection().link()).isSameAs(link);
        assertThat(path.finish()).isTrue();
        assertThat(path.isPending()).isFalse();
        assertThat(path.stream()).isSameAs(stream);
        assertThat(path.link()).isSameAs(link);
        assertThat(path.finish()).as("again").isTrue();
        assertThat(path.stream()).isSameAs(stream);
    }

    @Test
    void shouldLeaveToTcpTheFinishOfWhatIsNoLink() throws IOException {
        assertThat(path.finish()).isFalse();
        path.overTcp(Direction.CONNECT);
        assertThat(path.finish()).isFalse();
        path.close(false);
        assertThat(path.finish()).as("the JDK's channel says that it is closed").isFalse();
    }

    @Test
    void shouldResetALinkThatComesTooLate() {
        assertThat(path.close(false)).isTrue();
        assertThat(path.adopt(stream, Direction.CONNECT, Reason.PREFERRED, true)).isFalse();
        assertThat(link.closes).hasValue(1);
        assertThat(link.aborted).isTrue();
        assertThat(path.stream()).isNull();
        assertThat(path.link()).isNull();
        assertThat(engine.connections().live()).isEmpty();
    }

    @Test
    void shouldResetAConnectThatWasNeverFinishedWhateverTheCloseAsksFor() {
        path.adopt(stream, Direction.CONNECT, Reason.PREFERRED, false);
        assertThat(path.close(false)).isTrue();
        assertThat(link.closes).hasValue(1);
        assertThat(link.aborted).isTrue();
        assertThatThrownBy(path::finish).isExactlyInstanceOf(ClosedChannelException.class);
        assertThat(path.stream()).isNull();
    }

    @Test
    void shouldCloseAsTheFirstCloseAsksFor() {
        path.adopt(stream, Direction.ACCEPT, Reason.PEER_CHOICE, true);
        assertThat(path.isClosed()).isFalse();
        assertThat(path.close(false)).isTrue();
        assertThat(path.isClosed()).isTrue();
        assertThat(path.close(true)).as("closed before").isFalse();
        assertThat(link.closes).hasValue(1);
        assertThat(link.aborted).isFalse();

        WatchfulLink reset = new WatchfulLink();
        SocketPath other = new SocketPath(engine, owner, new SimpleLock());
        other.adopt(new FakeStream(reset), Direction.ACCEPT, Reason.PEER_CHOICE, true);
        assertThat(other.close(true)).isTrue();
        assertThat(reset.aborted).isTrue();
    }

    @Test
    void shouldGiveALinkTheOptionsThatWereSetBefore() {
        path.keepAlive(true);
        path.urgentInline(true);
        path.adopt(stream, Direction.CONNECT, Reason.PREFERRED, true);
        assertThat(link.keptAlive).isTrue();
        assertThat(link.urgentInline).isTrue();
    }

    @Test
    void shouldGiveOptionsToALinkThatIsThereThoughPending() {
        path.adopt(stream, Direction.CONNECT, Reason.PREFERRED, false);
        path.keepAlive(true);
        path.urgentInline(true);
        assertThat(link.keptAlive).isTrue();
        assertThat(link.urgentInline).isTrue();
        path.keepAlive(false);
        path.urgentInline(false);
        assertThat(link.keptAlive).isFalse();
        assertThat(link.urgentInline).isFalse();
    }

    @Test
    void shouldGiveALinkAnOptionThatIsSetAsItComes() throws Exception {
        SimpleLock lock = new SimpleLock();
        SocketPath contended = new SocketPath(engine, owner, lock);
        lock.lock();
        CompletableFuture<Boolean> adopted = CompletableFuture
                .supplyAsync(() -> contended.adopt(stream, Direction.CONNECT, Reason.PREFERRED, true));
        Eventually.until("adopt waits for the lock", () -> lock.getQueueLength() == 1);
        contended.keepAlive(true);
        contended.urgentInline(true);
        lock.unlock();
        assertThat(adopted.get()).isTrue();
        assertThat(link.keptAlive).isTrue();
        assertThat(link.urgentInline).isTrue();
    }

    // ---- TCP

    @Test
    void shouldRegisterTcpWithTheReasonThatWasKnownBefore() {
        assertThat(path.isKnownTcp(TARGET)).as("a path has to be sought").isFalse();
        fabric.knowsNobody = true;
        fabric.passedOver = Reason.MEMLOCK;
        assertThat(path.isKnownTcp(TARGET)).isTrue();
        assertThat(engine.connections().live()).as("before TCP has connected").isEmpty();
        path.overTcp(Direction.CONNECT);
        assertThat(onlyConnection().reason()).isEqualTo(Reason.MEMLOCK);
        assertThat(onlyConnection().link()).isNull();
    }

    @Test
    void shouldRegisterTcpOnceAndSayThenWhyItIsTcp() {
        AtomicInteger said = new AtomicInteger();
        assertThat(path.isLink(new Route(null, Reason.TIMEOUT, said::incrementAndGet))).isFalse();
        assertThat(said).as("TCP may fail too").hasValue(0);
        path.overTcp(Direction.CONNECT);
        path.overTcp(Direction.CONNECT);
        assertThat(said).hasValue(1);
        assertThat(onlyConnection().reason()).isEqualTo(Reason.TIMEOUT);
        assertThat(onlyConnection().direction()).isEqualTo(Direction.CONNECT);
    }

    @Test
    void shouldNotTakeALinkForAReasonToGoByTcp() {
        assertThat(path.isLink(new Route(null, Reason.TIMEOUT, null))).isFalse();
        assertThat(path.isLink(new Route(link, Reason.RULE, null))).isTrue();
        assertThat(path.stream()).as("it is for adopt").isNull();
        path.overTcp(Direction.CONNECT);
        assertThat(onlyConnection().reason()).isEqualTo(Reason.TIMEOUT);
    }

    @Test
    void shouldBlameThePeerForTcpThatWasAccepted() {
        path.isLink(new Route(null, Reason.TIMEOUT, null));
        path.overTcp(Direction.ACCEPT);
        assertThat(onlyConnection().reason()).isEqualTo(Reason.PEER_CHOICE);
        assertThat(onlyConnection().direction()).isEqualTo(Direction.ACCEPT);
    }

    @Test
    void shouldForgetWhatItKnowsOnlyWhereTcpFindsNobody() {
        path.tcpFailed(TARGET, new SocketTimeoutException("Connect timed out"));
        path.tcpFailed(TARGET, new SocketException("Socket closed"));
        path.tcpFailed(null, new ConnectException("Connection refused"));
        assertThat(fabric.nobodyAt).isEmpty();
        path.tcpFailed(TARGET, new ConnectException("Connection refused"));
        assertThat(fabric.nobodyAt).containsExactly(TARGET);
    }

    // ---- the register

    @Test
    void shouldStayRegisteredUntilAllOfTheSocketIsClosed() {
        path.adopt(stream, Direction.CONNECT, Reason.PREFERRED, true);
        path.close(false);
        assertThat(engine.connections().live()).hasSize(1);
        path.unregister();
        assertThat(engine.connections().live()).isEmpty();
        path.unregister();
        assertThat(engine.connections().live()).isEmpty();
    }

    /** The closer comes between the adoption and the register, so that its own look there is too early. */
    @Test
    void shouldNotStayRegisteredWhereItIsClosedMeanwhile() {
        link.whenObserved = () -> {
            path.close(false);
            path.unregister();
        };
        assertThat(path.adopt(stream, Direction.CONNECT, Reason.PREFERRED, true)).isTrue();
        assertThat(link.closes).hasValue(1);
        assertThat(engine.connections().live()).isEmpty();
    }

    private ConnectionInfo onlyConnection() {
        assertThat(engine.connections().live()).hasSize(1);
        return engine.connections().live().iterator().next();
    }

    /** A socket that nobody asks for its addresses. */
    private static final class FakeOwner implements TcpAddresses {
        @Override
        public InetSocketAddress localOrNull() {
            return null;
        }

        @Override
        public InetSocketAddress remoteOrNull() {
            return null;
        }
    }

    /** A stream that no data goes through. */
    private static final class FakeStream extends LinkStream {
        FakeStream(WatchfulLink link) {
            super(link);
        }

        @Override
        protected boolean isBlocking() {
            return true;
        }

        @Override
        protected void enter() {
            throw new UnsupportedOperationException();
        }

        @Override
        protected void await(int op, long deadlineNanos) {
            throw new UnsupportedOperationException();
        }

        @Override
        protected boolean takeInterrupt() {
            throw new UnsupportedOperationException();
        }

        @Override
        protected void endWait(boolean done, boolean interrupted) {
            throw new UnsupportedOperationException();
        }

        @Override
        protected boolean repeatsEnd() {
            throw new UnsupportedOperationException();
        }

        @Override
        protected IOException closed() {
            throw new UnsupportedOperationException();
        }

        @Override
        protected IOException outputShut() {
            throw new UnsupportedOperationException();
        }

        @Override
        protected IOException writeFailed(IOException cause) {
            throw new UnsupportedOperationException();
        }
    }
}
