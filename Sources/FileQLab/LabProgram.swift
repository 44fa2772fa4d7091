// SPDX-License-Identifier: MIT

import ArgumentParser
import Glibc
import TransferModel

/// `fileq-lab`, from its arguments to its exit code: 0, 1, or 2 for wrong usage.
@main
enum LabProgram {
    static func main() async {
        do {
            var command = try LabCommand.parseAsRoot()
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch let error as TransferError {
            fail(error.message, Int32(error.code.rawValue))
        } catch {
            guard LabCommand.exitCode(for: error) != .success else { return print(LabCommand.fullMessage(for: error)) }
            let lines = LabCommand.message(for: error).split(whereSeparator: \.isNewline)
            fail("\(lines.joined(separator: " ")) (see 'fileq-lab --help')", Int32(TransferError.Code.usage.rawValue))
        }
    }

    /// Messages for people. Sanitizes client data.
    static func say(_ line: String) {
        let clean = String(
            String.UnicodeScalarView(
                line.unicodeScalars.map { scalar in
                    [.control, .format, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
                        ? "\u{FFFD}" : scalar
                }))
        let bytes = Array("fileq-lab: \(clean)\n".utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }

    private static func fail(_ message: String, _ status: Int32) -> Never {
        say(message)
        exit(status)
    }
}
