/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.rsockets4j.core.stat.SessionSnapshot;
import io.rsockets4j.core.stat.StatClient;
import io.rsockets4j.spi.suite.kit.EngineSettings;
import io.rsockets4j.spi.suite.kit.Machine;
import io.rsockets4j.spi.suite.kit.Payload;
import io.rsockets4j.spi.suite.kit.Sockets;
import io.rsockets4j.spi.suite.kit.Task;
import io.rsockets4j.spi.suite.kit.Wire;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Two hosts have two links. One after the other fails and comes back, now at this host, now at the other; all
 * connections go on by the link that is left. On the other host runs {@link FailoverPeer}. Scripts on both hosts cut
 * and mend links as files in the folder {@code suite.requests} say, which both see.
 */
@NeedsRdma
@EngineSettings("paths=rdma")
@Timeout(4000)
@EnabledIfSystemProperty(named = "suite.requests", matches = ".+", disabledReason = "nobody here cuts links")
class LinkFailoverTest extends SuiteCase {
    private static final OurSockets OURS = OurSockets.atBothEnds();
    private static final Path REQUESTS = Path.of(System.getProperty("suite.requests", ""));
    private static final int ROUNDS = Integer.getInteger("suite.rounds", 10);
    private static final String[] FAILURES = System.getProperty("suite.failures", "down").split(",");
    private static final int CONNECTIONS = Integer.getInteger("suite.connections", 20);
    /** How long a connection may stand still, and how long a script may take. */
    private static final int PATIENCE_SECONDS = Integer.getInteger("suite.patience.seconds", 120);
    /** After a link was mended: so long all go on; 0 to wait until {@code stat} has sessions on both. */
    private static final int SETTLE_SECONDS = Integer.getInteger("suite.settle.seconds", 0);
    private static final Set<String> STANDING = Set.of(SessionSnapshot.UP, SessionSnapshot.STANDBY);
    private static final Set<String> DEVICES = Set.of("rxe0", "rxe1");
    private static final long BUFFERED = 1 << 20; // more than the rings of both ends hold
    private static final long SAMPLE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final List<FailoverProgress> progresses = new ArrayList<>();
    private final List<Task<?>> tasks = new ArrayList<>();
    private final AtomicBoolean enough = new AtomicBoolean();
    private int requests;

    @Override
    public Sockets sockets() {
        return OURS;
    }

    @Test
    void shouldGoOnByTheOtherLink() throws Exception {
        for (int i = 0; i < CONNECTIONS; i++) {
            startRoundTrips(i);
        }
        startStream(CONNECTIONS);
        assertThat(OURS.count("rdma")).isEqualTo(CONNECTIONS + 1);
        goOn("at the beginning");
        progresses.forEach(FailoverProgress::forgetPauses);
        goOn("a little later");
        System.out.printf("figure: without a failure the longest pause is %.2f s%n", longestPause());
        settle("at the beginning");

        double[] pauses = new double[ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
            pauses[i] = round(i + 1, FAILURES[i % FAILURES.length]);
        }
        enough.set(true);
        for (Task<?> task : tasks) {
            task.join();
        }
        Arrays.sort(pauses);
        System.out.printf("figure: %d failures of links (%s), longest pause of a connection: p50 %.2f s, max %.2f s%n",
                ROUNDS, String.join(",", FAILURES), pauses[(ROUNDS - 1) / 2], pauses[ROUNDS - 1]);
    }

    /** Cuts a link and mends it; each link by turns, and each link at each host by turns. */
    private double round(int number, String failure) throws Exception {
        int link = (number + 1) % 2;
        int host = number / 2 % 2 + 1;
        String round = "round " + number + ", " + failure + " of link " + link + " at host " + host;
        Set<String> before = devices();
        progresses.forEach(FailoverProgress::forgetPauses);
        ask(host + " cut_" + failure + " " + link, round);
        goOn(round);
        double pause = longestPause();
        Set<String> after = devices();
        progresses.forEach(FailoverProgress::forgetPauses);
        ask(host + " mend_" + failure + " " + link, round);
        goOn(round + ", mended");
        settle(round);
        System.out.printf("%s: a pause of %.2f s, and of %.2f s when it came back; devices %s, then %s, then %s%n",
                round, pause, longestPause(), before, after, devices());
        return pause;
    }

