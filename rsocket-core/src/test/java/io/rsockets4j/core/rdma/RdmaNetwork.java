/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.fabric.AcceptQueue;
import io.rsockets4j.core.fabric.BufferSizes;
import io.rsockets4j.core.fabric.Eventually;
import io.rsockets4j.core.fabric.Fabric;
import io.rsockets4j.core.fabric.FakePort;
import io.rsockets4j.core.fabric.Link;
import io.rsockets4j.core.fabric.SpinPolicy;
import io.rsockets4j.core.settings.PortAddress;
import io.rsockets4j.core.settings.Settings;
import io.rsockets4j.core.verbs.memory.MemoryBinding;
import io.rsockets4j.core.verbs.memory.MemoryDevice;
import io.rsockets4j.core.verbs.memory.MemoryHost;
import io.rsockets4j.core.verbs.memory.MemoryNetwork;
import io.rsockets4j.core.verbs.memory.Violation;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/** Two hosts in a network in memory, and a fabric on each: the initiator's and the acceptor's. */
final class RdmaNetwork implements AutoCloseable {
    static final String NEAR = "198.51.100.1";
    static final String FAR = "198.51.100.2";
    static final String NEAR_SECOND = "203.0.113.1";
    static final String FAR_SECOND = "203.0.113.2";
    private static final int PREFIX = 24;
    private static final AtomicInteger PORTS = new AtomicInteger(20_000);

    final MemoryNetwork network = new MemoryNetwork();
    final MemoryHost near = network.host("near", address(NEAR));
    final MemoryHost far = network.host("far", address(FAR));
    private final Map<MemoryHost, List<PortAddress>> ports = new ConcurrentHashMap<>();
    private final Map<MemoryHost, CmThread> cms = new ConcurrentHashMap<>();
    private final String[] settings;
    private long idleNanos = TimeUnit.MILLISECONDS.toNanos(100);
    private long switchNanos = TimeUnit.SECONDS.toNanos(60);
    private long pinnableBytes = Long.MAX_VALUE;
    private RdmaFabric initiator;
    private RdmaFabric acceptor;

    /** A network whose fabrics have settings, such as {@code ring.bytes=4096}. Their threads never spin. */
    RdmaNetwork(String... settings) {
        this.settings = settings;
    }

    /** Fabrics that are not open yet believe that the system lets them pin so much. */
    RdmaNetwork memlock(long bytes) {
        pinnableBytes = bytes;
        return this;
    }

    /** Fabrics that are not open yet keep memory that nobody uses only so long. */
    RdmaNetwork idle(long millis) {
        idleNanos = TimeUnit.MILLISECONDS.toNanos(millis);
        return this;
    }

    /** Fabrics that are not open yet let a peer take only so long to go over to another link. */
    RdmaNetwork switchLimit(long millis) {
        switchNanos = TimeUnit.MILLISECONDS.toNanos(millis);
        return this;
    }

    /** Each host gets a second device, in a network of its own. Before the fabrics are opened. */
    RdmaNetwork twoDevices() {
        addSecondDevice(near, NEAR, NEAR_SECOND);
        addSecondDevice(far, FAR, FAR_SECOND);
        return this;
    }

    private void addSecondDevice(MemoryHost host, String firstLiteral, String secondLiteral) {
        addDevice(host, host.name() + '1', secondLiteral);
        ports.get(host).add(new PortAddress(host.name(), 1, address(firstLiteral), PREFIX));
    }

    /** Each host's device gets a second port, in a network of its own. Before the fabrics are opened. */
    RdmaNetwork twoPorts() {
        addSecondPort(near, NEAR, NEAR_SECOND);
        addSecondPort(far, FAR, FAR_SECOND);
        return this;
    }

    /** One host's device gets a second port, the other host a second device. Before the fabrics are opened. */
    RdmaNetwork twoPortsOrDevices(boolean portsAreNear) {
        if (portsAreNear) {
            addSecondPort(near, NEAR, NEAR_SECOND);
            addSecondDevice(far, FAR, FAR_SECOND);
        } else {
            addSecondDevice(near, NEAR, NEAR_SECOND);
            addSecondPort(far, FAR, FAR_SECOND);
        }
        return this;
    }

    private void addSecondPort(MemoryHost host, String firstLiteral, String secondLiteral) {
        MemoryDevice device = host.device();
        int second = device.addPort(address(secondLiteral));
        hasPorts(host, new PortAddress(device.name(), 1, address(firstLiteral), PREFIX),
                new PortAddress(device.name(), second, address(secondLiteral), PREFIX));
    }

    /** A fabric that is not open yet finds these addresses of its host's ports. */
    void hasPorts(MemoryHost host, PortAddress... all) {
        ports.put(host, new CopyOnWriteArrayList<>(all));
    }

    /** A port of a host's goes down: nothing goes by it, and its address is not found any more. Returns its address. */
    PortAddress down(MemoryHost host, String literal) {
        PortAddress down = ports.get(host).stream().filter(port -> port.address().equals(address(literal))).findFirst()
                .orElseThrow();
        forget(host, literal);
        network.cut(address(literal), true);
        return down;
    }

