/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.bell;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BellPageTest {
    private static final int LENT = BellPage.BELLS - 1; // number 0 is nobody's

    private final ByteBuffer memory = ByteBuffer.allocateDirect(BellPage.BYTES).order(ByteOrder.nativeOrder());
    private final BellPage page = new BellPage(memory);
    private final PeerBells peers = new PeerBells(memory.duplicate().order(ByteOrder.nativeOrder()));

    @BeforeEach
    @AfterEach
    void load() {
        FutexSwitch.on();
    }

    // ---- lending

    @Test
    void shouldLendEachBellOnceAndThenThoseThatPeersCannotRing() {
        Set<Integer> numbers = new HashSet<>();
        for (int i = 0; i < LENT; i++) {
            numbers.add(Bell.take(page).number());
        }
        assertThat(numbers).hasSize(LENT).doesNotContain(0).allMatch(number -> number > 0 && number < BellPage.BELLS);
        Bell unshared = Bell.take(page);
        assertThat(unshared.number()).isZero();
        unshared.release();
        assertThat(Bell.take(page).number()).as("an unshared bell is nobody else's").isZero();
    }

    /** Who rings late rings a bell that it knew before: the longer nobody has it, the better. */
    @Test
    void shouldLendAgainWhatWasGivenBackFirst() {
        Bell[] bells = new Bell[LENT];
        for (int i = 0; i < LENT; i++) {
            bells[i] = Bell.take(page);
        }
        bells[5].release();
        bells[700].release();
        assertThat(Bell.take(page).number()).isEqualTo(bells[5].number());
        assertThat(Bell.take(page).number()).isEqualTo(bells[700].number());
        assertThat(Bell.take(page).number()).isZero();
    }

    // ---- rings

    private void lend(int bells) {
        for (int i = 0; i < bells; i++) {
            Bell.take(page);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE, BellPage.BELLS, BellPage.BELLS + 1, Integer.MAX_VALUE})
    void shouldRingNobodyByAnImpossibleNumber(int number) {
        for (int offset = 0; offset < BellPage.BYTES; offset += Integer.BYTES) {
            memory.putInt(offset, Bell.ASLEEP);
        }
        assertThat(peers.ring(number)).isEqualTo(Bell.AWAKE);
        for (int offset = 0; offset < BellPage.BYTES; offset += Integer.BYTES) {
            assertThat(memory.getInt(offset)).as("word at %d", offset).isEqualTo(Bell.ASLEEP);
        }
    }

    @Test
    void shouldWakeASleeperOnce() {
        lend(3);
        memory.putInt(3 * BellPage.BELL_BYTES, Bell.ASLEEP);
        assertThat(peers.ring(3)).isEqualTo(Bell.ASLEEP);
        assertThat(memory.getInt(3 * BellPage.BELL_BYTES)).isEqualTo(Bell.AWAKE);
        assertThat(peers.ring(3)).isEqualTo(Bell.AWAKE);
    }

    @Test
    void shouldLeaveWhoeverSleepsElsewhereToItsProcess() {
        lend(3);
        memory.putInt(3 * BellPage.BELL_BYTES, Bell.ELSEWHERE);
        assertThat(peers.ring(3)).isEqualTo(Bell.ELSEWHERE);
        assertThat(peers.ring(3)).as("each time: the first ring may be another peer's").isEqualTo(Bell.ELSEWHERE);
        assertThat(memory.getInt(3 * BellPage.BELL_BYTES)).isEqualTo(Bell.ELSEWHERE);
    }

    @Test
    void shouldLeaveASleeperToItsProcessWhereThisOneHasNoFutex() {
        lend(3);
        FutexSwitch.off();
        memory.putInt(3 * BellPage.BELL_BYTES, Bell.ASLEEP);
        assertThat(peers.ring(3)).isEqualTo(Bell.ELSEWHERE);
        assertThat(memory.getInt(3 * BellPage.BELL_BYTES)).as("still asleep").isEqualTo(Bell.ASLEEP);
    }

    @ParameterizedTest
    @ValueSource(ints = {3, -1, Integer.MAX_VALUE})
    void shouldNotTakeNoiseForASleeper(int noise) {
        lend(3);
        memory.putInt(3 * BellPage.BELL_BYTES, noise);
        assertThat(peers.ring(3)).isNotEqualTo(Bell.ASLEEP);
        assertThat(memory.getInt(3 * BellPage.BELL_BYTES)).isEqualTo(noise);
    }

    // ---- listeners

    @Test
    void shouldTellPeersTheBellOfEachListener() {
        for (int listener = 0; listener < BellPage.LISTENERS; listener++) {
            assertThat(peers.listenerBell(listener)).isZero();
            page.setListenerBell(listener, listener + 1);
        }
        for (int listener = 0; listener < BellPage.LISTENERS; listener++) {
            assertThat(peers.listenerBell(listener)).isEqualTo(listener + 1);
        }
        page.setListenerBell(7, 0);
        assertThat(peers.listenerBell(7)).isZero();
    }

    /** As a socket's close and its cleaner do. */
    @Test
    void shouldLendABellOnceHoweverOftenItIsGivenBack() {
        BellPage page = new BellPage(ByteBuffer.allocateDirect(BellPage.BYTES).order(ByteOrder.nativeOrder()));
        Bell bell = Bell.take(page);
        bell.release();
        bell.release();
        assertThat(Bell.take(page).number()).isNotEqualTo(Bell.take(page).number());
    }

    @Test
    void shouldKeepListenersApartFromBells() {
        lend(LENT);
        for (int listener = 0; listener < BellPage.LISTENERS; listener++) {
            page.setListenerBell(listener, Bell.ASLEEP);
        }
        for (int number = 1; number < BellPage.BELLS; number++) {
            assertThat(peers.ring(number)).isEqualTo(Bell.AWAKE);
        }
    }
}
