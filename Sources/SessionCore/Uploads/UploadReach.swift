// SPDX-License-Identifier: MIT

import TransferModel

/// How much of an upload, or of a part of it, may have been sent, by all processes: no server can have more. A value
/// without I/O.
///
/// During a request it lies ahead of what has been sent, in steps, so that it can be stored before the bytes are sent;
/// the end of the request shows what was sent at most.
struct UploadReach: Sendable, Equatable {
    /// Behind the last byte; `nil`: not known, since an earlier process did not store it.
    private(set) var end: Int64?
    /// The same before the request under way.
    private var before: Int64?

    init(_ end: Int64?) { (self.end, before) = (end, end) }

    /// - Parameter point: of an earlier attempt; without one, nothing was sent.
    init(of point: UploadPoint?) { self.init(point.map(\.reach) ?? 0) }

    /// A request with these bytes follows, of which ``BodyGate/step`` may be sent at once.
    mutating func begin(_ range: Range<Int64>) {
        before = end
        extend(to: min(range.upperBound, range.lowerBound + BodyGate.step))
    }

    mutating func extend(to position: Int64) { end = end.map { max($0, position) } }

    /// The request has ended.
    /// - Parameter sent: bytes of it at most; `nil`: all.
    mutating func finish(_ range: Range<Int64>, sent: Int64?) {
        end = before.map { max($0, range.lowerBound + min(Int64(range.count), sent ?? .max)) }
    }

    /// Whether a server can have the bytes below `offset`.
    func admits(_ offset: Int64) -> Bool { end.map { offset <= $0 } ?? true }
}

extension UploadPoint {
    func stating(_ reach: UploadReach) -> UploadPoint {
        var point = self
        point.reach = reach.end
        return point
    }
}
