/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.run;

import io.rsockets4j.bench.peer.Protocol;
import io.rsockets4j.bench.work.Job;
import io.rsockets4j.bench.work.PathSetup;
import io.rsockets4j.bench.work.Side;
import io.rsockets4j.bench.work.Stage;
import io.rsockets4j.bench.work.Work;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A server and a client JVM on one route. */
final class JvmPair implements AutoCloseable {
    private static final Duration START_LIMIT = Duration.ofSeconds(60); // an emulated host may take half of it
    private static final Duration COMMAND_LIMIT = Duration.ofSeconds(10);
    private static final Duration EXIT_LIMIT = Duration.ofSeconds(15);

    private final PathSetup route;
    private final PeerProcess server;
    private final PeerProcess client;
    private final Programs programs;
    private boolean hasDriven; // whether the client's JVM did anything
    private String jvm;

    private JvmPair(PathSetup route, Programs programs, PeerProcess server, PeerProcess client) {
        this.route = route;
        this.programs = programs;
        this.server = server;
        this.client = client;
    }

    /** Starts both JVMs and does not wait for them. */
    static JvmPair start(PathSetup route, Jvms jvms) throws PeerException {
        PeerProcess server = start(route, jvms, Side.SERVER);
        try {
            return new JvmPair(route, new Programs(route, jvms), server, start(route, jvms, Side.CLIENT));
        } catch (PeerException e) {
            server.kill();
            throw e;
        }
    }

    private static PeerProcess start(PathSetup route, Jvms jvms, Side side) throws PeerException {
        return PeerProcess.start(route + " " + side, jvms.command(route, side));
    }

    /** Waits until both are ready. */
    String awaitJvm() throws PeerException {
        if (jvm == null) {
            server.await(START_LIMIT);
            jvm = client.await(START_LIMIT).substring(Protocol.READY.length());
        }
        return jvm;
    }

    /** Does a job, at a rate if that is not 0. */
    Map<String, Double> measure(Job job, double ratePerSecond) throws PeerException {
        awaitJvm();
        List<Integer> ports = Protocol.parsePorts(server.ask(Protocol.SERVE + job.toLine(), COMMAND_LIMIT));
        try {
            if (job.work().is(Work.Trait.BY_PROGRAMS)) {
                return programs.measure(ports.get(0));
            }
            hasDriven = true;
            Stage stage = new Stage(job, ports, server.pid(), ratePerSecond);
            return Protocol.parseValues(client.ask(Protocol.drive(stage), limit(job)));
        } finally {
            server.ask(Protocol.STOP, COMMAND_LIMIT);
        }
    }

    private static Duration limit(Job job) {
        return Duration.ofSeconds(30).plus(job.warmUp().plus(job.measured()).multipliedBy(10));
    }

    /** Lets both JVMs exit; objects if one cannot, or says that its connections did not take this route. */
    void finish() throws PeerException {
        client.finish(EXIT_LIMIT);
        server.finish(EXIT_LIMIT);
        if (hasDriven) {
            check(Side.CLIENT, client);
        }
        check(Side.SERVER, server);
    }

    private void check(Side side, PeerProcess peer) throws PeerException {
        Optional<String> objection = route.objectionTo(side, peer.output());
        if (objection.isPresent()) {
            throw new PeerException(objection.get(), peer.output(), false);
        }
    }

    @Override
    public void close() {
        client.kill();
        server.kill();
    }
}