    /** It comes back. */
    void up(MemoryHost host, PortAddress down) {
        network.cut(down.address(), false);
        ports.get(host).add(down);
    }

    /** A device is added, or comes again after it was removed. */
    MemoryDevice addDevice(MemoryHost host, String name, String literal) {
        ports.computeIfAbsent(host, any -> new CopyOnWriteArrayList<>())
                .add(new PortAddress(name, 1, address(literal), PREFIX));
        return host.addDevice(name, address(literal));
    }

    /** No port of a host has an address any more. */
    void forget(MemoryHost host, String literal) {
        ports.get(host).removeIf(port -> port.address().equals(address(literal)));
    }

    static InetAddress address(String literal) {
        try {
            return InetAddress.getByName(literal);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(literal, e);
        }
    }

    /** A port of the far host on which nobody listens yet. */
    static InetSocketAddress newAddress() {
        return new InetSocketAddress(address(FAR), PORTS.incrementAndGet());
    }

    RdmaFabric initiator() throws IOException {
        if (initiator == null) {
            initiator = open(near);
        }
        return initiator;
    }

    RdmaFabric acceptor() throws IOException {
        if (acceptor == null) {
            acceptor = open(far);
        }
        return acceptor;
    }

    private RdmaFabric open(MemoryHost host) throws IOException {
        Properties properties = new Properties();
        properties.setProperty("rsockets4j.spin.micros", "0");
        properties.setProperty("rsockets4j.handshake.millis", "20000"); // unless it is what a test is about
        for (String setting : settings) {
            int equals = setting.indexOf('=');
            properties.setProperty("rsockets4j." + setting.substring(0, equals), setting.substring(equals + 1));
        }
        Settings parsed = Settings.from(properties);
        CmThread cm = new CmThread(new MemoryBinding(host).openConnectionManager());
        cms.put(host, cm);
        return RdmaFabric.open(parsed, new SpinPolicy(parsed.spinNanos(), 2), cm, idleNanos, switchNanos,
                pinnableBytes, () -> ports.getOrDefault(host, List.of()));
    }

    /** The thread of a host's connection manager, whose fabric is open. */
    CmThread cm(MemoryHost host) {
        return cms.get(host);
    }

    Listening listen() throws IOException {
        return listen(newAddress());
    }

    Listening listen(InetSocketAddress address) throws IOException {
        return listen(address, 0);
    }

    Listening listen(InetSocketAddress address, int receiveBytes) throws IOException {
        return listen(address, receiveBytes, client -> true);
    }

    /** Listens for those clients alone that a rule admits. */
    Listening listen(InetSocketAddress address, int receiveBytes, Predicate<InetAddress> rule) throws IOException {
        AcceptQueue queue = new AcceptQueue(4096, new SpinPolicy(0, 2), (path, client) -> rule.test(client));
        queue.add(acceptor().listen(new Fabric.ListenRequest(address, false, false, 4096, receiveBytes), queue));
        return new Listening(address, queue);
    }

    RdmaLink connect(InetSocketAddress remote) throws IOException {
        return (RdmaLink) initiator().connect(remote, new FakePort(), Long.MAX_VALUE);
    }

    RdmaLink connect(InetSocketAddress remote, BufferSizes buffers) throws IOException {
        return (RdmaLink) initiator().connect(remote, new FakePort(buffers), Long.MAX_VALUE);
    }

    /** One connection. */
    Links links() throws Exception {
        return links(1).get(0);
    }

    /** So many connections to one listener. */
    List<Links> links(int count) throws Exception {
        return links(listen(), count);
    }

    /** So many connections to that listener. */
    List<Links> links(Listening listening, int count) throws Exception {
        List<Links> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            RdmaLink near = connect(listening.address());
            all.add(new Links(near, listening.accept()));
        }
        return all;
    }

    /** Ends all, and looks whether anybody broke a rule, or wrote where that was not allowed. */
    void closeUnharmed() {
        close();
        assertNoViolations();
        assertThat(network.violations(Violation.Kind.ACCESS)).isEmpty();
    }

    /** Sees that nobody has used the verbs in a way that upsets a device, whatever peers did. */
    void assertNoViolations() {
        assertThat(network.violations(Violation.Kind.RECEIVER_NOT_READY)).isEmpty();
        assertThat(network.violations(Violation.Kind.CONCURRENT_USE)).isEmpty();
        assertThat(network.violations(Violation.Kind.USE_AFTER_DESTROY)).isEmpty();
    }

    @Override
    public void close() {
        network.close();
    }

    /** Both ends of a connection. */
    record Links(RdmaLink near, RdmaLink far) { }

    /** A listener of the acceptor's fabric. */
    record Listening(InetSocketAddress address, AcceptQueue queue) {
        RdmaLink accept() throws Exception {
            Link[] accepted = {null};
            Eventually.until("a link to accept at " + address, () -> {
                accepted[0] = queue.poll();
                return accepted[0] != null;
            });
            return (RdmaLink) accepted[0];
        }
    }
}
