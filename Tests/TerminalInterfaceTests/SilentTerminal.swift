// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Platform
import Testing

/// A terminal that shows nothing, and replies only what a test writes.
final class SilentTerminal {
    let device: Descriptor
    private let master: Descriptor
    private var bytes: [UInt8] = []

    init() throws {
        master = try Descriptor.open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK)
        // Its number, unlocked (TIOCSPTLCK, TIOCGPTN).
        var (number, isLocked): (Int32, Int32) = (0, 0)
        try #require(ioctl(master.number, 0x4004_5431, &isLocked) == 0)
        try #require(ioctl(master.number, 0x8004_5430, &number) == 0)
        device = try Descriptor.open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
        var size = winsize(ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0)
        try #require(ioctl(device.number, UInt(TIOCSWINSZ), &size) == 0)
    }

    /// All output so far.
    var text: String {
        var buffer = [UInt8](repeating: 0, count: 65536)
        while case let count = read(master.number, &buffer, buffer.count), count > 0 { bytes += buffer[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Starts the probe on it; outside of tmux, with colours.
    func startProbe(_ arguments: String..., environment: [String] = []) throws -> Child {
        var words = ["/usr/bin/env", "-u", "TMUX", "-u", "NO_COLOR", "-u", "CLICOLOR"]
        words += ["TERM=xterm-256color", "LC_ALL=C.UTF-8"]
        words += environment
        words += [Tmux.probe]
        words += arguments
        return try Spawn(
            words, streams: [.descriptor(device), .descriptor(device), .descriptor(device)], group: .session
        ).start()
    }

    func write(_ text: String) { _ = Glibc.write(master.number, text, text.utf8.count) }
}
