// SPDX-License-Identifier: MIT

import SessionCore
import TransferModel

extension ConfigurationFile {
    /// `[network]` is not a command: it sets the traits of networks, and their order.
    static let networkTable = "network"

    /// `[network]` with `constrained` and `prefer`, a list of names or kinds; and `[network.interface.NAME]` with
    /// `expensive`, `constrained` and `cellular`, each true or false.
    /// - Throws: code `usage` with the line, for anything else in these tables.
    func pathOverrides() throws(TransferError) -> PathOverrides {
        var overrides = PathOverrides()
        guard let value = root[Self.networkTable] else { return overrides }
        guard let network = value.table else {
            throw TransferError(
                .usage, "\(location(of: Self.networkTable, table: nil)): 'network' is a table: use [network]")
        }
        overrides.constrainsAll = try flag("constrained", in: network, name: Self.networkTable) ?? false
        overrides.preferred = try preferred(in: network)
        try refuse(all: network, but: ["constrained", "prefer", "interface"], name: Self.networkTable)
        guard let interfaces = network["interface"] else { return overrides }
        guard let interfaces = interfaces.table else {
            throw TransferError(
                .usage,
                "\(location(of: "interface", table: Self.networkTable)): an interface is a table: "
                    + "use [network.interface.NAME]")
        }
        for name in interfaces.keys.sorted() {
            guard let table = interfaces[name]?.table else {
                throw TransferError(
                    .usage,
                    "\(location(of: name, table: "interface")): an interface is a table: "
                        + "use [network.interface.\(name)]")
            }
            try refuse(all: table, but: ["expensive", "constrained", "cellular"], name: name)
            overrides.interfaces[name] = PathOverrides.Traits(
                isExpensive: try flag("expensive", in: table, name: name),
                isConstrained: try flag("constrained", in: table, name: name),
                isCellular: try flag("cellular", in: table, name: name))
        }
        return overrides
    }

    /// Names are not known in advance: one that no interface has is passed over.
    private func preferred(in network: ConfigurationValue.Table) throws(TransferError) -> [String] {
        guard let value = network["prefer"] else { return [] }
        let words = value.array?.compactMap(\.string) ?? []
        guard let array = value.array, words.count == array.count,
            words.allSatisfy({ (1...15).contains($0.utf8.count) && !$0.contains { $0.isWhitespace || $0 == "/" } })
        else {
            throw TransferError(
                .usage,
                "\(location(of: "prefer", table: Self.networkTable)): 'prefer' is a list of interfaces, such as "
                    + "\"wlan0\", or kinds: \"wired\", \"wifi\", \"cellular\", \"vpn\"")
        }
        return words
    }

    func flag(_ key: String, in table: ConfigurationValue.Table, name: String?) throws(TransferError) -> Bool? {
        guard let value = table[key] else { return nil }
        guard let flag = value.bool else {
            throw TransferError(.usage, "\(location(of: key, table: name)): '\(key)' must be true or false")
        }
        return flag
    }

    private func refuse(all table: ConfigurationValue.Table, but allowed: [String], name: String) throws(TransferError)
    {
        guard let key = table.keys.sorted().first(where: { !allowed.contains($0) }) else { return }
        let path = name == Self.networkTable ? name : "\(Self.networkTable).interface.\(name)"
        throw TransferError(
            .usage,
            "\(location(of: key, table: name)): unknown key '\(key)' in [\(path)]; "
                + "known keys: \(allowed.joined(separator: ", "))")
    }
}
