// SPDX-License-Identifier: MIT

/// Which options of a command its own manual page describes, and which another page does. Options are the same if their
/// names, values and texts are.
struct SharedOptions {
    /// Of both `get` and `put`, in the order of `get`.
    let common: [CommandInventory.Argument]
    private let tool: CommandInventory

    struct Split {
        var own: [CommandInventory.Argument]
        /// `get` or `put`, whose page describes ``ofBase``.
        var base: String?
        var ofBase: [CommandInventory.Argument]
        var common: [CommandInventory.Argument]
    }

    init(of tool: CommandInventory) {
        self.tool = tool
        let put = Set(tool.command(at: ["put"]).options)
        common = tool.command(at: ["get"]).options.filter(put.contains)
    }

    func split(_ command: CommandInventory, at path: [String]) -> Split {
        let base = path.count == 2 && path[0] == "add" ? ["get", "put"].first { $0 == path[1] } : nil
        let baseOptions = Set(base.map { tool.command(at: [$0]).options } ?? [])
        var split = Split(own: [], base: base, ofBase: [], common: [])
        for option in command.options {
            if common.contains(option) {
                split.common.append(option)
            } else if baseOptions.contains(option) {
                split.ofBase.append(option)
            } else {
                split.own.append(option)
            }
        }
        return split
    }
}

extension CommandInventory {
    /// Options and flags that help and manual show.
    var options: [Argument] { (arguments ?? []).filter { $0.shouldDisplay && $0.kind != .positional } }
}
