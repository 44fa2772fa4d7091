// SPDX-License-Identifier: MIT

import Testing
import TransferControl
import TransferModel

@testable import TransferService

struct RateSamplerTests {
    private func rates(_ sampler: RateSampler, step: Int, at now: Double?) -> [Int64?] {
        sampler.series(at: now).first { $0.step == step }?.rates ?? []
    }

    @Test func hasARateForEachSecondAndNoneWhileItDoesNotRun() {
        var sampler = RateSampler(now: 100.5)
        sampler.note(3, at: 100.6)
        sampler.note(4, at: 100.9)
        sampler.note(5, at: 102)
        sampler.setRunning(false, at: 103.1)
        sampler.setRunning(false, at: 104)
        sampler.setRunning(true, at: 105)
        #expect(rates(sampler, step: 1, at: 107.2) == [7, 0, 5, 0, nil, 0, 0])
        #expect(rates(sampler, step: 1, at: 100) == [7, 0, 5, 0, nil], "the present second is not complete")
        #expect(sampler.series(at: 107).map(\.step) == [1, 5, 60])
    }

    @Test func longerStepsAreMeans() {
        var sampler = RateSampler(now: 0)
        for second in 0..<10 { sampler.note(second < 5 ? 10 : 50, at: Double(second)) }
        sampler.setRunning(false, at: 10)
        #expect(rates(sampler, step: 5, at: 10) == [10, 50])
        #expect(rates(sampler, step: 60, at: 10) == [30], "of the seconds so far")
        // A second that ran counts for a step of which it is a part.
        sampler.note(25, at: 14)
        sampler.setRunning(false, at: 14.5)
        #expect(rates(sampler, step: 5, at: 20) == [10, 50, 5, nil])
    }

    @Test func aTransferThatHasEndedKeepsItsGraph() {
        var sampler = RateSampler(now: 0)
        sampler.note(8, at: 0)
        sampler.setRunning(false, at: 1.5)
        #expect(rates(sampler, step: 1, at: nil) == [8, 0])
        sampler.setRunning(false, at: 500)
        #expect(rates(sampler, step: 1, at: nil) == [8, 0])
    }

    @Test func staysSmallAndIgnoresAClockThatIsSetBack() {
        var sampler = RateSampler(now: 0)
        for second in 0..<10_000 { sampler.note(Int64(second), at: Double(second)) }
        for series in sampler.series(at: 10_000) {
            #expect(series.rates.count == 60 && series.rates.allSatisfy { $0 != nil })
        }
        #expect(rates(sampler, step: 1, at: 10_000).last == 9999)
        sampler.note(1, at: 5)
        #expect(rates(sampler, step: 1, at: 10_000).last == 10_000)
        sampler.setRunning(false, at: 10_000)
        #expect(sampler.series(at: 1e9).allSatisfy { $0.rates.allSatisfy { $0 == nil } })
        sampler.note(.max, at: 10_001)
        sampler.note(.max, at: 10_001)
        #expect(rates(sampler, step: 1, at: 10_002).count == 60)
    }

    @Test func oldOnesMakeRoom() {
        var samplers = RateSamplers()
        func id(_ number: Int) -> TransferID { TransferID(rawValue: number) }
        for number in 1...RateSamplers.maximum {
            samplers.shrink { _ in false }
            samplers.note(1, of: id(number), at: 0)
        }
        samplers.setRunning(true, id(5000), at: 0)
        #expect(samplers[id(1)] != nil && samplers[id(5000)] == nil)
        samplers.shrink { $0.rawValue <= 10 }
        #expect(samplers[id(10)] != nil && samplers[id(11)] == nil && samplers[id(1000)] != nil)
        samplers.forget([id(1000)])
        #expect(samplers[id(1000)] == nil)
    }
}
