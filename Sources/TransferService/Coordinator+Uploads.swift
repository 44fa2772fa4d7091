// SPDX-License-Identifier: MIT

import CLinux
import Crypto
import Dispatch
import FoundationEssentials
import Glibc
import HTTPTypes
import SessionCore
import TransferModel
import TransferStore

/// How uploads begin.
extension Coordinator {
    func startUpload(_ job: Job, _ upload: Upload) throws {
        job.answer = []
        job.folders = nil
        let source = try UploadSourceStatus(upload.source)
        note(job.id) { $0.bytes = 0; $0.confirmed = 0; $0.total = source.size }
        switch upload.form {
        case .put: begin(job, upload, cookies: [], method: .put)
        case .fileQ(let form):
            guard let sid = form.sid ?? job.sid else { return try askForSession(job) }
            try beginKept(job, upload, cookies: try cookies(job, upload, form, sid, source))
        }
    }

    private func cookies(_ job: Job, _ upload: Upload, _ form: FileQUpload, _ sid: String,
                         _ source: UploadSourceStatus) throws -> [Cookie] {
        // Other bytes under the same key would be taken for those that are stored already.
        if job.uploadKey?.source != source { job.uploadKey = (newKey(job, source), source) }
        let key = job.uploadKey?.key
        let checksum = upload.checksum.flatMap { $0.algorithm == .sha256 ? $0 : nil }
        return try FileQCookies(sid: sid, upload: key, name: source.name, size: source.size, modified: source.modified,
                                checksum: checksum, metadata: form.metadata).cookies()
    }

    private func begin(_ job: Job, _ upload: Upload, cookies: [Cookie], method: HTTPMethod) {
        guard let session else { return }
        var request = request(for: job, method: method)
        request.options.cookies += cookies
        let body: UploadBody = switch upload.source {
        case .file(let path): .file(path: path)
        case .stream(let descriptor, _): .stream(descriptor: descriptor)
        }
        run(session.uploadTask(with: request, body: body, digest: UploadReceipt.algorithm(for: upload)), for: job)
    }

    /// One that a later process comes to as well where a power cut has taken it out of the journal.
    private func newKey(_ job: Job, _ source: UploadSourceStatus) -> String {
        guard journal != nil, let transfer = queue[job.id], let stored = source.stored else { return UUID().uuidString.lowercased() }
        let words = "\(transfer.addedAt.bitPattern) \(job.id) \(journal?.past(of: job.id)?.keysGivenUp ?? 0) \(stored.inode) \(stored.size) \(stored.seconds) "
            + "\(stored.nanoseconds) \(job.file)"
        var bytes = Array(SHA256.hash(data: Data(words.utf8)).prefix(16))
        // RFC 9562, section 5.8: a UUID of one's own making.
        (bytes[6], bytes[8]) = (bytes[6] & 0x0f | 0x80, bytes[8] & 0x3f | 0x80)
        let hex = Array(Hex.encode(bytes))
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(hex[$0]) }.joined(separator: "-")
    }

    /// Where there is a journal, the key is in it before the server sees it.
    private func beginKept(_ job: Job, _ upload: Upload, cookies: [Cookie]) throws {
        guard let journal, let transfer = queue[job.id], let source = job.uploadKey?.source.stored,
            journal.past(of: job.id)?.upload != StoredUpload(source: source, key: job.uploadKey?.key) else {
            return begin(job, upload, cookies: cookies, method: .post)
        }
        let (generation, work) = (job.generation, work)
        journal.keepUpload(transfer, job) { [self] error in
            work.async { [self] in
                guard job.generation == generation, queue[job.id]?.state == .running else { return }
                if let error { return judge(job, error, retryAfter: nil) }
                begin(job, upload, cookies: cookies, method: .post)
            }
        }
    }

    /// `POST /session` at the same server gives the SID that the user did not name.
    private func askForSession(_ job: Job) throws {
        guard let session else { return }
        var request = request(for: job, method: .post)
        request.url = try job.description.url.resolving("/session")
        request.method = .post
        run(session.dataTask(with: request, body: []), for: job)
    }

    /// The answer to ``askForSession(_:)``.
    func sessionAnswered(_ job: Job, _ task: TransferTask, _ error: TransferError?) {
        let head = task.response
        let failure = error ?? head.flatMap { HTTPStatusError.make($0, authority: job.description.url.authority) }
        if let failure { return judge(job, failure, retryAfter: nil) }
        let text = String(decoding: job.answer, as: UTF8.self)
        let cookie = task.response?.headerFields[values: .setCookie].first { $0.hasPrefix("fileuploadSID=") }
        let fromCookie = cookie.map { String($0.dropFirst("fileuploadSID=".count).prefix { $0 != ";" }) }
        guard let sid = fromCookie ?? SessionAnswer.sid(in: text), !sid.isEmpty else {
            return failed(job, TransferError(.other, "\(job.description.url.authority): gave no session; name one of your own"))
        }
        job.sid = sid
        keepSession(job, sid) { [self] in
            // Paused meanwhile: going on starts the upload itself.
            guard let upload = job.upload, queue[job.id]?.state == .running else { return }
            attempt(job) { try startUpload(job, upload) }
        }
    }
}

/// The body of a `POST /session` answer.
private struct SessionAnswer: Decodable {
    var sid: String

    static func sid(in text: String) -> String? {
        (try? JSONDecoder().decode(SessionAnswer.self, from: Data(text.utf8)))?.sid
    }
}

/// What can be said of a source before it is read.
struct UploadSourceStatus: Equatable {
    var name: String
    var size: Int64?
    /// Seconds since 1970.
    var modified: Int64?
    private var nanoseconds = 0
    private var inode: UInt64 = 0

    /// `nil` for a stream.
    var stored: StoredUpload.Source? {
        guard let size, let modified else { return nil }
        return StoredUpload.Source(inode: inode, size: size, seconds: modified, nanoseconds: Int64(nanoseconds))
    }

    /// As it was stored of a file of this name.
    init(name: String, stored: StoredUpload.Source) {
        self.name = name
        (size, modified) = (stored.size, stored.seconds)
        (nanoseconds, inode) = (Int(stored.nanoseconds), stored.inode)
    }

    /// - Throws: code `cannotReadSource`.
    init(_ source: Upload.Source) throws(TransferError) {
        switch source {
        case .stream(_, let name):
            self.name = name
        case .file(let path):
            var status = stat()
            guard stat(path, &status) == 0 else {
                let code = errno
                throw TransferError(.cannotReadSource, "\(path): cannot read: \(SystemCall.message(code))", systemErrno: code)
            }
            guard status.st_mode & S_IFMT == S_IFREG else {
                throw TransferError(.cannotReadSource, "\(path): is not a regular file")
            }
            name = path.split(separator: "/").last.map(String.init) ?? path
            size = Int64(status.st_size)
            modified = Int64(status.st_mtim.tv_sec)
            nanoseconds = status.st_mtim.tv_nsec
            inode = UInt64(status.st_ino)
        }
    }
}
