// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferTesting

extension Integration {
    @Suite struct SleepTests {
        /// Also when the service is killed.
        @Test(.needs(.dbusmock)) func logindIsAskedWhileTransfersRun() async throws {
            try await Stage.with { stage in
                let script = ServerProgram.package.appending(path: "Tests/awake/logind.py").path
                let outcome = try await stage.shell(
                    "/usr/bin/python3 -B '\(script)' \"$FILEQ\" '\(stage.path("sleep"))'", within: 120)
                #expect(outcome.exit == 0, "\(outcome)")
            }
        }
    }
}
