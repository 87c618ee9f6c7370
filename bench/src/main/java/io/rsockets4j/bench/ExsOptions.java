/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.bench;

import io.rsockets4j.bench.net.Api;
import io.rsockets4j.bench.work.Exs;
import io.rsockets4j.bench.work.Job;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Option;

/** The options that say which streams of extended sockets to measure. */
final class ExsOptions {
    private static final int RECEIVES = 32;
    private static final int SIZE = 64 << 10;

    @Option(names = "--sends", split = ",", paramLabel = "N",
            description = "Pending sends of exs. Default: half of the receives.")
    private List<Integer> sends = new ArrayList<>();

    @Option(names = "--receives", split = ",", paramLabel = "N",
            description = "Pending receives of exs. Default: 32.")
    private List<Integer> receives = new ArrayList<>();

    @Option(names = "--offsets", split = ",", paramLabel = "N",
            description = {"Bytes by which the buffers of exs, on both sides, miss a page's begin. Default: 0.",
                "Without --sends, --receives, --offsets and --sizes, some of all."})
    private List<Integer> offsets = new ArrayList<>();

    /**
     * Lists the streams to measure.
     *
     * @param sizes the lengths of messages that were named, none if none were
     * @param quick whether to do less
     * @param warmUp for how long to warm up each time
     * @param measured for how long to measure each time
     * @return the jobs
     */
    List<Job> jobs(List<Integer> sizes, boolean quick, Duration warmUp, Duration measured) {
        boolean isUsual = sends.isEmpty() && receives.isEmpty() && offsets.isEmpty() && sizes.isEmpty();
        Set<Job> jobs = new LinkedHashSet<>();
        for (Cell cell : isUsual ? usual(quick) : asked(sizes)) {
            Exs exs = new Exs(cell.sends(), cell.receives(), cell.offset());
            jobs.add(new Job(exs, Api.SELECTOR, cell.size(), warmUp, measured));
        }
        return List.copyOf(jobs);
    }

    private List<Cell> asked(List<Integer> sizes) {
        List<Cell> cells = new ArrayList<>();
        for (int size : sizes.isEmpty() ? List.of(SIZE) : sizes) {
            for (int most : receives.isEmpty() ? List.of(RECEIVES) : receives) {
                for (int each : sends.isEmpty() ? List.of(half(most)) : sends) {
                    (offsets.isEmpty() ? List.of(0) : offsets).forEach(by -> cells.add(new Cell(each, most, size, by)));
                }
            }
        }
        return cells;
    }

    /** More and more receives, and half as many sends; 32 receives; lengths; and buffers that are off by one. */
    private static List<Cell> usual(boolean quick) {
        List<Cell> cells = new ArrayList<>();
        (quick ? List.of(4, RECEIVES) : List.of(2, 4, 8, 16, RECEIVES, 64))
                .forEach(most -> cells.add(new Cell(half(most), most, SIZE, 0)));
        (quick ? List.of(1) : List.of(1, 4, RECEIVES)).forEach(each -> cells.add(new Cell(each, RECEIVES, SIZE, 0)));
        (quick ? List.of(1 << 20) : List.of(1 << 10, 1 << 20, 4 << 20))
                .forEach(size -> cells.add(new Cell(half(RECEIVES), RECEIVES, size, 0)));
        if (!quick) {
            cells.add(new Cell(half(RECEIVES), RECEIVES, SIZE, 1));
        }
        return cells;
    }

    private static int half(int of) {
        return Math.max(1, of / 2);
    }

    /** A combination of what can be chosen. */
    private record Cell(int sends, int receives, int size, int offset) {}
}
