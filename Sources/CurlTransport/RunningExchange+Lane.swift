// SPDX-License-Identifier: MIT

import SessionCore

/// Bodies of files whose file system may hang.
extension RunningExchange {
    /// Whether the response body is in its file as far as it has come.
    var isDrained: Bool { lanedSink?.queue.isDrained ?? true }

    func queue(_ piece: UnsafeRawBufferPointer) -> BodySink.Result {
        let taken = lanedSink?.queue.append(piece) ?? 0
        digest(piece.prefix(taken))
        writeNext()
        return .took(taken)
    }

    func writeNext() {
        guard let descriptor = lanedSink?.descriptor, let call = lanedSink?.queue.next() else { return }
        calls?.perform(call, on: descriptor, exchange.placement)
    }

    func readNext() {
        guard source.isReadAhead, let call = source.nextRead() else { return }
        if case .file(let descriptor, let offset, _) = exchange.body {
            calls?.perform(call, on: descriptor, from: offset)
        }
    }

    /// Takes the result of a call, makes the next one, and resumes libcurl when there is room, or something to send.
    /// - Returns: why the exchange must end.
    func fileReplied(_ reply: FileReply) -> ExchangeFailure? {
        switch reply {
        case .failed(let cause): return ExchangeFailure(cause)
        case .stored(let count):
            lanedSink?.queue.returned()
            progress.received += Int64(count)
            writeNext()
            if lanedSink?.queue.hasRoom == true { release(.file) }
        case .read(let bytes, let turn):
            source.returned(bytes, of: turn)
            readNext()
            release(.file)
        }
        return nil
    }
}
