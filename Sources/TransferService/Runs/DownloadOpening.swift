// SPDX-License-Identifier: MIT

import Glibc
import SessionCore
import TransferModel

/// The calls on files that begin an attempt of a download, made together: whether the final name is taken, opening and
/// locking the partial file, and reading its record. A value; ``carryOut()`` may wait for a file system.
struct DownloadOpening: Sendable {
    let download: Download
    /// The addresses whose bytes may be used; the first one leads.
    let urls: [String]
    /// The final path, as far as known.
    let path: String?
    let partialPath: String
    /// Files that an earlier attempt has opened.
    let earlier: PartialFiles?
    let requestsWholeFile: Bool
    /// The bytes are of this process, whose server gave no strong validator: there is no record of them.
    let knowsNoValidator: Bool
    let permissions: FilePermissions
    /// The existing file has been read: its checksum is another one.
    var isCompared: Bool
    let closing: @Sendable (Int32) -> Void

    enum Outcome: Sendable {
        /// A file has the final name, and the checksum decides whether it is the requested one.
        case compares
        /// The file exists and stays.
        case exists(size: Int64)
        case opened(Opened)
        /// The folder takes no file of the address's name, but perhaps this one.
        case misnamed(String)
        /// The partial file cannot be opened, or descriptors or memory are short for reading its record.
        case refused(TransferError)
    }

    struct Opened: Sendable {
        let files: PartialFiles
        let mayHaveRecord: Bool
        let resume: ResumePoint?
        /// The address that these bytes are from.
        let resumeURL: String?
        /// How many bytes before ``resume`` have been synced.
        let synced: Int64
        /// All stored ranges, if there are some beyond ``resume``.
        let pieces: ByteRangeSet?
        /// Why the download does not resume from the existing bytes; `nil` without any.
        let restartCause: RestartCause?
        /// The server compares its version with this file.
        let existing: ExistingFileVersion?
    }

    /// - Throws: code `cannotWrite` if the name is taken and must not be replaced.
    func carryOut() throws(TransferError) -> Outcome {
        if !isCompared, let path {
            if download.checksum != nil {
                if DownloadAdmission.exists(path) { return .compares }
            } else if let size = try sizeIfEnough(path) {
                return .exists(size: size)
            }
        }
        let files: PartialFiles
        do throws(TransferError) {
            files =
                if let earlier { earlier } else {
                    try PartialFiles(path: partialPath, permissions: firstPermissions, closing: closing)
                }
        } catch {
            if case .folder(let folder, let name) = download.destination, !name.utf8.contains(UInt8(ascii: "/")),
                let next = DownloadAdmission.accepted(inPlaceOf: name, in: folder, after: error.systemErrno)
            {
                return .misnamed(next)
            }
            return .refused(error)
        }
        let mayHaveRecord = earlier != nil || files.hadBytes
        let found: PartialRecord.Found?
        let pieces: ByteRangeSet?
        let cause: RestartCause?
        do throws(TransferError) {
            found = requestsWholeFile ? nil : try files.choose(urls: urls, isRetry: earlier != nil)
            pieces = found == nil ? nil : try PartialRecord.pieces(of: files.current)
            cause = requestsWholeFile || found != nil || !mayHaveRecord ? nil : try causeOfRestart(files)
            if found == nil { try files.startOver(isAlwaysWhole: download.body != nil) }
        } catch { return .refused(error) }
        // A file with the wrong checksum is not worth a comparison.
        let existing =
            download.existing == .updates && !download.overwrites && download.checksum == nil
            ? path.flatMap { ExistingFileVersion($0) } : nil
        return .opened(
            Opened(
                files: files, mayHaveRecord: mayHaveRecord, resume: found?.point, resumeURL: found?.url,
                synced: found?.synced ?? 0, pieces: pieces, restartCause: cause, existing: existing))
    }

    /// What replaces a private file is private from its first byte on. This program reads and writes it in any case.
    private var firstPermissions: UInt32 {
        guard download.replaces, let old = path.flatMap(DownloadPlacement.replaceable) else {
            return permissions.atFirst
        }
        return old.st_mode & 0o777 | 0o600
    }

    /// - Returns: the size of the existing file if nothing need be fetched.
    private func sizeIfEnough(_ path: String) throws(TransferError) -> Int64? {
        guard !download.overwrites, DownloadAdmission.exists(path) else { return nil }
        let file = ExistingFileVersion(path)
        switch download.existing {
        case .skips where file != nil: return file?.size
        case .updates where file != nil: return nil
        case .keepsBoth: return nil
        case .fails, .skips, .updates:
            // In a folder, the server may propose a name that is free.
            guard case .file = download.destination else { return nil }
            throw DownloadAdmission.existsError(path)
        }
    }

    private func causeOfRestart(_ files: PartialFiles) throws(TransferError) -> RestartCause? {
        guard files.current.length > 0 else { return nil }
        guard case .record(let record) = try PartialRecord.read(of: files.current) else {
            return knowsNoValidator ? .noValidator : .notRecorded
        }
        if !urls.contains(record.url) { return .otherAddress }
        // With one, no byte is known to have survived the end of the system.
        return record.validator.ifRange == nil ? .noValidator : .notResumable
    }
}
