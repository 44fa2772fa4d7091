// SPDX-License-Identifier: MIT

package enum ConstantTime {
    /// Compares in a time that depends on the length of the secret alone.
    package static func areEqual(_ given: some Collection<UInt8>, _ secret: some Collection<UInt8>) -> Bool {
        let (given, secret) = (Array(given), Array(secret))
        var difference = given.count ^ secret.count
        for (index, byte) in secret.enumerated() {
            difference |= Int(byte ^ (given.isEmpty ? 0 : given[index % given.count]))
        }
        return difference == 0
    }
}
