// SPDX-License-Identifier: MIT

/// How a program treats a running service. No I/O.
enum ServiceMatch: Sendable, Hashable {
    case use
    /// It is older: stop it and start this program's own.
    case replace
    /// It is newer, with an incompatible protocol.
    case refuse

    /// A version of the program, and of its protocol.
    struct Side: Sendable, Hashable {
        var version: String
        var `protocol`: Int
    }

    /// A newer service is never replaced, so that two installed versions do not replace each other forever.
    static func evaluate(service: Side, program: Side) -> ServiceMatch {
        if service == program { return .use }
        if service.protocol != program.protocol {
            return service.protocol < program.protocol && !isNewer(service.version, than: program.version)
                ? .replace : .refuse
        }
        return isNewer(program.version, than: service.version) ? .replace : .use
    }

    /// Compares numbers in order. Versions without numbers are equal.
    static func isNewer(_ left: String, than right: String) -> Bool {
        guard let left = numbers(left), let right = numbers(right) else { return false }
        for index in 0..<max(left.count, right.count) {
            let (one, other) = (index < left.count ? left[index] : 0, index < right.count ? right[index] : 0)
            if one != other { return one > other }
        }
        return false
    }

    /// `1.2.3-rc1` → 1, 2, 3
    private static func numbers(_ version: String) -> [Int]? {
        let parts = version.prefix { $0 == "." || $0.isASCII && $0.isNumber }.split(
            separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Int($0) }
        return numbers.isEmpty || numbers.count != parts.count ? nil : numbers
    }
}
