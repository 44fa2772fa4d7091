// SPDX-License-Identifier: MIT

import HTTPTypes
import SessionCore
import TransferModel

/// Addresses that respond with a Metalink document in place of a file (RFC 5854): the run reads the document, then
/// downloads the file that it describes.
///
/// Nothing of that is stored: a later process asks the address again, and resumes from the partial file, whose name is
/// known without the document.
extension DownloadRun {
    enum Document: Equatable {
        case unknown
        /// A task of its own reads it.
        case requested
        /// It describes the file, which has this name.
        case followed(name: String)

        var name: String? { if case .followed(let name) = self { name } else { nil } }
    }

    /// The addresses of a document; `nil` without one.
    var describedAddresses: [String]? { document.name == nil ? nil : sources.all.map(\.url.string) }

    /// What it means if the present address responds with one.
    var metalinkUse: MetalinkUse {
        if case .followed = document { return .refuses }
        guard download.followsMetalink, download.body == nil, description.options.method ?? .get == .get else {
            return .saves
        }
        switch download.destination {
        case .stream: return .saves
        case .file(let path): return Metalink.isNamed(path) ? .saves : .follows
        case .folder: return .follows
        }
    }

    /// The response was refused since it is one: requests it as data.
    func requestDocument() {
        // Paused meanwhile: resuming begins again.
        guard let session = engine.session, engine.queue[id]?.state == .running else { return }
        (document, answer) = (.requested, [])
        engine.launch(session.dataTask(with: engine.request(for: self, method: .get)), for: self)
    }

    /// The response to ``requestDocument()``.
    func documentEnded(_ task: TransferTask, _ error: TransferError?) {
        let (bytes, url) = (answer, task.currentURL)
        (document, answer) = (.unknown, [])
        guard bytes.count <= Metalink.maximumBytes else {
            return engine.failed(self, metalinkError(.metalinkSize, Metalink.maximumBytes))
        }
        let refusal = task.response.flatMap { HTTPStatusError.make($0, from: task.currentURL) }
        if let failure = error ?? refusal {
            let pause = engine.retryAfter(task.response)
            if moveOn(after: failure, retryAfter: pause) { return }
            return engine.handleFailure(self, failure, retryAfter: pause)
        }
        engine.runInBackground(for: self) {
            Result { () throws(TransferError) in try Metalink(parsing: bytes) }
        } then: { [self] found in
            switch found {
            case .success(let found): try follow(found, at: url)
            case .failure(let error): throw unreadable(error)
            }
            try begin()
        }
    }

    /// - Parameter url: of the document.
    private func follow(_ found: Metalink, at url: TransferURL) throws(TransferError) {
        guard let file = found.files.first, found.files.count == 1 else {
            throw metalinkError(.metalinkFiles, found.files.count)
        }
        let addresses = file.addresses(
            isSecure: url.isSecure, allowsDowngrade: description.options.allowsDowngrade == true)
        guard let first = addresses.first else {
            throw TransferError(.insecureRedirect, .metalinkInsecure, host: address.authority)
        }
        download.checksum = download.checksum ?? file.checksum
        (download.size, download.pieces) = (file.size ?? download.size, file.pieces ?? download.pieces)
        download.mirrors = addresses.dropFirst() + download.mirrors
        document = .followed(name: file.name)
        sources = DownloadSources(
            first.url, download.mirrors, hasDigests: download.checksum != nil || download.pieces != nil)
        (announced, learnedFrom) = (nil, nil)
    }

    private func metalinkError(_ kind: TransferProblem.Kind, _ values: any ProblemValue...) -> TransferError {
        TransferError(
            .other, TransferProblem(name: kind.rawValue, values), host: address.authority,
            fields: .init(variant: .metalink))
    }

    private func unreadable(_ error: TransferError) -> TransferError {
        guard let problem = error.fields.local, let part = NestedProblem(problem, of: "document") else {
            return metalinkError(.metalinkUnreadable, 0, "notXML", error.message)
        }
        // One in a line has its values.
        return problem.localKind == .documentLine
            ? metalinkError(.metalinkUnreadable, problem.numbers, problem.texts)
            : metalinkError(.metalinkUnreadable, 0, part)
    }
}
