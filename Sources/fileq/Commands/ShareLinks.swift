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

    /// The path below which the uploads are, and the names of the folders that were given.
    var base = ""
    var folders: Set<String> = []
    /// Whether each link is shown as a QR code, too.
    var showsCodes = false

    /// A link, and the address at which its maker removes it.
    struct Made: Equatable {
        var link: TransferURL
        var removal: TransferURL?
    }

    /// What a link leads to.
    private struct Subject {
        var spec: Spec
        var transfer: Transfer
        /// The path of a folder on the server; `nil` for the file.
        var folder: String?

        var name: String {
            guard let folder else { return TransferName.short(transfer) }
            let name = folder.pathParts.last ?? ""
            return (PercentCoding.decode(String(name)) ?? String(name)) + "/"
        }
    }

    /// Prints links, or why there are none: to each folder that was given, then to each file.
    /// - Returns: the exit code of the first upload without one, else 0.
    func print(for completed: [(Spec, Transfer)]) async -> Int32 {
        var status: Int32 = 0
        let output = FileOutput(descriptor: STDOUT_FILENO)
        let isForPeople = !writesJSON && isatty(STDOUT_FILENO) == 1
        let subjects = subjects(completed)
        for subject in subjects {
            do throws(TransferError) {
                let made = try await link(to: subject.transfer, subject.spec, folder: subject.folder)
                let name = TextSanitizer.clean(subject.name)
                let line =
                    writesJSON
                    ? event(made, subject, at: SystemClock.wall)
                    : made.link.string + (subjects.count > 1 ? "\t" + name : "")
                guard output.write(line + "\n") else {
                    let failure = FileOutput.failure()
                    if failure.systemErrno != EPIPE { StandardError.say(MessageCatalog.text(failure)) }
                    return ExitStatus.of(failure)
                }
                if showsCodes, !QRCodeText.show(made.link.string) {
                    StandardError.say("--qr: libqrencode (Debian's libqrencode4) is not installed")
                }
                if isForPeople, let removal = made.removal {
                    StandardError.say("you can delete the link to \(name) at \(removal.string)")
                }
            } catch {
                StandardError.say("\(subject.name): was uploaded, and has no link: \(MessageCatalog.text(error))")
                if status == 0 { status = Int32(error.code.rawValue) }
            }
        }
        return status
    }

    private func subjects(_ completed: [(Spec, Transfer)]) -> [Subject] {
        var seen: Set<String> = []
        let above = completed.compactMap { spec, transfer -> Subject? in
            guard let folder = folder(of: spec.url.path), seen.insert(folder).inserted else { return nil }
            return Subject(spec: spec, transfer: transfer, folder: folder)
        }
        return above + completed.map { Subject(spec: $0, transfer: $1) }
    }

    /// The path of the given folder to which an upload belongs.
    func folder(of path: String) -> String? {
        guard !base.isEmpty, path.hasPrefix(base) else { return nil }
        let rest = path[path.utf8.index(path.startIndex, offsetBy: base.utf8.count)...]
        guard let slash = rest.firstSlash, let name = PercentCoding.decode(String(rest[..<slash])),
            folders.contains(name)
        else { return nil }
        return base + rest[...slash]
    }

    private func event(_ made: Made, _ subject: Subject, at time: Double) -> String {
        line(made, subject.transfer, folder: subject.folder.map { _ in subject.name }, at: time)
    }

    /// - Parameter folder: its name; `nil` for the file.
    func line(_ made: Made, _ transfer: Transfer, folder: String? = nil, at time: Double) -> String {
        var line = JSONLine()
        line.add("time", Timestamp.text(time))
        line.add("event", "shared")
        if folder == nil {
            line.add("id", transfer.id.rawValue)
            line.add("url", TransferURL.displayed(transfer.url))
        }
        line.add("file", folder ?? transfer.file)
        line.add("link", made.link.string)
        line.add("removal", made.removal?.string)
        return line.object
    }

    /// - Throws: why the server makes no link.
    func link(to transfer: Transfer, _ spec: Spec, folder: String? = nil) async throws(TransferError) -> Made {
        var requests = try requests(for: transfer, spec, folder: folder)[...]
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
        let plain = link.replacingCredential(nil)
        let key = head.headerFields[.shareKey].flatMap { key in key.utf8.allSatisfy(Self.isDigit) ? key : nil }
        return Made(
            link: plain,
            removal: try key.map { key throws(TransferError) in
                try TransferURL("\(plain.string)?key=\(key)")
            })
    }

    /// `POST /files/share` at the server of the upload: at the root of its host, then in the folders of the file, the
    /// outermost first, since a proxy may have the server below a path of its own.
    /// - Parameter folder: its path, instead of the file.
    func requests(
        for transfer: Transfer, _ spec: Spec, folder: String? = nil
    ) throws(TransferError) -> [TransferRequest] {
        // A server that stores under another name says where.
        let place = try transfer.location.map { location throws(TransferError) in try spec.url.resolving(location) }
        guard place.map({ $0.origin == spec.url.origin }) ?? true else {
            throw TransferError(.other, "\(spec.url.authority): has stored the file on another server")
        }
        let file = folder ?? (place ?? spec.url).path
        let names = file.pathParts
        let end = folder == nil ? "" : "/"
        return try (0..<max(1, names.count)).map { depth throws(TransferError) in
            func path(_ names: some Sequence<Substring>) -> String { names.map { "/" + $0 }.joined() }
            var wanted = wanted
            wanted.target = depth == 0 ? file : path(names.dropFirst(depth)) + end
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

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}
