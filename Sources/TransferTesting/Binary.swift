// SPDX-License-Identifier: MIT

import Foundation

/// The program under test: beside the test bundle, or `FILEQ_TEST_BINARY`.
package enum Binary {
    package static let path = ProcessInfo.processInfo.environment["FILEQ_TEST_BINARY"] ?? built("fileq")
    /// `fileq-lab`, which is built with the tests.
    package static let lab = built("fileq-lab")
    /// Built with the tests.
    package static let simulator = built("TransferSimulator")

    private static func built(_ name: String) -> String {
        let own = [
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"), CommandLine.arguments[0],
        ]
        let found = own.compactMap { $0 }.map { URL(fileURLWithPath: $0).deletingLastPathComponent().path + "/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
        return found ?? ".build/debug/\(name)"
    }
}
