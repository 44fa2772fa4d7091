// SPDX-License-Identifier: MIT

import Glibc
import HTTPTypes
import Platform
import SessionCore
import TerminalInterface
import TransferModel

/// `--share`: a link to each completed upload, from the server that has it.
struct ShareLinks: Sendable {
    /// Without a target.
    let wanted: ShareRequest
    let writesJSON: Bool
    /// Sends a request without content.
    let send: @Sendable (TransferRequest) async -> Result<HTTPResponse, TransferError>

    /// Prints a link, or why there is none.
    /// - Returns: the exit code of the first upload without one, else 0.
    func print(for completed: [(Spec, Transfer)]) async -> Int32 {
        var status: Int32 = 0
        let output = FileOutput(descriptor: STDOUT_FILENO)
        for (spec, transfer) in completed {
            do throws(TransferError) {
                let link = try await link(to: transfer, spec)
                // Which of a folder's files it leads to.
                let path = completed.count > 1 && !writesJSON ? transfer.pathWithinUpload : nil
                let line = line(link, transfer, at: SystemClock.wall)
                guard output.write(line + (path.map { "\t" + TextSanitizer.clean($0) } ?? "") + "\n") else {
                    let failure = FileOutput.failure()
                    if failure.systemErrno != EPIPE { StandardError.say(MessageCatalog.text(failure)) }
                    return ExitStatus.of(failure)
                }
            } catch {
                StandardError.say("\(spec.file): was uploaded, and has no link: \(MessageCatalog.text(error))")
                if status == 0 { status = Int32(error.code.rawValue) }
            }
        }
        return status
    }

    func line(_ link: TransferURL, _ transfer: Transfer, at time: Double) -> String {
        guard writesJSON else { return link.string }
        var line = JSONLine()
        line.add("time", Timestamp.text(time))
        line.add("event", "shared")
        line.add("id", transfer.id.rawValue)
        line.add("url", TransferURL.displayed(transfer.url))
        line.add("file", transfer.file)
        line.add("link", link.string)
        return line.object
    }

    /// - Throws: why the server makes no link.
    func link(to transfer: Transfer, _ spec: Spec) async throws(TransferError) -> TransferURL {
        var requests = try requests(for: transfer, spec)[...]
        var request = requests.removeFirst()
        var head = try await send(request).get()
        let first = head
        while [404, 405, 501].contains(head.status.code), let next = requests.popFirst() {
            request = next
            head = try await send(request).get()
        }
        // The response of a plain folder to such a request explains nothing.
        if [400, 404, 405, 501].contains(head.status.code) { head = first }
        let authority = spec.url.authority
        guard head.status.code == 201, let location = head.headerFields[.location], !location.isEmpty else {
            let refusal = "\(authority): returned \(head.status.code)"
            let isUnknown = [404, 405, 501].contains(head.status.code) || head.status.kind == .successful
            throw TransferError(
                .httpStatus, isUnknown ? refusal + "; only 'fileq serve' makes links" : refusal,
                fields: .init(host: authority, status: head.status.code))
        }
        guard let link = try? request.url.resolving(location), link.origin == spec.url.origin else {
            throw TransferError(.other, "\(authority): the link is one of another server")
        }
        return link.replacingCredential(nil)
    }

    /// `POST /files/share` at the server of the upload: at the root of its host, then in the folders of the file, the
    /// outermost first, since a proxy may have the server below a path of its own.
    func requests(for transfer: Transfer, _ spec: Spec) throws(TransferError) -> [TransferRequest] {
        // A server that stores under another name says where.
        let place = try transfer.location.map { location throws(TransferError) in try spec.url.resolving(location) }
        guard place.map({ $0.origin == spec.url.origin }) ?? true else {
            throw TransferError(.other, "\(spec.url.authority): has stored the file on another server")
        }
        let file = (place ?? spec.url).path
        let names = file.pathParts
        return try (0..<max(1, names.count)).map { depth throws(TransferError) in
            func path(_ names: some Sequence<Substring>) -> String { names.map { "/" + $0 }.joined() }
            var wanted = wanted
            wanted.target = depth == 0 ? file : path(names.dropFirst(depth))
            var options = spec.options
            options.method = nil
            options.headers.removeAll { UploadExchange.namesOfSubject.contains($0.name) }
            var fields = HTTPFields()
            wanted.write(to: &fields)
            for field in fields { options.headers.append(field) }
            let url = try spec.url.resolving(path(names.prefix(depth)) + ShareRequest.path)
            return TransferRequest(url: url, method: .post, options: options)
        }
    }
}
