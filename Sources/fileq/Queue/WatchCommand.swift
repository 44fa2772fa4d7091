// SPDX-License-Identifier: MIT

import ArgumentParser
import TransferControl
import TransferModel

/// `fileq watch`
struct WatchCommand: QueueParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Print the events of the queue as they happen.",
        discussion: """
            One JSON object per event, as get and put write them with --json; on a terminal, without --json, one \
            line per event. First come the unfinished transfers, each as the event of its state; with IDs or filters \
            all that they select. A filter is evaluated again at each event: state:failed prints failures as they \
            happen.

            It ends when the service is stopped, or with Ctrl-C (130); the queue keeps running. If the service \
            crashes it is restarted, and the events continue.

            \(SelectionOptions.help)

            Examples:
              fileq watch
              fileq watch state:completed,failed | while read -r event; do …; done
              fileq watch 7 | jq --unbuffered .rate
            """
    )

    @OptionGroup var filter: FilterOptions

    @Flag(help: "Write JSON objects also on a terminal.")
    var json = false

    @OptionGroup var machine: MachineOptions

    func run(in context: QueueContext) async throws {
        let selection = try QueueSelection(filter.which, now: context.now)
        context.interruption.listen()
        var client = try await context.connect(true)
        if selection.namesTransfers { _ = try await selection.resolve(with: client) }
        var ledger = WatchLedger(filter: selection.filter)
        var lines = EventLines(screen: json ? nil : context.screen)
        var output = ResultOutput(context.output)
        while true {
            let listening = client
            context.interruption.arm(onFirst: { _ in listening.close() }, onSecond: {})
            for await update in listening.updates() {
                for event in await Self.ends(before: update, &ledger, listening, now: context.now) {
                    if let text = lines.text(for: event) { try output.write(line: text) }
                }
                for event in ledger.take(update, now: context.now) {
                    if let text = lines.text(for: event) { try output.write(line: text) }
                }
                try output.flush()
            }
            if let number = context.interruption.signalNumber { throw ExitCode(Interruption.exitCode(for: number)) }
            if listening.hasServiceAnnouncedEnd { break }
            client = try await context.reconnect(after: listening, context.say)
        }
        context.say("the background service has ended")
    }

    /// The ends of transfers that a new snapshot no longer has.
    private static func ends(
        before update: QueueUpdate, _ ledger: inout WatchLedger, _ client: ControlClient, now: Double
    ) async -> [TransferEvent] {
        guard case .snapshot(let snapshot) = update else { return [] }
        let missing = ledger.missing(in: snapshot)
        return ledger.take(ended: await client.ended(among: missing).reversed(), of: missing, now: now)
    }
}

/// Events as lines: NDJSON, or text for a terminal.
private struct EventLines {
    let screen: QueueScreen?
    private var objects = JSONEvents()
    private var words = PlainLines()

    init(screen: QueueScreen?) { self.screen = screen }

    mutating func text(for event: TransferEvent) -> String? {
        guard let screen else { return objects.line(for: event).map { String($0.dropLast()) } }
        return words.line(for: event, ended: nil).map { "\(event.transfer.id) \(screen.traits.glyphs.shown($0))" }
    }
}
