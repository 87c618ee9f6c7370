/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.agent.doctor;

import io.rsockets4j.core.verbs.VerbsUnavailableException;
import java.util.ArrayList;
import java.util.List;

/**
 * The libraries by which the RDMA verbs can be reached. One binding is enough.
 *
 * @param host its files
 * @param loader loads a binding by its name
 * @param rdmaWanted whether a lack of RDMA matters
 */
record VerbsCheck(Host host, Loader loader, boolean rdmaWanted) implements Check {
    private static final String RDMA_CORE = "rdma-core";
    private static final String DISNI = "libdisni";

    /** Loads a binding, or says why it cannot be. */
    @FunctionalInterface
    interface Loader {
        void load(String binding) throws VerbsUnavailableException;
    }

    @Override
    public List<Finding> run() {
        String rdmaCore = cause("ffm");
        String disni = cause("disni");
        boolean lacking = rdmaWanted && rdmaCore != null && disni != null;
        List<Finding> findings = new ArrayList<>();
        findings.add(finding(lacking, RDMA_CORE, rdmaCore,
                Distribution.of(host).verbs() + "  # and Java 22 or later"));
        findings.add(finding(lacking, DISNI, disni,
                "java -cp disni-2.1.jar:slf4j-api.jar -Djava.library.path=/usr/local/lib PROGRAM"));
        return findings;
    }

    private static Finding finding(boolean lacking, String subject, String cause, String mend) {
        return cause == null ? Finding.ok(subject, "can be used")
                : Finding.lack(lacking, subject, cause, "Path rdma needs one of " + RDMA_CORE + " and " + DISNI + ".",
                mend);
    }

    private String cause(String binding) {
        try {
            loader.load(binding);
            return null;
        } catch (VerbsUnavailableException e) {
            return e.getMessage();
        }
    }
}
