/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.memory;

import io.rsockets4j.core.verbs.VerbsException;
import java.math.BigInteger;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A host with one device or more. Settings hold for what is created afterwards. Thread-safe. */
public final class MemoryHost {
    private static final MemoryHost SHARED = new MemoryNetwork().host("shared");

    private final MemoryNetwork network;
    private final String name;
    private final List<MemoryDevice> devices = new CopyOnWriteArrayList<>(); // oldest first
    private volatile boolean hasImmediate = true;
    private volatile int maxCompletions = 1 << 16;
    private volatile int inlineBytes = 256;
    private volatile boolean present = true;
    private volatile boolean vanished;
    private final ChannelFault completionFault = new ChannelFault();
    private final ChannelFault eventFault = new ChannelFault();
    private volatile Error lostWith;
    private final AtomicInteger eventsInFront = new AtomicInteger();
    private final AtomicInteger eventsBehind = new AtomicInteger();
    private volatile long newBreakAfter = Long.MAX_VALUE;
    private long mayBePinned = Long.MAX_VALUE; // guarded by this
    private long pinned; // guarded by this
    private int domains; // guarded by this

    MemoryHost(MemoryNetwork network, String name, List<InetAddress> addresses) {
        this.network = network;
        this.name = name;
        devices.add(new MemoryDevice(this, "memory_" + name, addresses));
    }

    /** The host of bindings that {@link java.util.ServiceLoader} makes, alone in its network. Has every address. */
    public static MemoryHost shared() {
        return SHARED;
    }

    public MemoryNetwork network() {
        return network;
    }

    public String name() {
        return name;
    }

    /** Its first device. */
    public MemoryDevice device() {
        return devices.get(0);
    }

    /**
     * A further device of a host that was made with addresses. They are this device's alone; a device that was removed
     * loses those that it had of them.
     */
    public synchronized MemoryDevice addDevice(String deviceName, InetAddress... addresses) {
        checkNew(deviceName, addresses);
        MemoryDevice device = new MemoryDevice(this, deviceName, List.of(addresses));
        devices.add(device);
        return device;
    }

    /** Sees that there are addresses, and that no device that is there has them. Under this host's lock. */
    void checkNew(String deviceName, InetAddress... addresses) {
        if (addresses.length == 0) {
            throw new IllegalArgumentException(deviceName + " has no address");
        }
        for (InetAddress address : addresses) {
            MemoryDevice other = deviceWith(address);
            if (other != null && !other.isRemoved()) {
                throw new IllegalArgumentException(other.name() + " has " + address);
            }
        }
    }

    /** Whether it has every address that no other host has. */
    boolean hasEveryAddress() {
        return device().addresses().isEmpty();
    }

    /** The device that has an address, removed or not; or null. */
    MemoryDevice deviceWith(InetAddress address) {
        MemoryDevice with = hasEveryAddress() ? device() : null;
        for (MemoryDevice device : devices) {
            if (device.addresses().contains(address)) {
                with = device; // the newest: older ones that had it were removed
            }
        }
        return with;
    }

    /**
     * The address from which it reaches one of another host: of its devices that are there, the one that has the
     * longest prefix in common; or null.
     */
    InetAddress sourceFor(InetAddress destination) {
        if (hasEveryAddress()) {
            return InetAddress.getLoopbackAddress();
        }
        InetAddress best = null;
        int bestBits = -1;
        for (MemoryDevice device : devices) {
            for (InetAddress address : device.isRemoved() ? List.<InetAddress>of() : device.addresses()) {
                int bits = commonBits(address, destination);
                if (bits > bestBits) {
                    best = address;
                    bestBits = bits;
                }
            }
        }
        return best;
    }

    /** How long a prefix two addresses have in common, or -1 if they are of different families. */
    private static int commonBits(InetAddress a, InetAddress b) {
        if (a instanceof Inet4Address != b instanceof Inet4Address) {
            return -1;
        }
        BigInteger differ = new BigInteger(1, a.getAddress()).xor(new BigInteger(1, b.getAddress()));
        return a.getAddress().length * Byte.SIZE - differ.bitLength();
    }

    boolean hasImmediate() {
        return hasImmediate;
    }

    /** Makes the devices ones with or without immediate data, as iWARP's are. */
    public void hasImmediate(boolean newHasImmediate) {
        hasImmediate = newHasImmediate;
    }

    int maxCompletions() {
        return maxCompletions;
    }

    public void maxCompletions(int newMaxCompletions) {
        maxCompletions = newMaxCompletions;
    }

    int inlineBytes() {
        return inlineBytes;
    }

    public void inlineBytes(int newInlineBytes) {
        inlineBytes = newInlineBytes;
    }

    boolean isPresent() {
        return present && devices.stream().anyMatch(device -> !device.isRemoved());
    }

    /** Whether this host has its devices. Without them nothing is found, and nobody reaches it. */
    public void hasDevice(boolean newPresent) {
        present = newPresent;
    }

    boolean isVanished() {
        return vanished;
    }

    /** Stops answering, or answers again: requests to it and from it fail after {@link MemoryNetwork#retryNanos}. */
    public void vanish(boolean newVanished) {
        vanished = newVanished;
    }

    long newBreakAfter() {
        return newBreakAfter;
    }

    /** Queue pairs that are created from now on break after this many requests of their send queues. */
    public void breakNewAfter(long requests) {
        newBreakAfter = requests;
    }

    /**
     * Removes all devices while they are in use: all queue pairs of this host fail, and all identifiers hear of it.
     * {@link MemoryDevice#remove} is for one alone.
     */
    public void removeDevice() {
        present = false;
        network.deviceRemoved(id -> id.host() == this);
    }

    ChannelFault completionFault() {
        return completionFault;
    }

    /** Whoever waits for completions fails so: by an error once, by an exception for ever; null for no more. */
    public void failCompletions(Throwable fault) {
        completionFault.set(fault);
    }

    /** Who takes the next event of a completion queue fails so, and the event is lost. */
    public void loseEvent(Error with) {
        lostWith = with;
    }

    void eventTaken(boolean inFront) {
        (inFront ? eventsInFront : eventsBehind).incrementAndGet();
        Error error = lostWith;
        if (error != null) {
            lostWith = null;
            throw error;
        }
    }

    /** How many events of completion queues woke a thread in front of the one that waits for all. */
    public int eventsInFront() {
        return eventsInFront.get();
    }

    /** How many woke that one. */
    public int eventsBehind() {
        return eventsBehind.get();
    }

    ChannelFault eventFault() {
        return eventFault;
    }

    /** Whoever waits for events of the connection manager fails so. */
    public void failEvents(Throwable fault) {
        eventFault.set(fault);
    }

    /** How many more bytes may be registered, as RLIMIT_MEMLOCK has it. */
    public synchronized void pinnable(long bytes) {
        mayBePinned = bytes == Long.MAX_VALUE ? bytes : pinned + bytes;
    }

    synchronized void pin(long bytes) throws VerbsException {
        if (bytes > mayBePinned - pinned) {
            throw Errno.ENOMEM.of("ibv_reg_mr");
        }
        pinned += bytes;
    }

    synchronized void unpin(long bytes) {
        pinned -= bytes;
    }

    /** How many bytes are registered. */
    public synchronized long pinned() {
        return pinned;
    }

    synchronized void countDomain(int change) {
        domains += change;
    }

    /** How many protection domains there are. */
    public synchronized int domains() {
        return domains;
    }
}
