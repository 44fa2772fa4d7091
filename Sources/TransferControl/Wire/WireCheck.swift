// SPDX-License-Identifier: MIT

import TransferModel

/// Checks of single received values. Errors have code `usage` and name the member, never its value.
enum WireCheck {
    /// Rejects relative paths, since the service has another working folder.
    static func path(_ path: String?, _ name: String) throws(TransferError) {
        guard let path else { return }
        guard path.utf8.first == UInt8(ascii: "/"), !path.utf8.contains(0) else {
            throw TransferError(ParameterProblem(name, .path))
        }
    }

    /// At most 10⁹, longer than any process runs.
    static func seconds(_ value: inout Double?, _ name: String) throws(TransferError) {
        guard let given = value else { return }
        guard given > 0, given.isFinite else { throw TransferError(ParameterProblem(name, .seconds)) }
        value = min(given, 1e9)
    }

    /// From 1970 to the year 9999.
    static func time(_ value: Double, _ name: String) throws(TransferError) -> Double {
        guard (0..<253_402_300_800).contains(value) else {
            throw TransferError(ParameterProblem(name, .time))
        }
        return value
    }

    @discardableResult
    static func number(_ value: Int?, atLeast least: Int, _ name: String) throws(TransferError) -> Int? {
        guard let value else { return nil }
        guard value >= least else { throw TransferError(ParameterProblem(name, .least, minimum: Int64(least))) }
        return value
    }

    /// How many a client asks for.
    static func count(_ value: Int, upTo maximum: Int, _ name: String = "limit") throws(TransferError) {
        guard (1...maximum).contains(value) else {
            throw TransferError(ParameterProblem(name, .range, from: 1, to: maximum))
        }
    }

    @discardableResult
    static func priority(_ value: Double) throws(TransferError) -> Double {
        guard (0...1).contains(value) else { throw TransferError(ParameterProblem("priority", .range, to: 1)) }
        return value
    }

    /// A name or an address in the transport's syntax: whether it exists is known only when a connection is made.
    static func interface(_ text: String) throws(TransferError) {
        guard !text.isEmpty, text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f }) else {
            throw TransferError(ParameterProblem("interface", .interface))
        }
    }
}
