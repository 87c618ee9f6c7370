/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.it.soak;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Lets a server and clients talk for a given time, while clients are killed, and clients and the server are stopped and
 * continued. Now and then all is quiet: then the server and the one client that lives as long must use no more than
 * they did when it was quiet for the first time.
 *
 * <p>System properties: {@code soak.seconds} in all; {@code soak.agent} the jar; {@code soak.arguments} of the agent;
 * {@code soak.address} of the server; {@code soak.clients} at a time beside the one that stays; {@code soak.largest}
 * bytes of a stream; {@code soak.directory} where processes meet, and {@code soak.logs}; {@code soak.patience}, the
 * seconds that a process may take to answer; {@code soak.seed}. Options for the other JVMs are its arguments.
 */
final class Soak {
    private static final int LONGEST_TURMOIL_SECONDS = 120;
    private static final long TICK_MILLIS = 50;
    private static final long LOOK_MILLIS = 1000;
    private static final long LONGEST_STOP_NANOS = 1_500_000_000L;
    /** What was shared is given back ten seconds after a peer has gone, what is pinned after twenty. */
    private static final int SETTLE_SECONDS = 40;
    /** All is quiet when nothing has become less for so long. */
    private static final int SETTLED_AFTER_SECONDS = 22;

    private final int patience = Integer.getInteger("soak.patience", 60);
    private final int clients = Integer.getInteger("soak.clients", 3);
    private final Path directory = Path.of(System.getProperty("soak.directory"));
    private final Path logs = Path.of(System.getProperty("soak.logs"));
    private final Path temporary = logs.resolve("tmp"); // a file system in memory may hold no code
    private final List<String> options = new ArrayList<>();
    private final SplittableRandom random;
    private final Deque<Jvm> victims = new ArrayDeque<>();
    private final Deque<Stop> stops = new ArrayDeque<>();
    private final List<Jvm> all = Collections.synchronizedList(new ArrayList<>());
    private String[] ports;
    private int started;
    private int killed;
    private int stopped;
    private int ended;

    private record Stop(Jvm jvm, long untilNanos) { }

    private Soak(long seed, String[] options) {
        random = new SplittableRandom(seed);
        this.options.add("-javaagent:" + System.getProperty("soak.agent") + "="
                + System.getProperty("soak.arguments") + ",shm.dir=" + directory + ",handshake.millis=20000");
        this.options.add("-Djava.io.tmpdir=" + temporary);
        this.options.addAll(Arrays.asList(options));
    }

    /**
     * Runs the soak, and ends with 1 if something was not as it should be.
     *
     * @param args options for the JVMs that it starts
     * @throws Exception what was wrong
     */
    public static void main(String[] args) throws Exception {
        long seed = Long.getLong("soak.seed", System.nanoTime());
        System.out.println("soak: seed " + seed);
        Soak soak = new Soak(seed, args);
        Runtime.getRuntime().addShutdownHook(new Thread(soak::killAll));
        soak.run(Integer.getInteger("soak.seconds"));
    }

