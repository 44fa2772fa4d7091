// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import NetworkLab
import TransferModel

/// Shared by the lab's servers.
enum LabServerRun {
    /// Prints the address, and returns after SIGINT or SIGTERM; a second one ends the process immediately.
    static func untilSignal(listeningOn address: String) async {
        let (signals, continuation) = AsyncStream<Int32>.makeStream()
        let sources = [SIGINT, SIGTERM].map { number in
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler {
                signal(number, SIG_DFL)
                continuation.yield(number)
            }
            source.activate()
            return source
        }
        // Unbuffered: in a pipe, the line must appear immediately.
        print("listening on \(address)")
        fflush(nil)
        for await _ in signals { break }
        for source in sources { source.cancel() }
    }

    /// One line per client event.
    @Sendable static func report(_ event: LabEvent) {
        let tenths = Int((event.seconds * 1000).rounded())
        let fraction = String(tenths % 1000)
        let time = "\(tenths / 1000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
        LabProgram.say(event.connection == 0 ? "\(time) \(event.text)" : "\(time) #\(event.connection) \(event.text)")
    }

    /// - Throws: code `usage`.
    static func port(_ number: Int) throws(TransferError) -> Int {
        guard (0...65_535).contains(number) else {
            throw TransferError(.usage, "--port: use a number from 0 to 65535")
        }
        return number
    }
}

/// Durations in the lab's options.
enum LabDuration {
    /// `2`, `0.5`, `10s`, `500ms`, `2m`, in seconds.
    /// - Throws: code `usage`, naming `option`.
    static func parse(_ text: String, option: String) throws(TransferError) -> Double {
        let units = [("ms", 0.001), ("s", 1.0), ("m", 60.0)]
        let (suffix, factor) = units.first { text.hasSuffix($0.0) } ?? ("", 1)
        let digits = text.dropLast(suffix.count)
        guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }),
            let number = Double(digits),
            number * factor <= 86_400
        else {
            throw TransferError(.usage, "\(option): use a time such as 10s, 0.5s, 500ms or 2m, at most a day")
        }
        return number * factor
    }
}
