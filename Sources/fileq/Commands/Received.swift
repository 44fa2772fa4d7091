// SPDX-License-Identifier: MIT

import Dispatch
import Platform
import Synchronization
import TransferControl
import TransferModel

/// A download that was received in memory, through a pipe: nothing of it is in a file.
struct Received: Sendable {
    /// `nil`: there were more than the limit, and the rest was not received.
    var bytes: [UInt8]?
    /// `nil`: the download has completed.
    var failure: TransferError?

    /// Carries out a plan of one download.
    init(downloading plan: TransferPlan, limit: Int) async throws {
        let pipe = try ReceivingPipe()
        defer { pipe.finishWriting() }
        let redirected = Self.redirected(plan.descriptions, to: pipe.number)
        let queue = try makeQueue(plan.settings)
        let updates = queue.client.updates()
        let reading = Task { try await pipe.read(limit: limit) }
        var ledger = RunLedger(order: try await queue.client.add(redirected, paused: false))
        for await update in updates {
            for event in ledger.take(update, now: SystemClock.wall, isStopping: false) {
                failure = event.transfer.error ?? failure
            }
            if ledger.isFinished { break }
        }
        await queue.stop()
        pipe.finishWriting()
        bytes = try await reading.value
        if ledger.isSuccess {
            failure = nil
        } else {
            failure = failure ?? TransferError(.other, "the list could not be downloaded")
        }
    }

    /// The same downloads, written to a descriptor.
    static func redirected(_ descriptions: [Spec], to descriptor: Int32) -> [Spec] {
        descriptions.map { description in
            guard case .download(var download) = description.operation else { return description }
            download.destination = .stream(descriptor: descriptor)
            var description = description
            description.operation = .download(download)
            return description
        }
    }
}

/// A pipe whose reader takes no more than it wants: the writer then fails with `EPIPE`.
private final class ReceivingPipe: Sendable {
    private let reader: Mutex<Descriptor?>
    private let writer: Mutex<Descriptor?>
    /// The writing end.
    let number: Int32
    private let queue = DispatchQueue(label: "fileq.received")

    init() throws(SystemError) {
        let (reading, writing) = try Descriptor.pipe()
        number = writing.number
        reader = Mutex(reading)
        writer = Mutex(writing)
    }

    /// The reader comes to the end. May be called again.
    func finishWriting() { writer.withLock { $0 = nil } }

    /// Reads to the end, or until there is more than `limit`. Call it once.
    func read(limit: Int) async throws -> [UInt8]? {
        try await withCheckedThrowingContinuation { continuation in
            queue.async {
                let end = self.reader.withLock { end in
                    defer { end = nil }
                    return end
                }
                // Closed behind the last byte that is wanted.
                continuation.resume(with: Result { try end?.readToEnd(limit: limit) })
            }
        }
    }
}