    /** Waits until the scripts have done what a request says. */
    private void ask(String request, String round) throws Exception {
        String name = "event.failure." + ++requests;
        Path done = REQUESTS.resolve(name + ".done");
        Path draft = Files.writeString(REQUESTS.resolve("request"), request + "\n");
        Files.move(draft, REQUESTS.resolve(name), StandardCopyOption.ATOMIC_MOVE);
        await(() -> round + ": for \"" + request + "\" to be done", () -> Files.exists(done));
        assertThat(Files.readString(done)).as("%s: what \"%s\" said", round, request).isEmpty();
    }

    /** Waits until all have gone on, however much is buffered. */
    private void goOn(String when) throws Exception {
        progresses.forEach(FailoverProgress::mark);
        await(() -> when + ": for progress, devices " + devicesOrError() + ", of " + progresses.stream()
                .filter(progress -> !progress.wentOn()).map(Object::toString).collect(Collectors.joining("; ")),
                () -> progresses.stream().allMatch(FailoverProgress::wentOn));
    }

    /** Waits until both links are there. */
    private void settle(String when) throws Exception {
        long start = System.nanoTime();
        if (SETTLE_SECONDS == 0) {
            await(() -> when + ": for sessions on both links, there are " + devicesOrError(),
                    () -> devices().containsAll(DEVICES));
        }
        do {
            goOn(when + ", settling");
        } while (System.nanoTime() - start < TimeUnit.SECONDS.toNanos(SETTLE_SECONDS));
    }

    /** What a message says. */
    private interface Message {
        String get();
    }

