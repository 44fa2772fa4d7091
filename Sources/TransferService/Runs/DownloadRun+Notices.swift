// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import HTTPTypes
import SessionCore
import TransferModel

/// What a download reports about its response.
extension DownloadRun {
    /// How far the response has come.
    enum Stage { case arriving, whole, brokenOff }

    /// Reports, once for each version, that another one is being written than that of the partial data; and, once for
    /// each attempt, what else the response means.
    func notice(_ task: DownloadTask, _ stage: Stage = .arriving) {
        let superseded = files?.takeSuperseded()
        if let superseded {
            forgetVersion()
            kept.refusals = 0
            let cause = task.restartCause ?? kept.restartCause ?? .notResumable
            let name = superseded.path.map(Self.name)
            engine.update(id) { transfer in
                transfer.setNote(.restarted(cause, file: name, bytes: name == nil ? 0 : superseded.bytes))
            }
        }
        if stage != .brokenOff { noticeForm(task, isWhole: stage == .whole) }
        if superseded != nil { engine.update(id, .restarted) }
    }

    /// No resuming, or a coding that was not requested.
    private func noticeForm(_ task: DownloadTask, isWhole: Bool) {
        guard !kept.isNoted, let head = task.response else { return }
        kept.isNoted = true
        responseNotice = codingNotice(head)
        let progress = task.progress
        // What has arrived whole need not be resumed; its coding is reported at the end.
        guard !isWhole, progress.expectedToReceive.map({ progress.resumedFrom + progress.received < $0 }) ?? true else {
            return
        }
        let resuming: TransferNote? = files != nil && !allowsResuming(task) ? .notResumable : nil
        guard let news = TransferNote.joined([responseNotice, resuming]) else { return }
        engine.update(id) { $0.setNote(.joined([$0.note, news])) }
    }

    /// Where the bytes are of a download that was stopped and cannot be resumed; `nil` for any other.
    /// - Parameter length: of the partial file, if known.
    func whereBytesAre(_ task: DownloadTask, _ length: Int64?) -> TransferNote? {
        guard didMove, let partial, let length, length > 0, !allowsResuming(task) else { return nil }
        return .leftBehind(file: Self.name(partial.path), bytes: length)
    }

    private func allowsResuming(_ task: DownloadTask) -> Bool {
        task.resumePoint != nil && task.response?.headerFields.first(.acceptRanges)?.lowercased() != "none"
    }

    /// Unless the file's name has the ending of the coding.
    private func codingNotice(_ head: HTTPResponse) -> TransferNote? {
        guard let coding = head.contentCoding,
            !description.options.headers.contains(where: { $0.name == .acceptEncoding })
        else { return nil }
        let endings = [
            "gzip": ["gz", "tgz", "svgz"], "br": ["br"], "zstd": ["zst", "tzst"], "compress": ["z"], "deflate": ["zz"],
        ]
        let ending = file.split(separator: ".").last.map { $0.lowercased() } ?? ""
        if endings[coding]?.contains(ending) == true { return nil }
        return .encoded(coding)
    }

    private static func name(_ path: String) -> String { path.lastPathPart.map(String.init) ?? path }
}
