// SPDX-License-Identifier: MIT

import ArgumentParser
import Glibc
import TerminalInterface
import TransferControl
import TransferModel

extension CompletionKind {
    /// IDs of transfers, and filters: the scripts request them, and ``ShellCompletion`` replies.
    static let transfers = CompletionKind.custom { (_: [String], _: Int, _: String) -> [String] in [] }
    /// Names of places, in the same way.
    static let places = transfers
    static let interfaces = CompletionKind.shellCommand("ls /sys/class/net 2>/dev/null")
    static let priorities = CompletionKind.list(["low", "normal", "high"])
}

/// A request of a completion script: `fileq ---completion pause -- positional@0 2 0 fileq pause ''`.
struct ShellCompletion: Equatable {
    /// The first word of each.
    static let request = "---completion"

    enum Shell: String { case bash, zsh, fish }

    struct Proposal: Equatable {
        var word: String
        var help = ""
    }

    /// The words of filters that have few.
    private static let values = [
        "state": TransferState.allCases.map(\.rawValue), "kind": [TransferKind.download, .upload].map(\.rawValue),
    ]
    /// The most IDs, and the most servers.
    private static let most = (ids: 200, hosts: 20)
    /// Seconds that the user waits for the queue.
    private static let patience = 1.0

    /// Without the name of the program.
    private(set) var command: [String]
    /// The command line, with the name of the program.
    private(set) var words: [String]
    /// Of the word that is completed.
    private(set) var index: Int

    init?(_ request: [String]) {
        guard request.first == Self.request, let end = request.firstIndex(of: "--") else { return nil }
        // The argument, the index of the word, and that of the cursor in it.
        let rest = Array(request[(end + 1)...])
        guard rest.count >= 3, let index = Int(rest[1]) else { return nil }
        (command, words) = (Array(request[1..<end]), Array(rest[3...]))
        self.index = index
    }

    /// Its words are addresses, or names of places.
    var concernsPlaces: Bool { [["get"], ["add", "get"]].contains(command) || command.first == "places" }

    /// `NAME:` as the begin of an address, and `NAME` for commands about places.
    func proposals(of places: SavedPlaces) -> [Proposal] {
        let end = command.first == "places" ? "" : ":"
        return places.all.map { Proposal(word: $0.name + end, help: TextSanitizer.clean($0.url)) }
    }

    /// Those for the word, of which the shell shows what begins as the word does.
    func proposals(for shell: Shell?, _ transfers: [Transfer]) -> [Proposal] {
        if shell == .bash, let field = fieldBeforeColon {
            let hosts = field == "host" ? self.hosts(of: transfers) : []
            return (hosts + (Self.values[field] ?? [])).map { Proposal(word: $0) }
        }
        let typed = words.indices.contains(index) ? words[index] : ""
        let others = Set(words.indices.filter { $0 != index }.map { words[$0] })
        let states = self.states
        var found = command == ["move"] ? QueueMove.allCases.map { Proposal(word: $0.rawValue) } : []
        let meant = transfers.lazy.filter { transfer in
            let id = transfer.id.description
            return states.contains(transfer.state) && id.hasPrefix(typed) && !others.contains(id)
        }
        for transfer in meant.prefix(Self.most.ids) {
            let name = TextSanitizer.clean(transfer.displayName)
            found.append(Proposal(word: transfer.id.description, help: "\(name), \(transfer.state.rawValue)"))
        }
        for (field, values) in Self.values.sorted(by: { $0.key > $1.key }) {
            found += values.map { Proposal(word: "\(field):\($0)") }
        }
        return found + hosts(of: transfers).map { Proposal(word: "host:\($0)") }
    }

    /// bash has words of their own for `state`, `:` and what follows.
    private var fieldBeforeColon: String? {
        for place in [index, index - 1] where place > 0 && words.indices.contains(place) && words[place] == ":" {
            return words[place - 1]
        }
        return nil
    }

    /// Those to which the command applies.
    private var states: Set<TransferState> {
        switch command.first {
        case "pause", "cancel", "move": QueueAction.notEnded
        case "resume": [.paused, .waiting, .retrying, .queued]
        case "retry": [.failed, .cancelled, .retrying]
        case "relocate": QueueAction.all.subtracting([.completed])
        case "clear": Set(TransferState.allCases).subtracting(QueueAction.notEnded)
        default: Set(TransferState.allCases)
        }
    }

    /// bash expands what it is given: nothing that may be more than a name.
    private func hosts(of transfers: [Transfer]) -> [String] {
        let names = transfers.prefix(1000).compactMap { (try? TransferURL($0.url))?.host }
        let plain = names.filter { name in
            name.utf8.allSatisfy { byte -> Bool in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
        }
        return Array(Set(plain).sorted().prefix(Self.most.hosts))
    }

    /// A proposal each line, as the script of the shell reads them.
    static func text(_ proposals: [Proposal], for shell: Shell?) -> String {
        var lines = proposals.map { proposal -> String in
            switch shell {
            case .zsh:
                proposal.word.replacing(":", with: "\\:") + (proposal.help.isEmpty ? "" : ":\(proposal.help)")
            case .fish: proposal.word + (proposal.help.isEmpty ? "" : "\t\(proposal.help)")
            case .bash, nil: proposal.word
            }
        }
        // Its script drops the last one.
        if shell == .zsh { lines.append(" ") }
        return lines.joined(separator: "\n")
    }

    /// Prints what a script requests; nothing where there is no service or where it does not reply.
    /// - Returns: the exit code.
    static func reply(to words: [String]) async -> Int32 {
        guard let request = ShellCompletion(words) else { return Int32(TransferError.Code.usage.rawValue) }
        let shell = ProcessEnvironment.value("SAP_SHELL").flatMap { Shell(rawValue: $0) }
        if request.concernsPlaces {
            print(text(request.proposals(of: (try? SavedPlaces.ofUser()) ?? SavedPlaces()), for: shell))
            return 0
        }
        let limit = Task.detached {
            guard (try? await Task.sleep(for: .seconds(patience))) != nil else { return }
            _exit(0)
        }
        let transfers = await transfersOfTheService()
        limit.cancel()
        print(text(request.proposals(for: shell, transfers), for: shell))
        return 0
    }

    private static func transfersOfTheService() async -> [Transfer] {
        do {
            let client = try await ServiceAccess.launcher().connect(startsService: false)
            defer { client.close() }
            return try await client.transfers(matching: QueueFilter())
        } catch {
            return []
        }
    }
}
