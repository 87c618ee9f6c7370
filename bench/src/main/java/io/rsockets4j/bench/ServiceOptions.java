/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench;

import io.rsockets4j.bench.net.Api;
import io.rsockets4j.bench.work.Job;
import io.rsockets4j.bench.work.Loop;
import io.rsockets4j.bench.work.Service;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;

/** The options that say which services to measure. */
final class ServiceOptions {
    private static final int MOST_CONNECTIONS = 10_000;
    private static final List<Integer> CONNECTIONS = List.of(1, 4, 32, 200);
    private static final List<Integer> VIRTUAL_CONNECTIONS = List.of(4, 32, 1_000);
    private static final List<Api> APIS = List.of(Api.NIO, Api.SELECTOR, Api.ASYNC, Api.VIRTUAL);

    @Option(names = "--connections", split = ",", paramLabel = "N",
            description = "Connections of the service. Default: 1,4,32,200; virtual threads 4,32,1000.")
    private List<Integer> connections = new ArrayList<>();

    @Option(names = {"--loop", "--loops"}, split = ",", paramLabel = "LOOP", converter = LoopConverter.class,
            description = { "Loops of the service: closed, or such as open30, an open loop at 30%% of the best"
                    + " rate of TCP's closed loop, which is then measured too. Default: closed.",
                "Without --apis, --connections and --loop, some of all." })
    private List<Loop> loops = new ArrayList<>();

    /**
     * Lists the services to measure, each once and after the one that paces it.
     *
     * @param apis the APIs that were named, none if none were
     * @param quick whether to do less
     * @param firstSeconds the length of the first phase
     * @param measured the length of the steady phase
     * @return the jobs
     */
    List<Job> jobs(List<Api> apis, boolean quick, Duration firstSeconds, Duration measured) {
        Set<Job> jobs = new LinkedHashSet<>();
        for (Cell cell : apis.isEmpty() && connections.isEmpty() && loops.isEmpty() ? usual(quick) : asked(apis)) {
            Service service = new Service(cell.connections(), cell.loop());
            service.pace().ifPresent(pace -> jobs.add(
                    new Job(pace.work(), cell.api(), Service.REQUEST_BYTES, firstSeconds, measured)));
            jobs.add(new Job(service, cell.api(), Service.REQUEST_BYTES, firstSeconds, measured));
        }
        return List.copyOf(jobs);
    }

    private List<Cell> asked(List<Api> apis) {
        List<Cell> cells = new ArrayList<>();
        for (Api api : apis.isEmpty() ? APIS : apis) {
            List<Integer> usual = api == Api.VIRTUAL ? VIRTUAL_CONNECTIONS : CONNECTIONS;
            for (int each : connections.isEmpty() ? usual : connections) {
                if (each < 1 || each > MOST_CONNECTIONS) {
                    throw new IllegalArgumentException(
                            "--connections must be within 1 and " + MOST_CONNECTIONS + ", is " + each);
                }
                (loops.isEmpty() ? List.of(Loop.CLOSED) : loops).forEach(loop -> cells.add(new Cell(api, each, loop)));
            }
        }
        return cells;
    }

    /** What fits into the time that a run may take: half a minute if quick, else some seven minutes. */
    private static List<Cell> usual(boolean quick) {
        List<Cell> cells = new ArrayList<>();
        if (quick) {
            List.of(1, 4, 32).forEach(each -> cells.add(new Cell(Api.NIO, each, Loop.CLOSED)));
            cells.add(new Cell(Api.SELECTOR, 32, Loop.CLOSED));
            cells.add(new Cell(Api.NIO, 4, new Loop(30))); // what most services do, and the hardest for a young JVM
            return cells;
        }
        for (Api api : List.of(Api.NIO, Api.SELECTOR)) {
            CONNECTIONS.forEach(each -> cells.add(new Cell(api, each, Loop.CLOSED)));
        }
        List.of(4, 32).forEach(each -> cells.add(new Cell(Api.ASYNC, each, Loop.CLOSED)));
        VIRTUAL_CONNECTIONS.forEach(each -> cells.add(new Cell(Api.VIRTUAL, each, Loop.CLOSED)));
        List.of(10, 30, 60).forEach(percent -> cells.add(new Cell(Api.NIO, 4, new Loop(percent))));
        cells.add(new Cell(Api.SELECTOR, 32, new Loop(30)));
        return cells;
    }

    /** A combination of what can be chosen. */
    private record Cell(Api api, int connections, Loop loop) {}

    /** Reads a loop. */
    static final class LoopConverter implements ITypeConverter<Loop> {
        @Override
        public Loop convert(String value) {
            return OptionValue.read(value, Loop::parse);
        }
    }
}
