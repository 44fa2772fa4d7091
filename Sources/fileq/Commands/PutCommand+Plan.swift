// SPDX-License-Identifier: MIT

import Glibc
import SessionCore
import TransferModel

extension PutCommand {
    /// Checks everything that needs no network. What cannot be read in a folder is left out and counted, unless nothing
    /// else is to be uploaded.
    /// - Throws: `usage`, `malformedURL`, or `cannotReadSource` if a file that was named is missing.
    func plan(
        _ surroundings: CommandEnvironment, for purpose: PlanPurpose = .foreground
    ) throws(TransferError) -> TransferPlan {
        var plan = try TransferPlan(shared)
        guard let address = items.last, items.count > 1 || !shared.files.input.isEmpty else {
            let command = purpose == .background ? "fileq add put" : "fileq put"
            throw TransferError(
                .usage,
                "put needs a file and a URL: \(command) FILE… URL "
                    + "(see '\(command) --help')")
        }
        var paths = Array(items.dropLast())
        var empty: [String] = []
        plan.origins = shared.files.input
        for input in shared.files.input {
            let listed = try InputList.read(input)
            if listed.isEmpty { empty.append(input) }
            paths += listed
        }
        let store =
            S3Location.isOne(address) ? try s3.store(for: address, partSize: parts.size(), surroundings) : nil
        let url = if let store { store.url } else { try target(address) }
        if url.credential?.password.isEmpty == false, surroundings.arguments.contains(address) {
            surroundings.warn(
                "\(url.authority): other users can see the URL's password in the process list; "
                    + "use --user and --password-file, or netrc")
        }
        if !empty.isEmpty {
            surroundings.warn(TransferPlan.note(empty: empty, isAll: paths.isEmpty))
            if paths.isEmpty { return plan }
        }

        var options = try PreparedOptions(shared, kind: .upload, purpose: purpose, surroundings: surroundings)
        options.setConnections(try DownloadFileOptions.connections(files.split))
        let read = try self.sources(for: paths, purpose: purpose, surroundings: surroundings)
        var sources = read.found
        plan.failures = read.failures
        plan.origins += read.folders
        // What cannot be read counts, too: the file that is left may be another one than was meant.
        let count = sources.count + read.failures.count
        guard options.checksum == nil || count == 1 else {
            throw TransferError(
                .usage, about: "checksum", "--checksum is for one file, but there are \(count)")
        }
        plan.settings = options.limits
        plan.settings.trustedKeys = try TrustArguments.keys(shared.trust.trust, for: [url])
        let resumption = try resumption(isFileQ: options.fileQ != nil)
        options.setFields(
            try conditions.fields(
                shared, isFileQ: options.fileQ != nil, resumption: resumption, count: count))
        if store != nil { try checkForS3(options, resumption, sources) }
        let isCreation = resumption == .tus && count == 1 && sources.first?.path == nil
        if let name {
            guard count == 1, sources.first?.takesName == true else {
                throw TransferError(.usage, option: "--name", "only standard input, as '-', takes a name")
            }
            guard UploadSource.isName(name) else {
                throw TransferError(.usage, option: "--name", "use a file name without '/' and control characters")
            }
            sources[0].path = name
        }
        let urls = try addresses(
            of: sources, count: count, under: url, areEqual: options.fileQ != nil || isCreation)
        plan.descriptions.reserveCapacity(sources.count)
        let createsFolders = files.recursive
        for (source, url) in zip(sources, urls) {
            let form = options.fileQ.map(Upload.Form.fileQ) ?? store.map { .s3($0.upload) } ?? .put
            var upload = Upload(
                source: source.source, form: form, checksum: options.checksum,
                createsFolders: createsFolders && form == .put,
                resumption: resumption)
            upload.name = name
            var spec = Spec(url: url, operation: .upload(upload))
            spec.$options = try options.sharedOptions(for: url)
            plan.descriptions.append(spec)
        }
        return plan
    }

    /// `--resumable`
    private func resumption(isFileQ: Bool) throws(TransferError) -> UploadResumption {
        guard let resumable = files.resumable else { return .auto }
        guard let known = UploadResumption(rawValue: resumable) else {
            throw TransferError(.usage, option: "--resumable", "use auto, ietf, tus or never")
        }
        guard known != .tus || !isFileQ else {
            throw TransferError(
                .usage, option: "--resumable", "tus carries no FileQ upload; use ietf or auto, or omit --sid and --meta"
            )
        }
        return known
    }

    /// Options that mean nothing to S3.
    private func checkForS3(
        _ options: PreparedOptions, _ resumption: UploadResumption, _ sources: [UploadSource]
    ) throws(TransferError) {
        guard options.fileQ == nil else {
            throw TransferError(.usage, "--sid, --sid-file and --meta are for FileQ uploads, not for s3:// URLs")
        }
        guard options.method == nil else {
            throw TransferError(.usage, option: "--method", "the requests to S3 have methods of their own; omit it")
        }
        guard resumption == .auto else {
            throw TransferError(
                .usage, option: "--resumable", "uploads to S3 continue by a protocol of their own; omit it")
        }
        guard options.checksum == nil || sources.allSatisfy({ !$0.isStream }) else {
            throw TransferError(
                .usage, option: "--checksum", "a stream that is sent to S3 in parts cannot be compared with it")
        }
    }

    private func target(_ address: String) throws(TransferError) -> TransferURL {
        do {
            return try TransferURL(address)
        } catch {
            guard let first = items.first, first != address, (try? TransferURL(first)) != nil else { throw error }
            throw TransferError(.usage, "the URL comes last: fileq put FILE… URL")
        }
    }

