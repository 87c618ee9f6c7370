/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.core.verbs.memory;

import io.rsockets4j.core.verbs.VerbsException;

/** Errors of the operating system (errno.h of Linux). */
enum Errno {
    ENOMEM(12, "Cannot allocate memory"),
    EBUSY(16, "Device or resource busy"),
    ENODEV(19, "No such device"),
    EINVAL(22, "Invalid argument"),
    EOPNOTSUPP(95, "Operation not supported"),
    EADDRINUSE(98, "Address already in use"),
    EADDRNOTAVAIL(99, "Cannot assign requested address"),
    ENETUNREACH(101, "Network is unreachable"),
    ETIMEDOUT(110, "Connection timed out"),
    EHOSTUNREACH(113, "No route to host"),
    ENOTCONN(107, "Transport endpoint is not connected");

    private final int number;
    private final String text;

    Errno(int number, String text) {
        this.number = number;
        this.text = text;
    }

    int number() {
        return number;
    }

    VerbsException of(String verb) {
        return new VerbsException(verb, number, text);
    }
}
