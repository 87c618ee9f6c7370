/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;

import io.rsockets4j.spi.suite.kit.Pair;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.Test;

/** Registering, finding, changing and cancelling keys. */
abstract class SelectorKeyCases extends SuiteCase {
    @Test
    void shouldRegisterWithAnAttachment() throws Exception {
        Selector selector = openSelector();
        SocketChannel channel = nonBlockingClient();
        Object attachment = new Object();
        SelectionKey key = channel.register(selector, SelectionKey.OP_READ, attachment);
        assertThat(key.attachment()).isSameAs(attachment);
        assertThat(key.attach(null)).isSameAs(attachment);
        assertThat(key.attachment()).isNull();
        assertThat(key.channel()).isSameAs(channel);
        assertThat(key.selector()).isSameAs(selector);
        assertThat(key.interestOps()).isEqualTo(SelectionKey.OP_READ);
        assertThat(key.readyOps()).isZero();
        assertThat(key.isValid()).isTrue();
        assertThat(channel.isRegistered()).isTrue();
        assertThat(channel.keyFor(selector)).isSameAs(key);
        assertThat(selector.keys()).containsExactly(key);
        assertThat(selector.selectedKeys()).isEmpty();
    }

    @Test
    void shouldKeepTheKeyWhenRegisteredAgain() throws Exception {
        Selector selector = openSelector();
        SocketChannel channel = nonBlockingClient();
        SelectionKey key = channel.register(selector, SelectionKey.OP_READ, "first");
        assertThat(channel.register(selector, SelectionKey.OP_WRITE, "second")).isSameAs(key);
        assertThat(key.interestOps()).isEqualTo(SelectionKey.OP_WRITE);
        assertThat(key.attachment()).isEqualTo("second");
        assertThat(channel.register(selector, 0)).isSameAs(key);
        assertThat(key.attachment()).isNull();
        assertThat(selector.keys()).hasSize(1);
        assertThat(selector.selectNow()).isZero();
    }

    @Test
    void shouldRefuseToRegisterABlockingChannel() throws Exception {
        SocketChannel channel = connect().client();
        ServerSocketChannel server = listen();
        Selector selector = openSelector();
        Class<IllegalBlockingModeException> expected = IllegalBlockingModeException.class;
        assertThrowsExactly(expected, () -> channel.register(selector, SelectionKey.OP_READ));
        assertThrowsExactly(expected, () -> server.register(selector, SelectionKey.OP_ACCEPT));
        assertThat(selector.keys()).isEmpty();
        assertThat(channel.isRegistered()).isFalse();
    }

    @Test
    void shouldRefuseOpsThatTheChannelDoesNotHave() throws Exception {
        Selector selector = openSelector();
        ServerSocketChannel server = listen();
        server.configureBlocking(false);
        SocketChannel client = nonBlockingClient();
        assertThrowsExactly(IllegalArgumentException.class, () -> server.register(selector, SelectionKey.OP_READ));
        assertThrowsExactly(IllegalArgumentException.class, () -> client.register(selector, SelectionKey.OP_ACCEPT));
        SelectionKey key = client.register(selector, SelectionKey.OP_READ);
        assertThrowsExactly(IllegalArgumentException.class, () -> key.interestOps(SelectionKey.OP_ACCEPT));
        assertThat(key.interestOps()).isEqualTo(SelectionKey.OP_READ);
    }

