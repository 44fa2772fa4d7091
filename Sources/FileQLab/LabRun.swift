// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import NetworkLab
import TransferModel

/// What the lab's servers have in common as programs.
enum LabRun {
    /// Says where it listens, and returns when SIGINT or SIGTERM has asked for the end; a second one ends the process
    /// at once.
    static func untilSignal(listeningOn address: String) async {
        let (signals, continuation) = AsyncStream<Int32>.makeStream()
        let sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler {
                signal(number, SIG_DFL)
                continuation.yield(number)
            }
            source.activate()
            return source
        }
        // Written into a pipe, the one line must come when it is true and not when a buffer is full.
        print("listening on \(address)")
        fflush(nil)
        for await _ in signals { break }
        for source in sources { source.cancel() }
    }

    /// One line for what a client did.
    @Sendable static func report(_ event: LabEvent) {
        let tenths = Int((event.seconds * 1000).rounded())
        let fraction = String(tenths % 1000)
        let time = "\(tenths / 1000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
        LabProgram.say(event.connection == 0 ? "\(time) \(event.text)" : "\(time) #\(event.connection) \(event.text)")
    }

    /// - Throws: code `usage`.
    static func port(_ number: Int) throws(TransferError) -> Int {
        guard (0...65_535).contains(number) else {
            throw TransferError(.usage, "--port: write a number from 0 to 65535")
        }
        return number
    }
}

/// Spans of time as the lab's options take them.
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
            throw TransferError(.usage, "\(option): write a time such as 10s, 0.5s, 500ms or 2m, at most a day")
        }
        return number * factor
    }
}
