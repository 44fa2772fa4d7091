// SPDX-License-Identifier: MIT

import Glibc
import TransferModel
import TransferStore

/// A process that uses a store, for tests that end it roughly, and for measuring.
///
/// `write FOLDER`: changes the store endlessly and prints a line for each confirmed commit.
/// `measure FOLDER COUNT`: prints what so many transfers cost.
@main
struct StoreProbe {
    static func main() {
        let arguments = CommandLine.arguments
        do throws(TransferError) {
            switch arguments.dropFirst().first {
            case "write" where arguments.count == 3: try WriteLoop(folder: arguments[2]).run()
            case "measure" where arguments.count == 4:
                try Measurement(folder: arguments[2], count: Int(arguments[3]) ?? 0).run()
            default: throw TransferError(.usage, "write FOLDER, or measure FOLDER COUNT")
            }
        } catch {
            say("error: \(error)")
            exit(1)
        }
    }

    /// In one write, so that no end of the process cuts it before the line is out.
    static func say(_ line: String) {
        let bytes = Array("\(line)\n".utf8)
        _ = write(STDOUT_FILENO, bytes, bytes.count)
    }

    static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
