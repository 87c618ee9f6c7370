/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.work;

import io.rsockets4j.bench.net.Api;
import io.rsockets4j.bench.net.Server;
import io.rsockets4j.bench.net.ServerSession;
import io.rsockets4j.bench.net.Serving;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Something that programs do with sockets, and its figures. Keeps nothing of a run; works of one name are equal. */
public abstract class Work {
    private final String name;
    private final String title;
    private final String method;
    private final List<Integer> sizes;
    private final List<Figure> metrics;
    private final Set<Trait> traits;

    /** What sets a work apart. */
    public enum Trait {
        /** It runs only where it is asked for by name. */
        ASKED_FOR,
        /** It is too long to be repeated for each API in a quick run. */
        LONG,
        /** What the JVMs did earlier would show in the figures: they do nothing else. */
        FRESH_JVMS,
        /** Programs that start and end play the client's part, instead of {@link #drive}. */
        BY_PROGRAMS,
        /** It calls classes of the agent's jar: where a route has no agent, both JVMs have one that uses TCP. */
        NEEDS_THE_JAR
    }

    /**
     * By what the rate of a work is set: the best that TCP reached earlier in the same run, through the same API.
     *
     * @param work the work that yielded it
     * @param metric the name of the figure
     * @param share how much of it to take
     */
    public record Pace(Work work, String metric, double share) {}

    /**
     * Describes a work.
     *
     * @param name its name on the command line and in files
     * @param title a few words for readers
     * @param method how it is done and timed, a sentence or two for the report
     * @param sizes the lengths of messages worth measuring, in bytes, ascending
     * @param metrics what {@link #drive} yields
     * @param traits what sets it apart
     */
    protected Work(
            String name, String title, String method, List<Integer> sizes, List<Figure> metrics, Trait... traits) {
        this.name = name;
        this.title = title;
        this.method = method;
        this.sizes = sizes;
        this.metrics = metrics;
        this.traits = Set.of(traits);
    }

    /** {@return its name on the command line and in files} */
    public final String name() {
        return name;
    }

    /** {@return a few words for readers} */
    public final String title() {
        return title;
    }

    /** {@return how it is done and timed} */
    public final String method() {
        return method;
    }

    /** {@return the lengths of messages worth measuring, in bytes, ascending} */
    public final List<Integer> sizes() {
        return sizes;
    }

    /** {@return those of a quick run} */
    public List<Integer> quickSizes() {
        return sizes;
    }

    /** {@return what {@link #drive} yields} */
    public final List<Figure> metrics() {
        return metrics;
    }

    /** {@return whether something sets the work apart} */
    public final boolean is(Trait trait) {
        return traits.contains(trait);
    }

    /** {@return whether the work makes sense with an API} */
    public boolean suits(Api api) {
        return api != Api.VIRTUAL;
    }

    /** {@return whether the work makes sense on a route} */
    public boolean suits(PathSetup route) {
        return true;
    }

    /** {@return by what the rate of the work is set; empty if by nothing, or by itself} */
    public Optional<Pace> pace() {
        return Optional.empty();
    }

    /** {@return more arguments for its JVMs, which do nothing else then} */
    public List<String> jvmArguments() {
        return List.of();
    }

    /** {@return the number of listening ports in the server's JVM} */
    public int servers() {
        return 1;
    }

    /** {@return how a blocking server spreads connections over threads} */
    public Serving serving() {
        return Serving.CONCURRENTLY;
    }

    /**
     * Starts one of the servers, on threads of its own.
     *
     * @param job what is to be done with this work
     * @return listening
     * @throws IOException if it cannot listen
     */
    public Server serve(Job job) throws IOException {
        return job.api().serve(() -> session(job), serving());
    }

    /** {@return what serves one connection: it echoes, unless the work wants otherwise} */
    public ServerSession session(Job job) {
        return new EchoSession(job);
    }

    /**
     * Plays the client's part. Returns the value of each metric.
     *
     * @param stage the job and its servers
     * @throws Exception if a connection fails or bytes are not what they should be
     */
    public abstract Map<String, Double> drive(Stage stage) throws Exception;

    /** Does tasks at the same time, each in a thread of its own, and waits for all, or for one that fails. */
    static <T> List<T> atOnce(List<Callable<T>> tasks) throws InterruptedException, ExecutionException {
        List<FutureTask<T>> started = tasks.stream().map(FutureTask::new).toList();
        started.forEach(task -> new Thread(task, "client").start());
        List<T> results = new ArrayList<>();
        for (FutureTask<T> task : started) {
            results.add(task.get());
        }
        return results;
    }

    @Override
    public final boolean equals(Object other) {
        return other instanceof Work work && work.name.equals(name);
    }

    @Override
    public final int hashCode() {
        return name.hashCode();
    }

    @Override
    public final String toString() {
        return name;
    }
}
