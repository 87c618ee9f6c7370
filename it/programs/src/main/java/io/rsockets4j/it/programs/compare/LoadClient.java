/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.it.programs.compare;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.rsockets4j.it.programs.EchoServer;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * The client process. It opens all clients of a program and says so. Then it makes a turn for each line that it reads,
 * for as many milliseconds as the line says, and answers with a line of figures.
 */
public final class LoadClient {
    /** What begins each line of standard output that is an answer; programs may print others. */
    static final String ANSWER = "load client: ";
    /** The first answer. */
    static final String READY = "ready";

    private LoadClient() { }

    /**
     * The figures of one turn.
     *
     * @param operations how many
     * @param nanos from the first one's begin to the last one's end
     * @param p50Nanos the median of the time of one
     * @param p99Nanos the 99th percentile of it
     */
    record Figures(long operations, long nanos, long p50Nanos, long p99Nanos) { }

    /**
     * Serves until standard input ends.
     *
     * @param args the program's name, the server's port, and how many clients there are
     */
    public static void main(String[] args) throws Exception {
        Program program = Program.named(args[0]);
        List<Client> clients = new ArrayList<>();
        for (int i = 0; i < Integer.parseInt(args[2]); i++) {
            clients.add(program.open(Integer.parseInt(args[1])));
        }
        ExecutorService threads =
                program.isVirtual() ? EchoServer.virtualThreads() : Executors.newFixedThreadPool(clients.size());
        System.out.println(ANSWER + READY);
        ObjectMapper json = new ObjectMapper();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            Figures figures = turn(clients, threads, TimeUnit.MILLISECONDS.toNanos(Long.parseLong(line)));
            System.out.println(ANSWER + json.writeValueAsString(figures));
        }
        System.exit(0); // clients may have threads of their own
    }

    private static Figures turn(List<Client> clients, ExecutorService threads, long lengthNanos) throws Exception {
        long start = System.nanoTime();
        List<Callable<Recorder>> loads = new ArrayList<>();
        for (Client client : clients) {
            loads.add(() -> {
                Recorder recorder = new Recorder(start + lengthNanos);
                client.load(recorder);
                return recorder;
            });
        }
        Histogram all = Recorder.newHistogram();
        for (Future<Recorder> load : threads.invokeAll(loads)) {
            all.add(load.get().nanos());
        }
        return new Figures(all.getTotalCount(), System.nanoTime() - start,
                all.getValueAtPercentile(50), all.getValueAtPercentile(99));
    }
}
