// SPDX-License-Identifier: MIT

import SessionCore
import Testing
import TransferModel
@testable import TransferService

@Suite struct PiecesTests {
    /// What an attempt without further tasks ends with. A file with gaps is never taken for a complete one, even if the
    /// user paused or cancelled it just when its own task was done.
    @Test(arguments: [
        (false, false, false, false, Pieces.Outcome.restIsMissing), (false, false, false, true, .restIsMissing),
        (false, true, false, false, .restIsMissing), (false, true, true, false, .restIsMissing),
        (false, false, true, false, .asTask), (false, true, true, true, .asTask),
        (false, true, false, true, .restIsMissing),
        (true, false, false, false, .whole), (true, false, false, true, .whole), (true, true, true, false, .whole),
        (true, false, true, false, .asTask), (true, false, true, true, .asTask), (true, true, true, true, .asTask),
    ]) func gapsAreNoEnd(
        _ isComplete: Bool, _ isOwnCut: Bool, _ hasFailed: Bool, _ isStopped: Bool, _ expected: Pieces.Outcome
    ) throws {
        let validator = Validator(entityTag: "\"1\"")
        let point = try #require(ResumePoint(offset: 10, validator: validator, total: 100))
        var plan = PiecePlan(
            total: 100, present: isComplete ? ByteRangeSet(0..<100) : ByteRangeSet([0..<10, 50..<100]), limit: 4)
        let own = plan.adopt(from: 10, to: 20, at: 0)
        // It has stored all that it was to fetch.
        if !isComplete { _ = plan.moved(own, to: 20, at: 1) }
        var pieces = Pieces(plan: plan, point: point, version: 0, own: own)
        pieces.isOwnCut = isOwnCut
        #expect(pieces.outcome(hasFailed: hasFailed, isStopped: isStopped) == expected)
    }
}
