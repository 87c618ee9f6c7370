/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import io.rsockets4j.spi.suite.kit.Capability;
import io.rsockets4j.spi.suite.kit.OnSockets;
import io.rsockets4j.spi.suite.kit.Requires;
import io.rsockets4j.spi.suite.kit.SuiteExtension;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * All themes of the suite. A fabric extends it with one class that says which sockets to use, and so cannot leave a
 * theme out; {@link SuiteExtension} hands them to each theme.
 *
 * <p>The themes are nested, not parameterised: a virtual machine has the sockets of one fabric, so a parameter would
 * have one value. Nested, all cases of a fabric are in one virtual machine, one report and one list of what is skipped;
 * a class for each theme and fabric would part them.
 */
@ExtendWith(SuiteExtension.class)
abstract class SocketsSuite implements OnSockets {
    @Nested
    class DataTransfer extends DataTransferCases { }

    @Nested
    class Buffers extends BufferCases { }

    @Nested
    class Allocation extends AllocationCases { }

    @Nested
    class HalfClose extends HalfCloseCases { }

    @Nested
    class Reset extends ResetCases { }

    @Nested
    class Close extends CloseCases { }

    @Nested
    class Interrupt extends InterruptCases { }

    @Nested
    class ChannelStates extends ChannelStateCases { }

    @Nested
    class NonBlocking extends NonBlockingCases { }

    @Nested
    class SelectorKeys extends SelectorKeyCases { }

    @Nested
    class SelectorWaits extends SelectorWaitCases { }

    @Nested
    class SelectorReadiness extends SelectorReadinessCases { }

    @Nested
    class Addresses extends AddressCases { }

    @Nested
    class Options extends OptionCases { }

    @Nested
    class UrgentData extends UrgentDataCases { }

    @Nested
    class OptionTables extends OptionTableCases { }

    @Nested
    class StateTables extends StateTableCases { }

    @Nested
    class EndTables extends EndTableCases { }

    @Nested
    class Adaptors extends AdaptorCases { }

    @Nested
    class JavaNetSockets extends SocketCases { }

    @Nested
    class SocketInterrupts extends SocketInterruptCases { }

    @Nested
    class ManyConnections extends ManyConnectionsCases { }

    @Nested
    class Stress extends StressCases { }

    @Nested
    class Library extends LibraryCases { }

    @Nested
    class LibraryTables extends LibraryTableCases { }

    @Nested
    class VirtualThreads extends VirtualThreadCases { }

    @Nested
    @Requires(Capability.VIRTUAL_THREADS)
    class VirtualClose extends CloseCases {
        @Override
        boolean onVirtualThreads() {
            return true;
        }
    }

    @Nested
    @Requires(Capability.VIRTUAL_THREADS)
    class VirtualInterrupt extends InterruptCases {
        @Override
        boolean onVirtualThreads() {
            return true;
        }
    }

    @Nested
    @Requires(Capability.VIRTUAL_THREADS)
    class VirtualAdaptors extends AdaptorCases {
        @Override
        boolean onVirtualThreads() {
            return true;
        }
    }

    @Nested
    @Requires(Capability.VIRTUAL_THREADS)
    class VirtualSockets extends SocketCases {
        @Override
        boolean onVirtualThreads() {
            return true;
        }
    }

    @Nested
    class TwoProcesses extends TwoProcessesCases { }

    @Nested
    class Sleepers extends SleeperCases { }

    @Nested
    @Requires(Capability.VIRTUAL_THREADS)
    class VirtualSleepers extends SleeperCases {
        @Override
        boolean onVirtualThreads() {
            return true;
        }
    }

    @Nested
    class AsyncTransfers extends AsyncTransferCases { }

    @Nested
    class AsyncStates extends AsyncStateCases { }

    @Nested
    class AsyncAddresses extends AsyncAddressCases { }

    @Nested
    class AsyncGroups extends AsyncGroupCases { }

    @Nested
    class AsyncHandlers extends AsyncHandlerCases { }
}
