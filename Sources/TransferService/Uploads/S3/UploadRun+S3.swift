// SPDX-License-Identifier: MIT

import Crypto
import Dispatch
import FoundationEssentials
import HTTPTypes
import SessionCore
import TransferModel

/// Uploads to S3: keys, digests and signatures of the exchanges that ``SessionCore/MultipartUpload`` decides on.
extension UploadRun {
    /// Begins an attempt, or continues.
    func sendToS3(_ form: S3Upload) {
        endBeside()
        // Another attempt may find other keys in the file.
        resumption.credential = nil
        withCredential(form) { [self] in
            guard !continues(), !beginsResumably([], .put) else { return }
            throw TransferError(.usage, .streamDigest)
        }
    }

    func multipartUpload(_ form: S3Upload, _ subject: UploadSubject, _ point: UploadPoint?) -> MultipartUpload {
        let hasOwnChecksum = description.options.headers.contains {
            $0.name.canonicalName.hasPrefix("x-amz-checksum-")
                || $0.name.canonicalName == "x-amz-sdk-checksum-algorithm"
        }
        return MultipartUpload(
            subject, region: form.region, partSize: form.partSize, statesChecksums: !hasOwnChecksum,
            digests: Self.digests, point: point)
    }

    private nonisolated static let digests = MultipartUpload.Digests(
        sha256: { Array(SHA256.hash(data: Data($0))) }, md5: { Array(Insecure.MD5.hash(data: Data($0))) },
        base64: { Data($0).base64EncodedString() })

    // MARK: Keys

    /// Continues with keys to sign with, or fails for want of them.
    private func withCredential(_ form: S3Upload, then proceed: @escaping @EngineActor @Sendable () throws -> Void) {
        if let known = resumption.credential ?? form.credential {
            resumption.credential = known
            return engine.attempt(self) { try proceed() }
        }
        engine.runInBackground(for: self) {
            S3RequestSigner.credential(of: form)
        } then: { [self] found in
            guard let found else { throw S3RequestSigner.missingCredential(form) }
            resumption.credential = found
            try proceed()
        }
    }

    // MARK: Exchanges

    /// Computes the digest of what is sent, then sends it.
    func launchSigned(_ exchange: UploadExchange, isStored: Bool) {
        guard let range = exchange.body, !range.isEmpty else {
            return launchSigned(exchange, Array(SHA256.hash(data: Data(exchange.content ?? []))))
        }
        if let spool = resumption.spool {
            guard range.lowerBound >= spool.start else { return engine.failed(self, streamIsGone) }
            return launchSigned(exchange, Array(SHA256.hash(data: Data(spool.bytes(range)))))
        }
        engine.attempt(self) {
            let source = try source()
            engine.readFile(of: self) {
                let digest = FileDigest.compute(.sha256, of: source.descriptor, range: range)
                return source.hasChanged ? nil : digest
            } then: { [self] digest in
                guard let digest else { throw source.changeError }
                launchSigned(exchange, digest, source, isStored: isStored)
            }
        }
    }

    private func launchSigned(
        _ exchange: UploadExchange, _ digest: [UInt8], _ source: UploadSourceFile? = nil, isStored: Bool = false
    ) {
        // Paused meanwhile: resuming asks the server first.
        guard let session = engine.session, engine.queue[id]?.state == .running else { return }
        let request = signed(request(for: exchange), exchange, digest)
        (resumption.exchange, resumption.digest) = (exchange, digest)
        guard let range = exchange.body, !range.isEmpty else {
            let content = exchange.content ?? (exchange.body == nil && exchange.method != .post ? nil : [])
            return engine.launch(session.dataTask(with: request, body: content), for: self)
        }
        if let source {
            let gate = gate(exchange, isStored: isStored)
            engine.launch(session.uploadTask(with: request, source: source, range: range, gate: gate), for: self)
            return sendBeside()
        }
        guard let spool = resumption.spool else { return }
        engine.launch(session.uploadTask(with: request, body: .bytes(spool.bytes(range))), for: self)
    }

    /// The request with its digest, its date and its signature.
    func signed(_ request: TransferRequest, _ exchange: UploadExchange, _ digest: [UInt8]) -> TransferRequest {
        guard let signature = exchange.signature, let credential = resumption.credential else { return request }
        var fields: HTTPFields = [:]
        if signature.statesChecksum { fields[.checksumSHA256] = Data(digest).base64EncodedString() }
        // With the object the store keeps the type that its creation states.
        let isCreation = exchange.purpose == .creation
        if isCreation || exchange.body != nil, !request.options.headers.contains(where: { $0.name == .contentType }) {
            fields[.contentType] = isCreation ? MediaType.of(exchange.url.path) : "application/octet-stream"
        }
        return S3RequestSigner(credential: credential, region: signature.region)
            .signed(request, digest: digest, with: fields, at: Int64(engine.scheduler.wallNow))
    }

    /// Removes the parts that the store has. The run may have ended.
    func abandonAtS3(_ form: S3Upload, _ exchange: UploadExchange) {
        if let known = resumption.credential ?? form.credential { return abandon(exchange, known) }
        engine.background.async { [self] in
            let found = S3RequestSigner.credential(of: form)
            EngineActor.async { [self] in if let found { abandon(exchange, found) } }
        }
    }

    private func abandon(_ exchange: UploadExchange, _ credential: S3Credential) {
        guard let session = engine.session else { return }
        resumption.credential = credential
        let digest = Array(SHA256.hash(data: Data()))
        session.dataTask(with: signed(request(for: exchange), exchange, digest), events: { _ in }).resume()
    }
}

extension HTTPField.Name {
    fileprivate static let checksumSHA256 = Self("x-amz-checksum-sha256")!
}
