/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.ffm;

import static io.rsockets4j.core.verbs.ffm.NativeFunction.INT;
import static io.rsockets4j.core.verbs.ffm.NativeFunction.POINTER;

import java.lang.foreign.MemoryLayout;

/** The functions of libibverbs, but for those of {@link HotCalls}. */
final class Verbs {
    static final NativeFunction QUERY_DEVICE = function("ibv_query_device", INT, POINTER, POINTER);
    static final NativeFunction ALLOC_PD = function("ibv_alloc_pd", POINTER, POINTER);
    static final NativeFunction DEALLOC_PD = function("ibv_dealloc_pd", INT, POINTER);
    static final NativeFunction REG_MR = function("ibv_reg_mr", POINTER, POINTER, POINTER, POINTER, INT);
    static final NativeFunction DEREG_MR = function("ibv_dereg_mr", INT, POINTER);
    static final NativeFunction CREATE_COMP_CHANNEL = function("ibv_create_comp_channel", POINTER, POINTER);
    static final NativeFunction CREATE_CQ = function("ibv_create_cq", POINTER, POINTER, INT, POINTER, POINTER, INT);

    static final NativeFunction QUERY_QP = function("ibv_query_qp", INT, POINTER, POINTER, INT, POINTER);

    private Verbs() { }

    private static NativeFunction function(String name, MemoryLayout result, MemoryLayout... parameters) {
        return new NativeFunction(NativeLibraries.ibverbs(), name, result, parameters);
    }
}
