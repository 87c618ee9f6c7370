/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.rdma;

/**
 * Offsets in the messages that travel as sends, all numbers big-endian. See {@code docs/rdma-protocol.md}.
 *
 * <pre>
 *   HELLO 0        4        8               16              24       32       40                60                80
 *         +-+-+-+-++--------+----------------+---------------+--------+--------+-----------------+-----------------+
 *         |t|m|M|f| magic   | session id     | ring address  |size|key|rcv|why | initiator       | acceptor        |
 *         +-+-+-+-++--------+----------------+---------------+--------+--------+-----------------+-----------------+
 *   STATE 0        4        8                16               24               32
 *         +-+-+----+--------+----------------+----------------+----------------+
 *         |t|f|  0 | number | bytes read     | receives posted| bytes sent     |
 *         +-+-+----+--------+----------------+----------------+----------------+
 *   DATA  0        4           8        12    (only without immediate data, after a write)
 *         +-+------+-----------+--------+
 *         |t|   0  | immediate | length |
 *         +-+------+-----------+--------+
 *   CONNECT 0      4        8               16       20       24                44                64
 *         +-+------+--------+---------------+--------+--------+-----------------+-----------------+
 *         |t|   0  | number | ring address  |  size  |  key   | initiator       | acceptor        |
 *         +-+------+--------+---------------+--------+--------+-----------------+-----------------+
 *   ACCEPT 0       4        8               16       20       24
 *         +-+-+----+--------+---------------+--------+--------+
 *         |t|w|  0 | number | ring address  |  size  |  key   |    w: 0, or why not
 *         +-+-+----+--------+---------------+--------+--------+
 *   GRANT 0        8                16
 *         +-+------+----------------+
 *         |t|   0  | receives posted|
 *         +-+------+----------------+
 *   ADVERT 0       4        8                16               24              32       36       40       48
 *         +-+-+----+--------+----------------+----------------+---------------+--------+--------+--------+
 *         |t|f|  0 | number | bytes read     | receives posted| address       | length |  key   | by ring|
 *         +-+-+----+--------+----------------+----------------+---------------+--------+--------+--------+
 *   WITHDRAW, WITHDRAWN
 *         0        4        8
 *         +-+------+--------+
 *         |t|   0  | number |
 *         +-+------+--------+
 *   MORE  0        4        8        12   RING 0       4        8               16       20       24
 *         +-+------+--------+--------+         +-+-----+--------+---------------+--------+--------+
 *         |t|   0  | number | at most|         |t|  0  | number | ring address  |  size  |  key   |
 *         +-+------+--------+--------+         +-+-----+--------+---------------+--------+--------+
 *   MOVE  0        4        8                16
 *         +-+------+--------+----------------+
 *         |t|   0  | number | bytes sent     |
 *         +-+------+--------+----------------+
 *   LINKS 0        4        8                16                36                (1 to 5 addresses)
 *         +-+-+----+--------+----------------+-----------------+---
 *         |t|n|port|      0 | token          | address         | ...
 *         +-+-+----+--------+----------------+-----------------+---
 *   JOIN  0        4        8                16               24
 *         +-+-+-+-++--------+----------------+----------------+
 *         |t|w|0|f||receives| session id     | token          |    w: 0, or why not
 *         +-+-+-+-++--------+----------------+----------------+
 *   SWITCH
 *         0        4        8
 *         +-+------+--------+
 *         |t|   0  | count  |
 *         +-+------+--------+
 *   RESUME
 *         0        4        8                16               24       28       32
 *         +-+-+----+--------+----------------+----------------+--------+--------+
 *         |t|f|  0 | number | bytes read     | bytes arrived  |  key   | larger |
 *         +-+-+----+--------+----------------+----------------+--------+--------+
 * </pre>
 */
final class MessageDescriptor {
    /** Room for any message, and what each receive offers. */
    static final int MESSAGE_BYTES = 128;

    /** Offset of the type, in every message. */
    static final int TYPE = 0;

    static final byte HELLO = 1;
    static final byte STATE = 2;
    static final byte DATA = 3;
    static final byte CONNECT = 4;
    static final byte ACCEPT = 5;
    static final byte GRANT = 6;
    static final byte ADVERT = 7;
    static final byte WITHDRAW = 8;
    static final byte WITHDRAWN = 9;
    static final byte MORE = 10;
    static final byte RING = 11;
    static final byte MOVE = 12;
    static final byte LINKS = 13;
    static final byte JOIN = 14;
    static final byte SWITCH = 15;
    static final byte RESUME = 16;

