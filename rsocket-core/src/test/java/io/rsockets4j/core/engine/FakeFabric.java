/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.engine;

import io.rsockets4j.core.bell.Bell;
import io.rsockets4j.core.fabric.AcceptQueue;
import io.rsockets4j.core.fabric.Fabric;
import io.rsockets4j.core.fabric.Link;
import io.rsockets4j.core.fabric.ListenOffer;
import io.rsockets4j.core.fabric.LocalPort;
import io.rsockets4j.core.fabric.SpinPolicy;
import io.rsockets4j.core.reason.PathException;
import io.rsockets4j.core.reason.Reason;
import io.rsockets4j.core.rules.Rules;
import io.rsockets4j.core.settings.Settings;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A fabric whose peers and listeners do what a test says, and which remembers what it was asked. */
public final class FakeFabric implements Fabric {
    /** What a connect finds, or null. */
    public volatile Link answer;
    /** Thrown by connects, or null. */
    public volatile IOException failure;
    /** Run by each connect before it answers. */
    public volatile Runnable whenAsked = () -> { };
    /** Whether it knows, without a look, that nobody is there. */
    public volatile boolean knowsNobody;
    /** Why connects pass it over, or null. */
    public volatile Reason passedOver;
    /** Whether it takes listeners at all. */
    public volatile boolean listens = true;
    /** Whether it offers listeners before TCP listens. */
    public volatile boolean announces;
    /** Run by each announcement. */
    public volatile Runnable whenAnnounced = () -> { };
    /** Run when a bell is asked for. */
    public volatile Runnable whenBellIsLent = () -> { };
    /** How many listeners it was asked to offer once TCP listened. */
    public int listened;
    /** What was asked for by the last listener. */
    public volatile ListenRequest request;
    /** Where the last listener takes links from. */
    public volatile AcceptQueue queue;
    /** Where TCP has found nobody. */
    public final List<InetSocketAddress> nobodyAt = new CopyOnWriteArrayList<>();

    boolean asksPeer;
    volatile PathException why; // nobody is there
    final AtomicInteger askedWhy = new AtomicInteger();
    int asked;
    int askedInVain; // so often it fails, or 0 for always
    long deadlineNanos; // when it was asked last
    private final String name;

    /**
     * A fabric that nobody offers anything on.
     *
     * @param name its path
     */
    public FakeFabric(String name) {
        this.name = name;
    }

    /**
     * Makes an engine that has fakes for fabrics.
     *
     * @param paths the setting of that name
     * @param rule the same; blank for none
     * @param fabrics in the order of paths
     * @return one that reads no other settings
     */
    public static Engine engine(String paths, String rule, FakeFabric... fabrics) {
        Properties properties = new Properties();
        properties.setProperty("rsockets4j.paths", paths);
        properties.setProperty("rsockets4j.rule", rule);
        Settings settings = Settings.from(properties);
        Fabrics all = new Fabrics();
        for (FakeFabric fabric : fabrics) {
            all.add(fabric);
        }
        return new Engine(settings, new Rules(settings), all, new SpinPolicy(0, 2));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Bell lendBell() {
        whenBellIsLent.run();
        return null;
    }

    @Override
    public ListenOffer listen(ListenRequest asks, AcceptQueue links) {
        listened++;
        return listens ? offer(asks, links) : null;
    }

    @Override
    public ListenOffer announce(ListenRequest asks, AcceptQueue links) {
        if (!announces) {
            return null;
        }
        ListenOffer offer = offer(asks, links);
        whenAnnounced.run();
        return offer;
    }

    private ListenOffer offer(ListenRequest asks, AcceptQueue links) {
        request = asks;
        queue = links;
        return new FakeOffer();
    }

    @Override
    public Reason passedOver(InetSocketAddress remote) {
        return passedOver;
    }

    @Override
    public Link connect(InetSocketAddress remote, LocalPort port, long deadline) throws IOException {
        asked++;
        deadlineNanos = deadline;
        whenAsked.run();
        if (failure != null && (askedInVain == 0 || asked <= askedInVain)) {
            throw failure;
        }
        return answer;
    }

    @Override
    public boolean asksPeer(InetSocketAddress remote) {
        return asksPeer;
    }

    @Override
    public PathException whyNobody(InetSocketAddress remote) {
        askedWhy.incrementAndGet();
        return why;
    }

    @Override
    public boolean knowsNobodyAt(InetSocketAddress remote) {
        return knowsNobody;
    }

    @Override
    public void nobodyAt(InetSocketAddress remote) {
        nobodyAt.add(remote);
    }

    private static final class FakeOffer implements ListenOffer {
        @Override
        public void attend() {
            // no one connects
        }

        @Override
        public void serve() {
            // no one connects
        }

        @Override
        public void leave() {
            // no one connects
        }

        @Override
        public void close() {
            // nothing is open
        }
    }
}