    private void await(Message what, Callable<Boolean> condition) throws Exception {
        long start = System.nanoTime();
        while (!condition.call()) {
            for (Task<?> task : tasks) {
                if (!task.isRunning()) {
                    Throwable failure = failure(task);
                    throw new AssertionError("a connection ended by " + failure + " while this waited, " + what.get(),
                            failure);
                }
            }
            if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS)) {
                throw new AssertionError("waited " + PATIENCE_SECONDS + " s in vain, " + what.get());
            }
            LockSupport.parkNanos(SAMPLE_NANOS);
        }
    }

    private static Throwable failure(Task<?> task) {
        try {
            return new AssertionError("it returned " + task.join());
        } catch (Exception | AssertionError e) {
            return e;
        }
    }

    /** The devices of this process' links that carry connections or wait, as {@code stat --links} has them. */
    private static Set<String> devices() throws IOException {
        Set<String> devices = new TreeSet<>();
        StatClient.processes(System.getProperty("rsockets4j.shm.dir"), System.out::println)
                .forEach(process -> process.sessions().stream()
                        .filter(session -> STANDING.contains(session.state()))
                        .forEach(session -> devices.add(session.device())));
        return devices;
    }

    private static Object devicesOrError() {
        try {
            return devices();
        } catch (IOException e) {
            return e;
        }
    }

    private double longestPause() {
        return progresses.stream().mapToLong(FailoverProgress::pauseNanos).max().orElseThrow() / 1e9;
    }

    private SocketChannel connect(int number, int kind) throws IOException {
        SocketChannel channel = open();
        channel.connect(new InetSocketAddress(Machine.peerAddress(), FailoverPeer.PORT));
        Wire.writeFully(channel, ByteBuffer.allocate(FailoverPeer.HEADER).putInt(number).putInt(kind).flip());
        return channel;
    }

    private FailoverProgress progress(String name, long enoughForIt) {
        FailoverProgress progress = new FailoverProgress(name, enoughForIt);
        progresses.add(progress);
        return progress;
    }

    private void startRoundTrips(int number) throws IOException {
        SocketChannel channel = connect(number, FailoverPeer.ROUND_TRIPS);
        FailoverProgress progress = progress("connection " + number, 2); // the first may have been under way
        tasks.add(start("round-trips-" + number, () -> exchange(channel, number, progress)));
    }

    private Void exchange(SocketChannel channel, int number, FailoverProgress progress) throws IOException {
        Payload questions = FailoverPeer.requests(number);
        Payload answers = FailoverPeer.answers(number);
        SplittableRandom random = new SplittableRandom(number);
        ByteBuffer buffer = ByteBuffer.allocateDirect(FailoverPeer.HEADER + FailoverPeer.LARGEST);
        long sent = 0;
        long received = 0;
        while (!enough.get()) {
            int question = size(random);
            int answer = size(random);
            buffer.clear().limit(FailoverPeer.HEADER + question).putInt(question).putInt(answer);
            questions.fill(buffer, sent);
            Wire.writeFully(channel, buffer.flip());
            sent += question;
            while (answer > 0) {
                int count = channel.read(buffer.clear().limit(answer));
                assertThat(count).as("a read at byte %d", received).isPositive();
                answers.check(buffer.flip(), received);
                received += count;
                answer -= count;
            }
            progress.step(1);
        }
        Wire.writeFully(channel, ByteBuffer.allocate(FailoverPeer.HEADER));
        assertTotals(Wire.readFully(channel, ByteBuffer.allocate(FailoverPeer.TOTALS)).flip(), sent, received);
        assertThat(channel.read(ByteBuffer.allocate(1))).as("after the end").isNegative();
        return null;
    }

    /** As many of each order of magnitude. */
    private static int size(SplittableRandom random) {
        return (int) Math.pow(FailoverPeer.LARGEST, random.nextDouble());
    }

    private static void assertTotals(ByteBuffer totals, long sent, long received) {
        assertThat(totals.getLong()).as("bytes that the server got").isEqualTo(sent);
        assertThat(totals.getLong()).as("bytes that the server sent").isEqualTo(received);
    }

    private void startStream(int number) throws IOException {
        SocketChannel channel = connect(number, FailoverPeer.STREAM);
        FailoverProgress out = progress("the stream to the server", BUFFERED);
        FailoverProgress in = progress("the stream from the server", BUFFERED);
        Task<Long> sender = start("stream-out", () -> send(channel, number, out));
        tasks.add(sender);
        tasks.add(start("stream-in", () -> receive(channel, number, in, sender)));
    }

    private long send(SocketChannel channel, int number, FailoverProgress progress) throws IOException {
        Payload payload = FailoverPeer.requests(number);
        ByteBuffer buffer = ByteBuffer.allocateDirect(FailoverPeer.CHUNK);
        long sent = 0;
        while (!enough.get()) {
            payload.fill(buffer.clear(), sent);
            Wire.writeFully(channel, buffer.flip());
            sent += FailoverPeer.CHUNK;
            progress.step(FailoverPeer.CHUNK);
            LockSupport.parkNanos(FailoverPeer.PACE_NANOS);
        }
        channel.shutdownOutput();
        return sent;
    }

    /** What comes last is not of the stream: the totals. */
    private Void receive(SocketChannel channel, int number, FailoverProgress progress, Task<Long> sender)
            throws Exception {
        Payload payload = FailoverPeer.answers(number);
        ByteBuffer buffer = ByteBuffer.allocateDirect(FailoverPeer.CHUNK);
        long received = 0;
        for (int count = channel.read(buffer); count >= 0; count = channel.read(buffer)) {
            progress.step(count);
            buffer.flip();
            int end = buffer.limit();
            int known = Math.max(0, end - FailoverPeer.TOTALS);
            payload.check(buffer.limit(known), received);
            received += known;
            buffer.limit(end).compact();
        }
        assertThat(enough).as("whether the stream had to end").isTrue();
        assertTotals(buffer.flip(), sender.join(), received);
        return null;
    }
}
