/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.host;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the kernel tells of this process' limits. */
class DescriptorBudgetTest {
    @ParameterizedTest
    @CsvSource({"'Max open files            1024                 524288               files', 1024",
        "'Max processes 7 7 processes\nMax open files 64 64 files\nMax locked memory 1 1 bytes', 64",
        "'Max open files unlimited unlimited files', 2147483647",
        "'Max open files 99999999999999999999999 1 files', 2147483647",
        "'Max open files', 2147483647", "nothing, 1024"})
    void shouldReadTheLimitAsTheKernelWritesIt(String text, int limit) {
        assertThat(DescriptorBudget.openFiles(text)).isEqualTo(limit);
    }
}