    private func sources(
        for paths: [String], purpose: PlanPurpose,
        surroundings: CommandEnvironment
    ) throws(TransferError) -> (found: [UploadSource], failures: [TransferPlan.Failure], folders: [String]) {
        var sources: [UploadSource] = []
        var failures: [TransferPlan.Failure] = []
        var folders: [String] = []
        var readsStandardInput = shared.files.input.contains("-")
        for path in paths {
            if path == "-" {
                try purpose.requireFiles("standard input")
                guard !readsStandardInput else {
                    throw TransferError(.usage, "standard input can be read only once")
                }
                readsStandardInput = true
                sources.append(.standardInput)
                continue
            }
            guard !path.utf8.contains(0) else {
                throw TransferError(.usage, "file names cannot contain NUL")
            }
            guard let status = FileStatus(path) else {
                let code = errno
                throw TransferError(
                    .cannotReadSource, "'\(path)': \(TransferError.phrase(errno: code))", systemErrno: code)
            }
            if status.isFolder {
                guard files.recursive else {
                    throw TransferError(.usage, "'\(path)' is a folder: -r uploads its contents")
                }
                folders.append(path)
                var walk = FolderWalk(follows: files.follow, warn: surroundings.warn)
                let found = walk.files(under: path)
                failures += walk.failures.map {
                    TransferPlan.Failure(position: sources.count + $0.position, error: $0.error)
                }
                sources += found
            } else {
                if status.isStream { try purpose.requireFiles("'\(path)'") }
                sources.append(try UploadSource(path: path, status: status))
            }
        }
        guard !sources.isEmpty else {
            guard let last = failures.popLast() else {
                throw TransferError(.usage, "nothing to upload: the arguments name no file")
            }
            failures.report(surroundings.warn)
            throw last.error
        }
        return (sources, failures, folders)
    }

    /// The URL of each source, without duplicates.
    private func addresses(
        of sources: [UploadSource], count: Int, under url: TransferURL,
        areEqual: Bool
    ) throws(TransferError) -> [TransferURL] {
        guard !areEqual else { return Array(repeating: url, count: sources.count) }
        guard url.path.endsWithSlash else {
            guard count == 1, sources[0].path?.firstSlash == nil else {
                throw TransferError(.usage, "several files need a URL that ends in '/': \(url)/")
            }
            return [url]
        }
        var firstWithAddress: [TransferURL: String] = [:]
        var addresses: [TransferURL] = []
        firstWithAddress.reserveCapacity(sources.count)
        addresses.reserveCapacity(sources.count)
        for source in sources {
            guard let path = source.path else {
                throw TransferError(
                    .usage, "standard input has no name: pass --name, or add one to the URL, such as \(url)NAME")
            }
            let address = url.appendingIfFolder(path)
            if let other = firstWithAddress.updateValue(path, forKey: address) {
                throw TransferError(
                    .usage, "'\(other)' would be uploaded twice, to \(address); upload the files one by one")
            }
            addresses.append(address)
        }
        return addresses
    }
}

/// A file to upload, and its name behind a URL that ends in `/`.
struct UploadSource {
    let source: Upload.Source
    /// A name, or a relative path with `/` from walking a folder; `nil`: nameless.
    var path: String?

    /// It has no name of its own, or one that says nothing of its bytes.
    var takesName: Bool { isStream || path == nil }

    static func isName(_ text: String) -> Bool {
        !["", ".", ".."].contains(text)
            && !text.unicodeScalars.contains { $0 == "/" || $0.value < 0x20 || $0.value == 0x7f }
    }

    var isStream: Bool { if case .stream = source { true } else { false } }

    init(source: Upload.Source, path: String?) {
        self.source = source
        self.path = path
    }

    /// A file, if it is one that is to be read from its begin: it has a length, and can be sent again.
    static var standardInput: UploadSource {
        let path = "/dev/stdin"
        var (given, opened) = (stat(), stat())
        let isWhole =
            fstat(STDIN_FILENO, &given) == 0 && given.st_mode & S_IFMT == S_IFREG && given.st_size > 0
            && lseek(STDIN_FILENO, 0, SEEK_CUR) == 0 && access(path, R_OK) == 0 && stat(path, &opened) == 0
            && (opened.st_dev, opened.st_ino) == (given.st_dev, given.st_ino)
        let source = isWhole ? Upload.Source.file(path: path) : .stream(descriptor: STDIN_FILENO, name: "stdin")
        return UploadSource(source: source, path: nil)
    }

    /// A file from the command line.
    /// - Throws: code `cannotReadSource` if it cannot be opened, or has bytes and no size.
    init(path: String, status: FileStatus) throws(TransferError) {
        let name = path.lastPathPart.map(String.init) ?? ""
        if status.isRegular {
            guard access(path, R_OK) == 0 else { throw Self.failure(path) }
            if status.size == 0 { _ = try UploadSourceFile(path: path) }
            self.init(source: .file(path: path), path: name)
        } else if status.isStream {
            let descriptor = open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw Self.failure(path) }
            self.init(source: .stream(descriptor: descriptor, name: name), path: name)
        } else {
            throw TransferError(.cannotReadSource, "'\(path)' is not a file that can be uploaded")
        }
    }

    private static func failure(_ path: String) -> TransferError {
        let code = errno
        return TransferError(.cannotReadSource, "'\(path)': \(TransferError.phrase(errno: code))", systemErrno: code)
    }
}
