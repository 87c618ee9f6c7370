/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.shm;

import io.rsockets4j.core.fabric.AcceptQueue;
import io.rsockets4j.core.fabric.Eventually;
import io.rsockets4j.core.fabric.Fabric;
import io.rsockets4j.core.fabric.FakePort;
import io.rsockets4j.core.fabric.Link;
import io.rsockets4j.core.fabric.ListenOffer;
import io.rsockets4j.core.fabric.LocalPort;
import io.rsockets4j.core.fabric.SpinPolicy;
import io.rsockets4j.core.host.MemoryBudget;
import io.rsockets4j.core.host.Ownership;
import io.rsockets4j.core.settings.Settings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** Fabrics that meet in a directory of their own, each as if it were another process. */
final class Fabrics {
    private static final AtomicInteger PORTS = new AtomicInteger(10_000);

    private Fabrics() { }

    /** Opens a fabric whose threads never spin. */
    static ShmFabric open(Path directory, String... settings) throws IOException {
        return open(directory, null, new HeldPorts(), settings);
    }

    static ShmFabric open(Path directory, MemoryBudget budget, HeldPorts ports, String... settings)
            throws IOException {
        Properties properties = new Properties();
        properties.setProperty("rsockets4j.shm.dir", directory.toString());
        properties.setProperty("rsockets4j.spin.micros", "0");
        for (String setting : settings) {
            int equals = setting.indexOf('=');
            properties.setProperty("rsockets4j." + setting.substring(0, equals), setting.substring(equals + 1));
        }
        Settings parsed = Settings.from(properties);
        return ShmFabric.open(parsed, new SpinPolicy(parsed.spinNanos(), 2), budget, ports);
    }

    /** A loopback address that no other test uses; nobody listens on it over TCP. */
    static InetSocketAddress newAddress() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), PORTS.incrementAndGet());
    }

    static Listening listen(ShmFabric fabric) throws IOException {
        return listen(fabric, newAddress());
    }

    static Listening listen(ShmFabric fabric, InetSocketAddress address) throws IOException {
        return listen(fabric, address, 0);
    }

    static Listening listen(ShmFabric fabric, InetSocketAddress address, int receiveBytes) throws IOException {
        AcceptQueue queue = new AcceptQueue(4096, new SpinPolicy(0, 2));
        ListenOffer offer = fabric.listen(new Fabric.ListenRequest(address, false, false, 4096, receiveBytes), queue);
        queue.add(offer);
        return new Listening(address, queue);
    }

    static ShmLink connect(ShmFabric fabric, InetSocketAddress remote) throws IOException {
        return (ShmLink) fabric.connect(remote, new FakePort(), Long.MAX_VALUE);
    }

    static ShmLink connect(ShmFabric fabric, InetSocketAddress remote, LocalPort port) throws IOException {
        return (ShmLink) fabric.connect(remote, port, Long.MAX_VALUE);
    }

    /** The directory in which fabrics meet. */
    static Path meetingPlace(Path directory) throws IOException {
        return directory.resolve("rsockets4j-" + Ownership.userId());
    }

    /** Names of what is left in the directory that end with a suffix. */
    static List<String> files(Path directory, String suffix) throws IOException {
        try (Stream<Path> paths = Files.list(meetingPlace(directory))) {
            return paths.map(path -> path.getFileName().toString()).filter(name -> name.endsWith(suffix)).toList();
        }
    }

    /** The endpoint of the only fabric that listens. */
    static Path endpoint(Path directory) throws IOException {
        List<String> names = files(directory, ".endpoint");
        if (names.size() != 1) {
            throw new AssertionError("not one endpoint but " + names);
        }
        return meetingPlace(directory).resolve(names.get(0));
    }

    /**
     * A listener.
     *
     * @param address where
     * @param queue what has been connected
     */
    record Listening(InetSocketAddress address, AcceptQueue queue) {
        /** Waits for a link. */
        ShmLink accept() throws Exception {
            Link[] accepted = {null};
            Eventually.until("a link to accept at " + address, () -> {
                accepted[0] = queue.poll();
                return accepted[0] != null;
            });
            return (ShmLink) accepted[0];
        }
    }
}
