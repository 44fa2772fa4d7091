// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Testing

/// The service as people have it, killed again and again: by hand, with the server, by a full disk, by a power cut.
///
/// Everything is on loopback and in temporary folders. What happens is drawn from a seed, which is printed:
///
/// | variable | says |
/// |---|---|
/// | `FILEQ_SOAK_CRASHES=200` | how often the service is killed; 20 where absent, and `make soak` takes 200 |
/// | `FILEQ_SOAK_SEED=17` | plays the same queue and the same moments again, as far as a machine's own pace lets it |
/// | `FILEQ_TEST_BINARY=.build/release/fileq` | takes another build than the one beside the tests |
@Suite(.serialized) enum Soak {
    static let crashes = number("FILEQ_SOAK_CRASHES").map { Int(clamping: $0) } ?? 20
    static let seed = number("FILEQ_SOAK_SEED") ?? UInt64.random(in: 1...999_999)

    private static func number(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
    }

    /// A line beside the tests' own, so that a run that failed can be played again.
    static func say(_ words: String) { FileHandle.standardError.write(Data("soak: \(words)\n".utf8)) }
}

extension Trait where Self == ConditionTrait {
    /// Skips the test, with the reason, for anybody who may not mount.
    static var mounting: Self { .enabled(if: geteuid() == 0, "only root may mount file systems") }
}