    @Test
    void shouldRefuseToRegisterWhatIsClosed() throws Exception {
        Selector selector = openSelector();
        SocketChannel closed = nonBlockingClient();
        closed.close();
        assertThrowsExactly(ClosedChannelException.class, () -> closed.register(selector, SelectionKey.OP_READ));
        SocketChannel channel = nonBlockingClient();
        selector.close();
        assertThrowsExactly(ClosedSelectorException.class, () -> channel.register(selector, SelectionKey.OP_READ));
        assertThat(channel.isRegistered()).isFalse();
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void shouldRefuseBlockingModeWhileRegistered() throws Exception {
        Selector selector = openSelector();
        SocketChannel channel = nonBlockingClient();
        SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
        assertThrowsExactly(IllegalBlockingModeException.class, () -> channel.configureBlocking(true));
        assertThat(channel.configureBlocking(false)).isSameAs(channel);
        key.cancel();
        selector.selectNow();
        channel.configureBlocking(true);
        assertThat(channel.isBlocking()).isTrue();
    }

    @Test
    void shouldGoBackToBlockingModeOnceDeregistered() throws Exception {
        Selector selector = openSelector();
        Pair pair = connect();
        SelectionKey key = register(selector, pair.client(), SelectionKey.OP_READ);
        pair.server().write(ByteBuffer.wrap(new byte[] {42}));
        assertThat(selector.select(20_000)).isEqualTo(1);
        key.cancel();
        selector.selectNow();
        pair.client().configureBlocking(true);
        ByteBuffer target = ByteBuffer.allocate(1);
        assertThat(pair.client().read(target)).isEqualTo(1);
        assertThat(target.get(0)).isEqualTo((byte) 42);
        assertThat(pair.client().register(selectorFor(pair.client()), SelectionKey.OP_WRITE).isValid()).isTrue();
    }

    @Test
    void shouldRemoveACancelledKeyAtTheNextSelect() throws Exception {
        Selector selector = openSelector();
        Pair pair = connect();
        SelectionKey key = register(selector, pair.client(), SelectionKey.OP_WRITE);
        assertThat(selector.selectNow()).isEqualTo(1);
        key.cancel();
        key.cancel();
        assertThat(key.isValid()).isFalse();
        assertThat(selector.keys()).containsExactly(key);
        assertThat(pair.client().isRegistered()).isTrue();
        assertThat(selector.selectNow()).isZero();
        assertThat(selector.keys()).isEmpty();
        assertThat(selector.selectedKeys()).isEmpty();
        assertThat(pair.client().isRegistered()).isFalse();
        assertThat(pair.client().keyFor(selector)).isNull();
        assertThat(pair.client().isOpen()).isTrue();
    }

    @Test
    void shouldRefuseMostThingsOnACancelledKey() throws Exception {
        Selector selector = openSelector();
        SocketChannel channel = nonBlockingClient();
        SelectionKey key = channel.register(selector, SelectionKey.OP_READ, "attachment");
        key.cancel();
        assertThrowsExactly(CancelledKeyException.class, key::interestOps);
        assertThrowsExactly(CancelledKeyException.class, () -> key.interestOps(SelectionKey.OP_READ));
        assertThrowsExactly(CancelledKeyException.class, () -> key.interestOpsOr(SelectionKey.OP_READ));
        assertThrowsExactly(CancelledKeyException.class, () -> key.interestOpsAnd(0));
        assertThrowsExactly(CancelledKeyException.class, key::readyOps);
        assertThrowsExactly(CancelledKeyException.class, key::isReadable);
        assertThat(key.attachment()).isEqualTo("attachment");
        assertThrowsExactly(CancelledKeyException.class, () -> channel.register(selector, SelectionKey.OP_READ));
        assertThat(key.channel()).isSameAs(channel);
        assertThat(key.selector()).isSameAs(selector);
    }

    @Test
    void shouldRegisterAnewOnceACancelledKeyIsGone() throws Exception {
        Selector selector = openSelector();
        SocketChannel channel = nonBlockingClient();
        SelectionKey first = channel.register(selector, SelectionKey.OP_READ);
        first.cancel();
        selector.selectNow();
        SelectionKey second = channel.register(selector, SelectionKey.OP_WRITE);
        assertThat(second).isNotSameAs(first);
        assertThat(selector.selectNow()).isEqualTo(1);
        assertThat(selector.selectedKeys()).containsExactly(second);
    }

    @Test
    void shouldCancelTheKeyOfAClosedChannel() throws Exception {
        Selector selector = openSelector();
        Pair pair = connect();
        SelectionKey key = register(selector, pair.client(), SelectionKey.OP_READ | SelectionKey.OP_WRITE);
        selector.selectNow();
        pair.client().close();
        assertThat(key.isValid()).isFalse();
        assertThat(selector.selectNow()).isZero();
        assertThat(selector.keys()).isEmpty();
        assertThat(selector.selectedKeys()).isEmpty();
        assertThat(pair.server().read(ByteBuffer.allocate(1))).isEqualTo(-1);
    }

    @Test
    void shouldTellThePeerOfACloseEvenBeforeTheKeyIsRemoved() throws Exception {
        Selector selector = openSelector();
        Pair pair = connect();
        register(selector, pair.client(), SelectionKey.OP_READ);
        selector.selectNow();
        pair.client().close();
        selector.selectNow();
        assertThat(pair.server().read(ByteBuffer.allocate(1))).isEqualTo(-1);
    }

    @Test
    void shouldRegisterOneChannelWithTwoSelectors() throws Exception {
        Selector first = openSelector();
        Selector second = openSelector();
        Pair pair = connect();
        SelectionKey firstKey = register(first, pair.client(), SelectionKey.OP_READ);
        SelectionKey secondKey = register(second, pair.client(), SelectionKey.OP_READ);
        assertThat(firstKey).isNotSameAs(secondKey);
        assertThat(pair.client().keyFor(first)).isSameAs(firstKey);
        assertThat(pair.client().keyFor(second)).isSameAs(secondKey);
        pair.server().write(ByteBuffer.allocate(1));
        assertThat(first.select(20_000)).isEqualTo(1);
        assertThat(second.select(20_000)).isEqualTo(1);
        firstKey.cancel();
        first.selectNow();
        assertThat(pair.client().isRegistered()).isTrue();
        assertThat(secondKey.isValid()).isTrue();
        pair.client().close();
        assertThat(second.selectNow()).isZero();
        assertThat(second.keys()).isEmpty();
    }

    @Test
    void shouldChangeInterestOpsAtomically() throws Exception {
        SelectionKey key = nonBlockingClient().register(openSelector(), SelectionKey.OP_READ);
        assertThat(key.interestOpsOr(SelectionKey.OP_WRITE)).isEqualTo(SelectionKey.OP_READ);
        assertThat(key.interestOpsAnd(SelectionKey.OP_WRITE)).isEqualTo(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
        assertThat(key.interestOps()).isEqualTo(SelectionKey.OP_WRITE);
        assertThat(key.interestOps(0)).isSameAs(key);
        assertThat(key.interestOps()).isZero();
    }

    @Test
    void shouldProtectItsKeySets() throws Exception {
        Selector selector = openSelector();
        SelectionKey key = nonBlockingClient().register(selector, SelectionKey.OP_WRITE);
        assertThrowsExactly(UnsupportedOperationException.class, () -> selector.keys().clear());
        assertThrowsExactly(UnsupportedOperationException.class, () -> selector.keys().remove(key));
        assertThrowsExactly(UnsupportedOperationException.class, () -> selector.selectedKeys().add(key));
        assertThat(selector.selectNow()).isEqualTo(1);
        assertThat(selector.selectedKeys().remove(key)).isTrue();
        assertThat(selector.selectedKeys()).isEmpty();
        selector.close();
        assertThrowsExactly(ClosedSelectorException.class, selector::keys);
        assertThrowsExactly(ClosedSelectorException.class, selector::selectedKeys);
    }

    @Test
    void shouldInvalidateItsKeysWhenClosed() throws Exception {
        Selector selector = openSelector();
        SocketChannel channel = nonBlockingClient();
        SelectionKey key = channel.register(selector, SelectionKey.OP_WRITE);
        selector.close();
        selector.close();
        assertThat(selector.isOpen()).isFalse();
        assertThat(key.isValid()).isFalse();
        assertThat(channel.isRegistered()).isFalse();
        assertThat(channel.isOpen()).isTrue();
        assertThat(selector.wakeup()).isSameAs(selector);
        channel.configureBlocking(true);
        assertThat(channel.write(ByteBuffer.allocate(1))).isEqualTo(1);
    }

    private SocketChannel nonBlockingClient() throws Exception {
        SocketChannel channel = connect().client();
        channel.configureBlocking(false);
        return channel;
    }

    private Selector selectorFor(SocketChannel channel) throws Exception {
        channel.configureBlocking(false);
        return openSelector();
    }
}
