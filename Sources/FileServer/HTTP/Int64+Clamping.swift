// SPDX-License-Identifier: MIT

/// For numbers of clients and sizes of files, neither of them negative: a result beyond `Int64.max` is that number.
extension Int64 {
    func clampedSum(_ other: Int64) -> Int64 {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? .max : sum
    }
}
