// SPDX-License-Identifier: MIT

import ArgumentParser
import TransferControl
import TransferModel

/// The options of `get` and `put` that a background queue supports, and those that only it has.
struct AddOptions {
    var terms: TermOptions
    var request: RequestOptions
    var login: LoginOptions
    var connection: ConnectionOptions
    var network: NetworkOptions
    var identity: IdentityOptions
    var files: FileOptions
    var output: AddOutputOptions
    var refused: ForegroundOptions

    /// The input of the planning of `get` and `put`.
    var group: TransferOptionGroup {
        var trust = TrustOptions()
        (trust.trust, trust.tlsMin, trust.tlsMax) = ([], nil, nil)
        var run = RunOptions()
        run.concurrent = 4
        var shown = OutputOptions()
        (shown.json, shown.plain, shown.quiet, shown.verbose) = (output.json, false, output.quiet, false)
        return TransferOptionGroup(
            request: request, login: login, connection: connection, network: network, identity: identity, trust: trust,
            run: run, files: files, output: shown)
    }
}

/// `add get` and `add put`.
protocol QueueingCommand: GroupedCommand {
    var terms: TermOptions { get }
    var report: AddOutputOptions { get }
    var refused: ForegroundOptions { get }
}

extension QueueingCommand {
    var shared: AddOptions {
        AddOptions(
            terms: terms, request: request, login: login, connection: connection, network: network, identity: identity,
            files: inputs, output: report, refused: refused)
    }
}

/// Start time, priority and conditions of the added transfers.
struct TermOptions: ParsableArguments {
    @Flag(help: "Enqueue paused; 'fileq resume' starts it.")
    var paused = false

    @Option(
        help: ArgumentHelp(
            "Do not start before: 23:30, 'tomorrow 08:00', +2h30m, or a date and time such as "
                + "2026-12-24T18:00:00+01:00.",
            valueName: "time"))
    var at: String?

    @Option(
        help: ArgumentHelp(
            "Start once these transfers of the queue have completed: 3, 3-7 or 1,3-7; can be repeated. If one fails or "
                + "is cancelled, it stays paused until 'fileq resume'.",
            valueName: "ids"))
    var after: [String] = []

    @Flag(help: "Start only on a network without cost, while no other transfer runs.")
    var discretionary = false

    @Option(
        help: ArgumentHelp(
            "Priority: low, normal, high, or a number from 0 to 1. (default: normal)", valueName: "priority"),
        completion: .priorities)
    var priority: String?

    /// - Throws: code `usage`.
    func terms(now: Double, local: LocalTime) throws(TransferError) -> TransferTerms {
        var terms = TransferTerms(paused: paused, isDiscretionary: discretionary)
        if let at { terms.earliestBegin = try StartTime.parse(at, now: now, local: local) }
        let predecessors = try QueueSelection.predecessors(after)
        if !predecessors.isEmpty { terms.after = predecessors }
        return terms
    }

    /// 0…1; `nil` if not given.
    /// - Throws: code `usage`.
    func rank() throws(TransferError) -> Double? {
        switch priority {
        case nil: return nil
        case "low": return 0.25
        case "normal": return 0.5
        case "high": return 0.75
        case let text?:
            guard let number = Double(text), (0...1).contains(number) else {
                throw TransferError(.usage, option: "--priority", "use low, normal, high or a number from 0 to 1")
            }
            return number
        }
    }
}

/// The output of `add`.
struct AddOutputOptions: ParsableArguments {
    @Flag(help: "Write one JSON object per transfer instead of its ID.")
    var json = false

    @Flag(name: [.customShort("q"), .long], help: "Report errors only.")
    var quiet = false
}

/// Options of `get` and `put` that need a foreground run; declared here to say so.
struct ForegroundOptions: ParsableArguments {
    @Flag var plain = false
    @Flag(name: [.customShort("v"), .long]) var verbose = false
    @Option(name: [.customShort("j", allowingJoined: true), .long]) var concurrent: String?
    @Option var trust: [String] = []
    @Option var tlsMin: String?
    @Option var tlsMax: String?

    /// Warns of those that change neither what is transferred nor how safely: the same words enqueue.
    /// - Throws: code `usage` for the others, and for a number that `get` rejects.
    func check(warn: (String) -> Void) throws(TransferError) {
        let refused = [
            (!trust.isEmpty, "--trust", "the service uses stored keys only; 'fileq trust' adds one"),
            (
                tlsMin != nil || tlsMax != nil, tlsMin != nil ? "--tls-min" : "--tls-max",
                "TLS versions apply to the whole service"
            ),
        ]
        for (isGiven, option, reason) in refused where isGiven {
            throw TransferError(.usage, "\(option) has no effect in the background: \(reason)")
        }
        if let concurrent {
            guard let number = Int(concurrent), (1...256).contains(number) else {
                throw TransferError(.usage, option: "--concurrent", "use a number from 1 to 256")
            }
            warn(
                "--concurrent has no effect here, since it applies to the whole queue: 'fileq set --concurrent "
                    + "\(number)' changes it")
        }
        if plain { warn("--plain has no effect here, since 'add' shows no progress: 'fileq wait --plain' does") }
        if verbose { warn("--verbose has no effect here, since 'add' has no metrics: 'fileq info ID' shows them") }
    }
}