    private void killAll() {
        for (Jvm jvm : all.toArray(new Jvm[0])) {
            try {
                jvm.kill();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private Jvm start(String name, String... arguments) throws IOException {
        Jvm jvm = new Jvm(name, logs, options, arguments);
        all.add(jvm);
        return jvm;
    }

    private Jvm startClient(String name) throws IOException {
        return start(name, "client", System.getProperty("soak.address"), System.getProperty("soak.largest", "20000000"),
                ports[0], ports[1]);
    }

    private void run(int seconds) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + seconds * 1_000_000_000L;
        Files.createDirectories(temporary);
        Jvm server = start("server", "server", System.getProperty("soak.address"));
        ports = server.answer(patience).split(" ");
        Jvm stays = startClient("client");
        stays.answer(patience);
        List<Jvm> observed = List.of(server, stays);

        turmoil(server, stays, Math.min(LONGEST_TURMOIL_SECONDS, seconds / 4));
        List<Use> first = settle(observed);
        report("at first", first);
        List<Use> last = first;
        long left = secondsUntil(deadline);
        do {
            // The last one leaves time for all to become quiet.
            turmoil(server, stays, (int) Math.max(1, Math.min(LONGEST_TURMOIL_SECONDS, left - SETTLED_AFTER_SECONDS)));
            last = settle(observed, first);
            left = secondsUntil(deadline);
            report(Math.max(0, left) + " s left", last);
        } while (left > 2 * SETTLED_AFTER_SECONDS);
        stays.end(patience);
        server.tell("run 0 0");
        String outcome = server.answer(patience);
        server.end(patience);
        requireNoFailures(server, outcome);
        System.out.println("soak: server " + outcome);
        System.out.println("soak: " + started + " clients, " + killed + " killed, " + ended + " ended by themselves, "
                + stopped + " stops");
        if (killed == 0 || stopped == 0 || ended == 0) {
            throw new AssertionError("too short for every kind of event");
        }
        System.out.println("soak: passed");
    }

    private static long secondsUntil(long deadline) {
        return (deadline - System.nanoTime()) / 1_000_000_000L;
    }

    // ---- turmoil

    private void turmoil(Jvm server, Jvm stays, int seconds) throws IOException, InterruptedException {
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        command(stays, seconds * 1000);
        long nextEvent = 0;
        while (System.nanoTime() - end < 0) {
            while (victims.size() < clients) {
                victims.add(victim());
            }
            long now = System.nanoTime();
            if (now - nextEvent >= 0) {
                event(server, stays);
                nextEvent = now + (100 + random.nextInt(700)) * 1_000_000L;
            }
            continueStopped(now);
            collectEnded();
            pause(TICK_MILLIS);
        }
        continueStopped(Long.MAX_VALUE);
        for (Jvm victim : victims) {
            finish(victim);
        }
        victims.clear();
        requireNoFailures(stays, stays.answer(patience));
        finish(victim()); // one that was not disturbed
    }

    private Jvm victim() throws IOException {
        started++;
        Jvm victim = startClient("client" + started);
        command(victim, 500 + random.nextInt(8_000));
        return victim;
    }

    private void command(Jvm client, int millis) {
        client.tell("run " + millis + " " + random.nextLong());
    }

    private void event(Jvm server, Jvm stays) throws IOException, InterruptedException {
        Jvm victim = victims.poll();
        victims.add(victim); // each in its turn
        int kind = random.nextInt(8);
        if (kind < 3) {
            victims.remove(victim);
            stops.removeIf(stop -> stop.jvm == victim);
            victim.requireSound();
            victim.kill();
            all.remove(victim);
            killed++;
            return;
        }
        Jvm jvm = kind == 3 ? server : kind == 4 ? stays : victim;
        if (!jvm.isStopped()) {
            jvm.stop();
            stops.add(new Stop(jvm, System.nanoTime() + random.nextLong(LONGEST_STOP_NANOS)));
            stopped++;
        }
    }

    private void continueStopped(long now) throws IOException, InterruptedException {
        for (Stop stop : List.copyOf(stops)) {
            if (now == Long.MAX_VALUE || now - stop.untilNanos >= 0) {
                stop.jvm.goOn();
                stops.remove(stop);
            }
        }
    }

    /** Clients that have done what they were told end by themselves. */
    private void collectEnded() throws IOException, InterruptedException {
        for (Jvm victim : List.copyOf(victims)) {
            if (victim.hasAnswered(2) && !victim.isStopped()) {
                finish(victim);
                victims.remove(victim);
            }
        }
    }

    private void finish(Jvm victim) throws IOException, InterruptedException {
        victim.answer(patience); // ready
        requireNoFailures(victim, victim.answer(patience));
        victim.end(patience);
        all.remove(victim);
        ended++;
    }

    private static void requireNoFailures(Jvm jvm, String outcome) throws IOException {
        if (!outcome.endsWith(" failures=0")) {
            throw new AssertionError(jvm.name() + ": " + outcome + "." + jvm.log());
        }
    }

    // ---- quiet

    private List<Use> look(List<Jvm> observed) throws IOException, InterruptedException {
        List<Use> uses = new ArrayList<>();
        for (Jvm jvm : observed) {
            uses.add(Use.of(jvm, List.of(directory, temporary), patience));
        }
        return uses;
    }

    /** Waits until all is quiet; what is used then. */
    private List<Use> settle(List<Jvm> observed) throws IOException, InterruptedException {
        List<Use> least = look(observed);
        for (int second = 0, calm = 0; calm < SETTLED_AFTER_SECONDS; second++, calm++) {
            if (second == SETTLE_SECONDS) {
                throw new AssertionError("not quiet " + SETTLE_SECONDS + " s after the last client");
            }
            pause(LOOK_MILLIS);
            List<Use> now = look(observed);
            if (!growth(observed, now, least).isEmpty()) {
                least = now;
                calm = 0;
            }
        }
        return least;
    }

    /** Waits until all is as flat as it was. */
    private List<Use> settle(List<Jvm> observed, List<Use> first) throws IOException, InterruptedException {
        for (int second = 0;; second++) {
            pause(LOOK_MILLIS);
            List<Use> now = look(observed);
            List<String> growth = growth(observed, first, now);
            if (growth.isEmpty()) {
                return now;
            }
            if (second == SETTLE_SECONDS) {
                throw new AssertionError("not flat " + SETTLE_SECONDS + " s after the last client: " + growth);
            }
        }
    }

    private static List<String> growth(List<Jvm> observed, List<Use> before, List<Use> now) {
        List<String> growth = new ArrayList<>();
        for (int i = 0; i < before.size(); i++) {
            String name = observed.get(i).name();
            now.get(i).growthSince(before.get(i)).forEach(what -> growth.add(name + ": " + what));
        }
        return growth;
    }

    /** The pace of events and of looks: what other processes do is waited for by their answers, or looked at again. */
    private static void pause(long millis) throws InterruptedException {
        Thread.sleep(millis);
    }

    private static void report(String when, List<Use> uses) {
        System.out.println("soak: " + when + ": server " + uses.get(0) + ", client " + uses.get(1));
    }
}