    /** Offset of a connection's number, in every message that has one. */
    static final int NUMBER = 4;

    static final int HELLO_MIN_VERSION = 1;
    static final int HELLO_MAX_VERSION = 2;
    static final int HELLO_FEATURES = 3;
    static final int HELLO_MAGIC = 4;
    static final int HELLO_SESSION = 8;
    static final int HELLO_RING_ADDRESS = 16;
    static final int HELLO_RECEIVES = 32;
    static final int HELLO_REFUSAL = 36;
    static final int HELLO_INITIATOR = 40;
    static final int HELLO_ACCEPTOR = 60;
    static final int HELLO_BYTES = 80;

    static final int STATE_FLAGS = 1;
    static final int STATE_BYTES_READ = 8;
    static final int STATE_RECEIVES = 16;
    static final int STATE_BYTES_SENT = 24;
    static final int STATE_BYTES = 32;

    static final int DATA_IMMEDIATE = 4;
    static final int DATA_LENGTH = 8;
    static final int DATA_BYTES = 12;

    static final int CONNECT_RING_ADDRESS = 8;
    static final int CONNECT_INITIATOR = 24;
    static final int CONNECT_ACCEPTOR = 44;
    static final int CONNECT_BYTES = 64;

    static final int ACCEPT_REFUSAL = 1;
    static final int ACCEPT_RING_ADDRESS = 8;
    static final int ACCEPT_BYTES = 24;

    static final int GRANT_RECEIVES = 8;
    static final int GRANT_BYTES = 16;

    static final int ADVERT_FLAGS = 1;
    static final int ADVERT_BYTES_READ = 8;
    static final int ADVERT_RECEIVES = 16;
    static final int ADVERT_ADDRESS = 24;
    static final int ADVERT_LENGTH = 32;
    static final int ADVERT_KEY = 36;
    static final int ADVERT_RING_BYTES = 40;
    static final int ADVERT_BYTES = 48;

    static final int WITHDRAW_BYTES = 8;

    static final int MORE_MAX_BYTES = 8;
    static final int MORE_BYTES = 12;

    static final int RING_ADDRESS = 8;
    static final int RING_BYTES = 24;

    static final int MOVE_FROM = 8;
    static final int MOVE_BYTES = 16;

    static final int LINKS_COUNT = 1;
    static final int LINKS_PORT = 2;
    static final int LINKS_TOKEN = 8;
    static final int LINKS_ADDRESSES = 16;

    static final int JOIN_REFUSAL = 1;
    static final int JOIN_FEATURES = 3;
    static final int JOIN_RECEIVES = 4;
    static final int JOIN_SESSION = 8;
    static final int JOIN_TOKEN = 16;
    static final int JOIN_BYTES = 24;

    static final int SWITCH_CONNECTIONS = 4;
    static final int SWITCH_BYTES = 8;

    static final int RESUME_FLAGS = 1;
    static final int RESUME_READ = 8;
    static final int RESUME_ARRIVED = 16;
    static final int RESUME_KEY = 24;
    static final int RESUME_LARGER_KEY = 28;
    static final int RESUME_BYTES = 32;

    /** Flag of a HELLO's features: writes may carry immediate data. */
    static final int HAS_IMMEDIATE = 1;

    /** Flag of a HELLO's features: ADVERT, WITHDRAW and WITHDRAWN are understood. */
    static final int TAKES_ADVERTS = 16;

    /** Flag of a HELLO's features: MORE, RING and MOVE are understood. */
    static final int MOVES_RINGS = 4;

    /** Flag of a HELLO's features: LINKS, JOIN, SWITCH and RESUME are understood. */
    static final int KNOWS_LINKS = 8;

    /** Flag of an ADVERT: the buffer stays offered until it is full. */
    static final byte WAIT_ALL = 1;

    /** Flag of a STATE: every byte was sent. */
    static final int FINISHED = 1;

    /** Flag of a STATE: the sender has aborted; bytes may be missing. */
    static final int RESET = 2;

    /** Flag of a STATE: the sender reads no more. */
    static final int CLOSED = 4;

    private MessageDescriptor() { }
}
