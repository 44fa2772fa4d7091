// SPDX-License-Identifier: MIT

import Dispatch
@testable import SessionCore
import Testing
import TransferTesting

@Suite struct PromptReadTests {
    @Test func readsAtOnce() { #expect(PromptRead.value(of: "/a", patience: .infinity) { 1 } == 1) }

    /// A file system that hangs costs its patience once.
    @Test func givesUpAFileThatHangsUntilItResponds() async {
        let gate = DispatchSemaphore(value: 0)
        let value = await offPool {
            PromptRead.value(of: "/hangs", patience: 0.001) { () -> Int in
                gate.wait()
                return 1
            }
        }
        #expect(value == nil)
        #expect(await offPool { PromptRead.value(of: "/hangs", patience: .infinity) { 1 } } == nil)
        #expect(await offPool { PromptRead.value(of: "/other", patience: .infinity) { 1 } } == 1)
        gate.signal()
        #expect(await becomesTrue { PromptRead.value(of: "/hangs", patience: .infinity) { 1 } == 1 })
    }
}
