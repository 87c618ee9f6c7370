/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.work;

import io.rsockets4j.bench.net.Api;
import io.rsockets4j.bench.net.Server;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A stream of extended sockets: so many sends pending at one end, and so many receives at the other. */
public final class Exs extends Work {
    /** What all of these streams are called together; the name of one goes on with its numbers. */
    public static final String FAMILY = "exs";
    /** Bytes in a second. */
    public static final String BYTES = "bytes";
    /** Processor time of the sending process for a mebibyte. */
    public static final String SENDER = "sender's cpu";
    /** The same of the receiving one. */
    public static final String RECEIVER = "receiver's cpu";
    /** How much of the stream went straight into the receiver's buffers. */
    public static final String DIRECT = "direct";
    /** What both sides sent through the network for a mebibyte, where that is known. */
    public static final String MESSAGES = "messages";

    /** Both sides' memory begins where an adapter likes it best, and this many bytes behind that. */
    static final int MOST_OFFSET = 4095;
    private static final int MOST_PENDING = 1024;
    private static final String SEPARATOR = ":";
    private static final double MEBIBYTE = 1 << 20;
    private static final long VERIFIED_BYTES = 4 << 20;

    private final int sends;
    private final int receives;
    private final int offset;

    /**
     * Makes one.
     *
     * @param sends how many sends are pending at most
     * @param receives how many receives are pending, each of the message's length
     * @param offset by how many bytes each buffer, of either side, misses a page's begin
     * @throws IllegalArgumentException if a number is out of range
     */
    public Exs(int sends, int receives, int offset) {
        super(FAMILY + SEPARATOR + sends + SEPARATOR + receives + SEPARATOR + offset,
                "exs, " + sends + " sends, " + receives + " receives" + (offset == 0 ? "" : ", offset " + offset),
                "Extended sockets, one stream: so many sends and so many receives of the message's length are pending"
                        + " at all times, in one RegisteredMemory at each side. First 4 MiB of random contents, whose"
                        + " CRC32C must be the same at both ends; then runs of growing length to warm up; then the"
                        + " measured run, which ends when the receiver has answered. Processor time is of the whole"
                        + " process, during that run. Over TCP both JVMs have the agent, which is told to use TCP.",
                List.of(1 << 10, 64 << 10, 1 << 20, 4 << 20),
                List.of(
                        Figure.headline(BYTES, Unit.BYTES_PER_SECOND),
                        Figure.headline(SENDER, Unit.PER_MEBIBYTE),
                        Figure.headline(RECEIVER, Unit.PER_MEBIBYTE),
                        Figure.detail(DIRECT, Unit.PERCENT),
                        Figure.detail(MESSAGES, Unit.COUNT)),
                Trait.NEEDS_THE_JAR);
        this.sends = within("sends", sends, 1, MOST_PENDING);
        this.receives = within("receives", receives, 1, MOST_PENDING);
        this.offset = within("offsets", offset, 0, MOST_OFFSET);
    }

    private static int within(String what, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    "--" + what + " must be within " + least + " and " + most + ", is " + value);
        }
        return value;
    }

    /** {@return the work of a name such as exs:16:32:0; empty if this is the name of something else} */
    public static Optional<Exs> of(String name) {
        String[] parts = name.split(SEPARATOR);
        return parts.length == 4 && parts[0].equals(FAMILY)
                ? Optional.of(new Exs(
                        Integer.parseInt(parts[1]), Integer.parseInt(parts[2]), Integer.parseInt(parts[3])))
                : Optional.empty();
    }

    /** {@return how many sends are pending at most} */
    public int sends() {
        return sends;
    }

    /** {@return how many receives are pending} */
    public int receives() {
        return receives;
    }

    /** {@return by how many bytes each buffer misses a page's begin} */
    public int offset() {
        return offset;
    }

    /** An event queue polls as a selector does, with one thread on each side. */
    @Override
    public boolean suits(Api api) {
        return api == Api.SELECTOR;
    }

    /** Both ends must be extended sockets. */
    @Override
    public boolean suits(PathSetup route) {
        return route != PathSetup.FALLBACK;
    }

    @Override
    public Server serve(Job job) throws IOException {
        return ExsServer.start(receives, job.sizeBytes(), offset);
    }

    @Override
    public Map<String, Double> drive(Stage stage) throws Exception {
        Job job = stage.job();
        try (ExsClient client = ExsClient.connect(sends, job.sizeBytes(), offset, stage.port())) {
            client.verify(Math.max(1, VERIFIED_BYTES / job.sizeBytes()));
            double messagesPerNs = Streaming.warmUp(client::send, job);
            long messages = Math.max(1, (long) (messagesPerNs * job.measured().toNanos()));
            ExsCounts sender = ExsCounts.now();
            ExsCounts receiver = client.receiver();
            double seconds = client.send(messages) / 1e9;
            sender = ExsCounts.now().since(sender);
            receiver = client.receiver().since(receiver);
            return values((double) messages * job.sizeBytes(), seconds, sender, receiver);
        }
    }

    /** The figures of a run that has moved so many bytes, from what each side has used meanwhile. */
    static Map<String, Double> values(double bytes, double seconds, ExsCounts sender, ExsCounts receiver) {
        double mebibytes = bytes / MEBIBYTE;
        return Map.of(
                BYTES, bytes / seconds,
                SENDER, sender.cpuNs() / mebibytes,
                RECEIVER, receiver.cpuNs() / mebibytes,
                DIRECT, 100 * receiver.direct() / bytes,
                MESSAGES, (sender.messages() + receiver.messages()) / mebibytes);
    }
}
