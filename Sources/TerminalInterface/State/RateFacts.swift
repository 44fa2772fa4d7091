// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// What the service reports beside the transfers.
struct RateFacts: Hashable, Sendable {
    /// Bytes per second of each second, the newest last; `nil` where the service did not run.
    var down: [Double?] = []
    var up: [Double?] = []
    /// Bytes per second now, as the service smooths them; `nil`: the sum of the transfers' rates.
    var downNow: Double?
    var upNow: Double?
    /// In force now, including the timetable.
    var limits: QueueLimits?
    /// Seconds since 1970 when the timetable replaces them.
    var limitsEnd: Double?
    /// Of all transfers together, in steps of several lengths.
    var downSeries: [TransferRates.Series] = []
    var upSeries: [TransferRates.Series] = []
    /// Of the transfer that was asked for; `nil` if it has moved no byte lately.
    var transfer: TransferRates?
    /// Of the unfinished transfers; `nil` if it is unknown.
    var network: NetworkInUse?
}

/// The time that the graph of a transfer shows: 60 samples of so many seconds.
enum GraphSpan: Int, Sendable, CaseIterable {
    case minute = 1
    case fiveMinutes = 5
    case hour = 60

    /// The next longer one; after the longest the shortest.
    var next: GraphSpan {
        switch self {
        case .minute: .fiveMinutes
        case .fiveMinutes: .hour
        case .hour: .minute
        }
    }
}

extension RateFacts {
    /// The time constant of the displayed rate, in seconds.
    private static let memory = 3.0
    /// Seconds without a byte after which it is 0.
    private static let silence = 3

    init(_ report: RateReport) {
        down = report.received.map(Double.init)
        up = report.sent.map(Double.init)
        (downNow, upNow) = (Self.mean(down), Self.mean(up))
        (limits, limitsEnd) = (report.limits, report.limitsEnd)
        (transfer, network) = (report.transfer, report.network)
        (downSeries, upSeries) = (report.receivedSeries ?? [], report.sentSeries ?? [])
    }

    /// Whether a byte moved in the seconds that the first line may show.
    var hasTraffic: Bool { (down.suffix(60) + up.suffix(60)).contains { $0 ?? 0 > 0 } }

    /// Bytes per second of all transfers in one direction, as every part of the screen shows them.
    ///
    /// The service's figure while transfers run; at the beginning and at the end it lags behind, as it does after a
    /// limit was lowered, and would contradict the rates in the list.
    func shown(_ kind: TransferKind, _ tally: Tally) -> Double {
        let isUpload = kind == .upload
        let sum = Double(isUpload ? tally.rateUp : tally.rateDown)
        let running = isUpload ? tally.runningUp : tally[.running] - tally.runningUp
        guard running > 0, let sampled = isUpload ? upNow : downNow, sampled > 0 else { return sum }
        let limit = isUpload ? limits?.upload : limits?.download
        guard let limit, sampled > Double(limit) * Graph.tolerance else { return sampled }
        // Samples from before the limit came into force exceed it; the rates in the list begin again with it.
        return sum > 0 ? min(sum, sampled) : Double(limit)
    }

    /// Of all transfers in one direction, in steps of a length.
    func samples(_ kind: TransferKind, _ span: GraphSpan) -> [Double?] {
        Self.samples(kind == .upload ? upSeries : downSeries, span)
    }

    static func samples(_ series: [TransferRates.Series], _ span: GraphSpan) -> [Double?] {
        (series.first { $0.step == span.rawValue }?.rates ?? []).map { $0.map(Double.init) }
    }

    /// Exponentially weighted, the newest sample most.
    private static func mean(_ samples: [Double?]) -> Double? {
        let latest = samples.suffix(silence)
        if latest.count == silence, latest.allSatisfy({ $0 == 0 }) { return 0 }
        var (sum, weights, weight) = (0.0, 0.0, 1.0)
        for sample in samples.suffix(15).reversed() {
            guard let sample else { break }
            sum += sample * weight
            weights += weight
            weight *= 1 - 1 / memory
        }
        return weights > 0 ? sum / weights : nil
    }
}

extension Graph {
    /// How far a second may exceed a limit: bytes arrive in bursts.
    static let tolerance = 1.25

    /// The top of a graph: the limit in force, or the scale of the largest sample if more moved before.
    static func scale(_ samples: [Double?], limit: Int?) -> Double {
        let peak = samples.suffix(60).reduce(0) { max($0, $1 ?? 0) }
        if let limit, Double(limit) * tolerance >= peak { return Double(limit) }
        return scale(peak)
    }
}
