/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.spi.suite;

import io.rsockets4j.spi.suite.kit.Capability;
import io.rsockets4j.spi.suite.kit.OnSockets;
import io.rsockets4j.spi.suite.kit.Requires;
import io.rsockets4j.spi.suite.kit.Sockets;
import io.rsockets4j.spi.suite.kit.SuiteExtension;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * All themes of the suite. A fabric extends it with one class that says which sockets to use, and so cannot leave a
 * theme out.
 */
@ExtendWith(SuiteExtension.class)
abstract class SocketsSuite implements OnSockets {
    @Nested
    class DataTransfer extends DataTransferCases {
        @Override
        public Sockets sockets() {
            return SocketsSuite.this.sockets();
        }
    }

    @Nested
    class Buffers extends BufferCases {
        @Override
        public Sockets sockets() {
            return SocketsSuite.this.sockets();
        }
    }

    @Nested
    class Allocation extends AllocationCases {
        @Override
        public Sockets sockets() {
            return SocketsSuite.this.sockets();
        }
    }

    @Nested
    class HalfClose extends HalfCloseCases {
        @Override
        public Sockets sockets() {
            return SocketsSuite.this.sockets();
        }
    }

    @Nested
    class Reset extends ResetCases {
        @Override
        public Sockets sockets() {
            return SocketsSuite.this.sockets();
        }
    }

    @Nested
    class Close extends CloseCases {
        @Override
        public Sockets sockets() {
            return SocketsSuite.this.sockets();
        }
    }

    @Nested
    class Interrupt extends InterruptCases {
        @Override
        public Sockets sockets() {
            return SocketsSuite.this.sockets();
        }
    }

    @Nested
    class ChannelStates extends ChannelStateCases {
        @Override
        public Sockets sockets() {
            return SocketsSuite.this.sockets();
        }
    }

    @Nested
    class NonBlocking extends NonBlockingCases {
        @Override
        public Sockets sockets() {
            return SocketsSuite.this.sockets();
        }
    }

    @Nested
    class SelectorKeys extends SelectorKeyCases {
        @Override
        public Sockets sockets() {
            return SocketsSuite.this.sockets();
        }
    }

    @Nested
    class SelectorWaits extends SelectorWaitCases {
        @Override
        public Sockets sockets() {
            return SocketsSuite.this.sockets();
        }
    }

    @Nested
    class SelectorReadiness extends SelectorReadinessCases {
        @Override
        public Sockets sockets() {
            return SocketsSuite.this.sockets();
        }
    }

    @Nested
    class Addresses extends AddressCases {
        @Override
        public Sockets sockets() {
            return SocketsSuite.this.sockets();
        }
    }

    @Nested
    class Options extends OptionCases {
        @Override
        public Sockets sockets() {
            return SocketsSuite.this.sockets();
        }
    }

    @Nested
    class UrgentData extends UrgentDataCases {
        @Override
        public Sockets sockets() {
            return SocketsSuite.this.sockets();
        }
    }

    @Nested
    class OptionTables extends OptionTableCases {
        @Override
        public Sockets sockets() {
            return SocketsSuite.this.sockets();
        }
    }

    @Nested
    class StateTables extends StateTableCases {
        @Override
        public Sockets sockets() {
            return SocketsSuite.this.sockets();
        }
    }

    @Nested
    class Adaptors extends AdaptorCases {
        @Override
        public Sockets sockets() {
            return SocketsSuite.this.sockets();
        }
    }

    @Nested
    class JavaNetSockets extends SocketCases {
        @Override
        public Sockets sockets() {
            return SocketsSuite.this.sockets();
        }
    }

    @Nested
    class SocketInterrupts extends SocketInterruptCases {
        @Override
        public Sockets sockets() {
            return SocketsSuite.this.sockets();
        }
    }

    @Nested
    class ManyConnections extends ManyConnectionsCases {
        @Override
        public Sockets sockets() {
            return SocketsSuite.this.sockets();
        }
    }

    @Nested
    class Stress extends StressCases {
        @Override
        public Sockets sockets() {
            return SocketsSuite.this.sockets();
        }
    }

    @Nested
    class Library extends LibraryCases {
        @Override
        public Sockets sockets() {
            return SocketsSuite.this.sockets();
        }
    }

    @Nested
    class LibraryTables extends LibraryTableCases {
        @Override
        public Sockets sockets() {
            return SocketsSuite.this.sockets();
        }
    }

    @Nested
    class VirtualThreads extends VirtualThreadCases {
        @Override
        public Sockets sockets() {
            return SocketsSuite.this.sockets();
        }
    }

    @Nested
    @Requires(Capability.VIRTUAL_THREADS)
    class VirtualClose extends CloseCases {
        @Override
        public Sockets sockets() {
            return SocketsSuite.this.sockets();
        }

        @Override
        boolean onVirtualThreads() {
            return true;
        }
    }

    @Nested
    @Requires(Capability.VIRTUAL_THREADS)
    class VirtualInterrupt extends InterruptCases {
        @Override
        public Sockets sockets() {
            return SocketsSuite.this.sockets();
        }

        @Override
        boolean onVirtualThreads() {
            return true;
        }
    }

    @Nested
    @Requires(Capability.VIRTUAL_THREADS)
    class VirtualAdaptors extends AdaptorCases {
        @Override
        public Sockets sockets() {
            return SocketsSuite.this.sockets();
        }

        @Override
        boolean onVirtualThreads() {
            return true;
        }
    }

    @Nested
    @Requires(Capability.VIRTUAL_THREADS)
    class VirtualSockets extends SocketCases {
        @Override
        public Sockets sockets() {
            return SocketsSuite.this.sockets();
        }

        @Override
        boolean onVirtualThreads() {
            return true;
        }
    }

    @Nested
    class TwoProcesses extends TwoProcessesCases {
        @Override
        public Sockets sockets() {
            return SocketsSuite.this.sockets();
        }
    }

    @Nested
    class Sleepers extends SleeperCases {
        @Override
        public Sockets sockets() {
            return SocketsSuite.this.sockets();
        }
    }

    @Nested
    class AsyncTransfers extends AsyncTransferCases {
        @Override
        public Sockets sockets() {
            return SocketsSuite.this.sockets();
        }
    }

    @Nested
    class AsyncStates extends AsyncStateCases {
        @Override
        public Sockets sockets() {
            return SocketsSuite.this.sockets();
        }
    }

    @Nested
    class AsyncAddresses extends AsyncAddressCases {
        @Override
        public Sockets sockets() {
            return SocketsSuite.this.sockets();
        }
    }

    @Nested
    class AsyncGroups extends AsyncGroupCases {
        @Override
        public Sockets sockets() {
            return SocketsSuite.this.sockets();
        }
    }
}
