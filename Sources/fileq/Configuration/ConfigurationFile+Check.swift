// SPDX-License-Identifier: MIT

import TransferModel

extension ConfigurationFile {
    /// - Throws: code `usage` with the line, for the first key or table that `inventory` does not know.
    func check(against inventory: CommandInventory) throws(TransferError) {
        try check(
            root, name: nil, command: inventory,
            allowed: inventory.settableNamesOfAll.union(
                [Self.networkTable, Self.hooksTable, Self.notifyTable, Self.sleepKey]))
        _ = try pathOverrides()
        _ = try hookCommands()
        _ = try notifySettings()
        _ = try inhibitsSleep()
        _ = try remoteSettings()
        _ = try savedPlaces()
    }

    private func check(
        _ table: ConfigurationValue.Table, name: String?, command: CommandInventory,
        allowed: Set<String>
    ) throws(TransferError) {
        for key in table.keys.sorted() where name != nil || key != Self.placesTable {
            // First, as a command may be named like an option of another one: `interface`.
            if let inner = table[key]?.table, let next = command.subcommands?.first(where: { $0.commandName == key }) {
                try check(
                    inner, name: key, command: next, allowed: next.settableNamesOfAll.union(Self.tables(of: next)))
                continue
            }
            guard !allowed.contains(key) else { continue }
            let place = name.map { "in [\($0)]" } ?? "at the top"
            throw TransferError(
                .usage,
                "\(location(of: key, table: name)): unknown option '\(key)' \(place); "
                    + "keys are long options without the dashes, tables are commands")
        }
    }
}
