// SPDX-License-Identifier: MIT

import Glibc
import Platform
import TransferModel
import TransferService

/// Finds the Metalink documents of a command and makes requests of them.
enum MetalinkRequests {
    /// Downloads the documents that `command` names by URL.
    /// - Returns: their bytes, by the argument.
    /// - Throws: the failure of the download, prefixed with the argument.
    static func fetch(
        for command: DownloadArguments, _ surroundings: CommandEnvironment
    ) async throws -> [String: [UInt8]] {
        var found: [String: [UInt8]] = [:]
        for argument in command.documents where ChecksumFetch.isAddress(argument) && found[argument] == nil {
            let url = try naming(option) { () throws(TransferError) in try TransferURL(argument) }
            found[argument] = try await ChecksumFetch.bytes(
                of: url, for: command, surroundings, option: option, limit: Metalink.maximumBytes)
        }
        return found
    }

    private static let option = "--metalink"

    /// - Parameters:
    ///   - argument: a path, or the URL of fetched `bytes`.
    /// - Throws: code `usage` for what is no Metalink document.
    static func read(
        _ argument: String, _ bytes: [UInt8]?, warn: (String) -> Void
    ) throws(TransferError) -> [DownloadRequest] {
        let document: Metalink
        do throws(TransferError) {
            let content = if let bytes { bytes } else { try self.bytes(ofFile: argument) }
            document = try Metalink(parsing: content)
        } catch {
            throw TransferError(error.code, option: option, "'\(argument)': \(MessageCatalog.cause(of: error))")
        }
        for note in document.notes { warn("'\(argument)': \(note)") }
        return document.files.map { file in
            var request = DownloadRequest(address: file.addresses[0].url.string)
            request.origin = .init(file: argument, line: 0)
            request.mirrors = file.addresses.dropFirst().map {
                .init(address: $0.url.string, priority: $0.priority, location: $0.location)
            }
            request.facts = .init(size: file.size, checksum: file.checksum, pieces: file.pieces)
            request.options = [.init(name: "out", value: file.name, line: 0)]
            return request
        }
    }

    private static func bytes(ofFile path: String) throws(TransferError) -> [UInt8] {
        let found: [UInt8]?
        do throws(SystemError) {
            found = try Descriptor.open(path, O_RDONLY).readToEnd(limit: Metalink.maximumBytes)
        } catch {
            throw TransferError(.usage, TransferError.phrase(errno: error.errno), systemErrno: error.errno)
        }
        guard let found else { throw TransferError(.usage, "larger than \(Metalink.maximumBytes >> 20) MiB") }
        return found
    }
}

extension DownloadArguments {
    /// Arguments that are Metalink documents: those of `--metalink`, and what ends in `.meta4`, unless `--no-metalink`
    /// or `-o NAME.meta4` ask for the document itself.
    var documents: [String] {
        let keepsDocument = files.noMetalink || destination.output.map { Metalink.isNamed($0) } ?? false
        return (keepsDocument ? [] : urls.filter { Metalink.isNamed($0) }) + files.metalinks
    }
}
