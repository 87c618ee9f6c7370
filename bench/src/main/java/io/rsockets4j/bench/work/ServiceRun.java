/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench.work;

import io.rsockets4j.bench.net.AsyncCaller;
import io.rsockets4j.bench.net.Caller;
import io.rsockets4j.bench.net.ClientConnector;
import io.rsockets4j.bench.net.ClientLink;
import io.rsockets4j.bench.net.SelectorCallers;
import io.rsockets4j.bench.net.VirtualThreadStarter;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;

/** One run of a {@link Service}'s client, over all of its connections. */
final class ServiceRun {
    private final Stage stage;
    private final int connections;
    private final List<ServiceClient> clients = new ArrayList<>();
    private final List<Closeable> opened = new ArrayList<>();

    ServiceRun(Stage stage, int connections) {
        this.stage = stage;
        this.connections = connections;
    }

    /** Runs the course. */
    Map<String, Double> values() throws IOException, InterruptedException, ExecutionException {
        try {
            Course course = begin();
            double startCpu = Footprint.cpuSeconds(stage.serverPid());
            Course.sleepUntil(course.steadyNs());
            double steadyCpu = Footprint.cpuSeconds(stage.serverPid());
            awaitEnd();
            long endNs = Math.max(System.nanoTime(), course.endNs());
            double endCpu = Footprint.cpuSeconds(stage.serverPid());
            Histogram first = EchoClient.latencies();
            Histogram steady = EchoClient.latencies();
            Histogram late = EchoClient.latencies();
            clients.forEach(client -> client.addTo(first, steady, late));
            Map<String, Double> values = new HashMap<>();
            put(values, Service.FIRST, first, course.steadyNs() - course.startNs(), steadyCpu - startCpu);
            put(values, "", steady, endNs - course.steadyNs(), endCpu - steadyCpu);
            if (!course.isClosed()) {
                values.put(Service.LATE, (double) late.getValueAtPercentile(50));
                values.remove(Service.FIRST + Service.RATE); // what was offered, no figure
            }
            return values;
        } finally {
            for (Closeable each : opened) {
                each.close();
            }
        }
    }

    /** Connects first, so that the course begins with all connections, and then starts who drives them. */
    private Course begin() throws IOException {
        for (int i = 0; i < connections; i++) {
            clients.add(new ServiceClient(stage.api(), i, connections));
        }
        return switch (stage.api()) {
            case NIO, SOCKET -> beginThreads(ServiceRun::start);
            case VIRTUAL -> beginThreads(VirtualThreadStarter::start);
            case ASYNC -> {
                List<Caller> callers = new ArrayList<>();
                for (ServiceClient client : clients) {
                    callers.add(open(AsyncCaller.connect(stage.port(), client)));
                }
                yield beginCalls(callers);
            }
            case SELECTOR -> {
                SelectorCallers selector = new SelectorCallers();
                List<Caller> callers = new ArrayList<>();
                for (ServiceClient client : clients) {
                    callers.add(open(selector.connect(stage.port(), client)));
                }
                opened.add(selector);
                Course course = beginCalls(callers);
                selector.start();
                yield course;
            }
        };
    }

    private Course beginThreads(Consumer<Runnable> threads) throws IOException {
        List<ClientLink> links = new ArrayList<>();
        try (ClientConnector connector = stage.api().connector()) {
            for (int i = 0; i < connections; i++) {
                links.add(open(connector.connect(stage.port())));
            }
        }
        Course course = agree();
        for (int i = 0; i < connections; i++) {
            ServiceClient client = clients.get(i);
            ClientLink link = links.get(i);
            threads.accept(() -> client.run(link));
        }
        return course;
    }

    private Course beginCalls(List<Caller> callers) {
        Course course = agree();
        start(() -> release(course, callers));
        return course;
    }

    private Course agree() {
        Course course = Course.of(stage.job(), stage.ratePerSecond());
        clients.forEach(client -> client.begin(course));
        return course;
    }

    /** Tells each connection when a request is due; in the closed loop the first alone, the others follow from it. */
    private void release(Course course, List<Caller> callers) {
        long number = 0;
        for (long due = course.startNs(); !course.isOver(due); due = course.dueNs(number)) {
            Course.sleepUntil(due);
            int index = (int) (number++ % connections);
            clients.get(index).release(callers.get(index));
            if (course.isClosed() && number == connections) {
                return;
            }
        }
    }

    /** Waits until all connections have done their part, or one has failed. */
    private void awaitEnd() throws InterruptedException, ExecutionException {
        CompletableFuture<Void> failure = new CompletableFuture<>();
        clients.forEach(client -> client.end().whenComplete((none, thrown) -> {
            if (thrown != null) {
                failure.completeExceptionally(thrown);
            }
        }));
        CompletableFuture<Void> all = CompletableFuture.allOf(
                clients.stream().map(ServiceClient::end).toArray(CompletableFuture[]::new));
        CompletableFuture.anyOf(all, failure).get();
    }

    private <C extends Closeable> C open(C connection) {
        opened.add(connection);
        return connection;
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "client");
        thread.setDaemon(true);
        thread.start();
    }

    private static void put(
            Map<String, Double> values, String prefix, Histogram latencies, long lengthNs, double cpuSeconds) {
        EchoClient.figures(latencies).forEach((name, value) -> values.put(prefix + name, value));
        long count = latencies.getTotalCount();
        values.put(prefix + Service.RATE, count / (lengthNs / 1e9));
        values.put(prefix + Service.CPU, cpuSeconds * 1e9 / Math.max(1, count));
    }
}
