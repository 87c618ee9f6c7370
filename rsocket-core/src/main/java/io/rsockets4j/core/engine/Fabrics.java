/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.engine;

import io.rsockets4j.core.fabric.Fabric;
import io.rsockets4j.core.fabric.SpinPolicy;
import io.rsockets4j.core.log.Log;
import io.rsockets4j.core.rdma.RdmaBesideTcp;
import io.rsockets4j.core.rdma.RdmaFabric;
import io.rsockets4j.core.reason.PathException;
import io.rsockets4j.core.reason.Reason;
import io.rsockets4j.core.settings.Settings;
import io.rsockets4j.core.shm.ShmFabric;
import io.rsockets4j.core.stat.SessionSnapshot;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The fabrics that could be opened in this process, by path, and why others could not. Immutable once opened. */
final class Fabrics {
    private static final Log LOG = EngineLog.LOG;

    private final Map<String, Fabric> byPath = new LinkedHashMap<>();
    private final Map<String, Reason> causes = new LinkedHashMap<>();

    Fabrics() { }

    /** A path that cannot be used here is left out, with the reason; TCP does not need us. */
    static Fabrics open(Settings settings, SpinPolicy spinPolicy) {
        Fabrics fabrics = new Fabrics();
        for (String path : settings.paths()) {
            if (!path.equals(Settings.TCP)) {
                fabrics.tryOpen(path, settings, spinPolicy);
            }
        }
        return fabrics;
    }

    private void tryOpen(String path, Settings settings, SpinPolicy spinPolicy) {
        try {
            add(path.equals(RdmaFabric.NAME) && settings.asksBeside()
                    ? RdmaBesideTcp.of(settings, spinPolicy.onAnyCore()) : openFabric(path, settings, spinPolicy));
        } catch (IOException e) {
            Reason reason = PathException.reasonOf(e);
            causes.put(path, reason == Reason.FAILED ? Reason.UNAVAILABLE : reason);
            LOG.log(System.Logger.Level.WARNING,
                    "rsockets4j: path " + path + " is not available: " + e.getMessage() + " (reason "
                            + causes.get(path) + ")");
        } catch (IllegalStateException e) { // the process ends: what it still connects to goes by TCP
            causes.put(path, Reason.UNAVAILABLE);
            LOG.log(System.Logger.Level.DEBUG, "rsockets4j: path " + path + " is not opened any more", e);
        }
    }

    /** Opens the fabric of one path. */
    static Fabric openFabric(String path, Settings settings, SpinPolicy spinPolicy) throws IOException {
        return switch (path) {
            case ShmFabric.NAME -> ShmFabric.open(settings, spinPolicy);
            case RdmaFabric.NAME -> RdmaFabric.open(settings, spinPolicy.onAnyCore());
            default -> throw new PathException(Reason.UNAVAILABLE, "nothing implements it");
        };
    }

    Fabrics add(Fabric fabric) {
        byPath.put(fabric.name(), fabric);
        return this;
    }

    /** The fabric of a path, or null. */
    Fabric get(String path) {
        return byPath.get(path);
    }

    /** Those of some paths that work in this process, TCP among them. */
    List<String> available(List<String> paths) {
        List<String> available = new ArrayList<>(paths.size());
        for (String path : paths) {
            if (path.equals(Settings.TCP) || byPath.containsKey(path)) {
                available.add(path);
            }
        }
        return available;
    }

    /** The sessions over RDMA; none where that is not open. */
    List<SessionSnapshot> rdmaSessions() {
        Fabric fabric = byPath.get(RdmaFabric.NAME);
        if (fabric instanceof RdmaBesideTcp beside) {
            fabric = beside.opened();
        }
        return fabric instanceof RdmaFabric rdma ? rdma.sessions() : List.of();
    }

    /** Why there is no fabric for a path. */
    Reason whyNot(String path) {
        return causes.getOrDefault(path, Reason.UNAVAILABLE);
    }

    /** All of them, best path first. */
    Collection<Fabric> all() {
        return Collections.unmodifiableCollection(byPath.values());
    }
}
