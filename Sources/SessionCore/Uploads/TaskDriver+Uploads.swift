// SPDX-License-Identifier: MIT

import HTTPTypes
import Synchronization
import TransferModel

/// Uploads that may be resumed, as tasks of a session.
extension TaskDriver {
    /// Decides, once, whether the upload may be resumed, and chooses the exchange that an attempt begins with.
    /// - Throws: code `cannotReadSource` if the file cannot be read, or is not the one that the server has bytes of.
    func chooseProtocol(_ session: TransferSession) throws(TransferError) {
        if !upload.isProtocolChosen {
            machine.resumable = try resumable(session)
            upload.isProtocolChosen = true
        }
        guard machine.resumable != nil else { return }
        defer { passUploadNews(to: session) }
        try machine.beginUpload(knowing: session.uploadSupport(of: machine.first.url.origin))
    }

    func passUploadNews(to session: TransferSession) {
        guard let news = machine.uploadNews else { return }
        machine.uploadNews = nil
        let origin = machine.first.url.origin
        switch news {
        case .announced(let support): session.noteUploads(support, of: origin)
        case .outdated: session.forgetUploads(of: origin)
        }
    }

    private func resumable(_ session: TransferSession) throws(TransferError) -> ResumableUpload? {
        let chosen = session.configuration.uploadResumption
        switch payload {
        case .upload(.file(let path), _) where chosen != .never:
            let source = try UploadSourceFile(path: path)
            return open(source, chosen)
        case .upload(.bytes(let bytes), _) where chosen != .never:
            return ResumableUpload(subject(file: nil, size: Int64(bytes.count)), chosen)
        case .continued(let data):
            let source = try UploadSourceFile(path: data.filePath)
            guard source.stored.matches(data.source) else {
                throw UploadSourceFile.changeError(of: data.filePath, after: data.confirmed)
            }
            let usual: UploadResumption = data.point.carrier == .tus ? .tus : .ietf
            return open(source, chosen == .never ? usual : chosen, point: data.point)
        case .data, .upload, .opened, .download: return nil
        }
    }

    private func open(
        _ source: UploadSourceFile, _ resumption: UploadResumption, point: UploadPoint? = nil
    ) -> ResumableUpload {
        upload.source = source
        let file = TaskSnapshot.UploadedFile(
            target: machine.first.url, method: machine.first.method, path: UploadSourceFile.absolute(source.path),
            identity: source.stored)
        face.withLock { $0.uploadSource = file }
        return ResumableUpload(subject(file: source.path, size: source.size), resumption, point: point)
    }

    /// The address of a `PUT` names the file; any other one is where files are created.
    private func subject(file: String?, size: Int64) -> UploadSubject {
        let (target, method) = (machine.first.url, machine.first.method)
        let named = method == .put ? target.lastPathSegment : nil
        let own = file.flatMap { $0.lastPathPart.map(String.init) }
        return UploadSubject(
            target: target, method: method, name: named ?? own ?? "upload", size: size,
            needsTarget: !request.options.conditions.isEmpty)
    }
}

extension TransferSession {
    func uploadSupport(of origin: String) -> UploadSupport? {
        let now = scheduler.now
        return core.assumeIsolated { $0.uploadSupport.support(of: origin, at: now) }
    }

    func noteUploads(_ support: UploadSupport, of origin: String) {
        let now = scheduler.now
        core.assumeIsolated { $0.uploadSupport.note(support, of: origin, at: now) }
    }

    func forgetUploads(of origin: String) { core.assumeIsolated { $0.uploadSupport.forget(origin) } }
}
