// SPDX-License-Identifier: MIT

import Glibc
import HTTPTypes
import Platform
import TransferModel

extension DownloadArguments {
    /// Checks everything that needs no network.
    /// - Throws: `usage`, `malformedURL`, or `cannotWrite` if the destination folder does not exist.
    func plan(
        _ surroundings: CommandEnvironment, for purpose: PlanPurpose = .foreground,
        with fetched: PlanInputs = PlanInputs()
    ) throws(TransferError) -> TransferPlan {
        let described = documents
        var requests = urls.filter { !described.contains($0) }.map { DownloadRequest(address: $0) }
        for document in described {
            if fetched.documents[document] == nil, ChecksumFetch.isAddress(document) {
                // A dry run fetches nothing.
                requests.append(DownloadRequest(address: document))
            } else {
                requests += try MetalinkRequests.read(document, fetched.documents[document], warn: surroundings.warn)
            }
        }
        var empty: [String] = []
        for input in shared.files.input {
            let listed = try DownloadList.read(input)
            if listed.isEmpty { empty.append(input) }
            requests += listed
        }
        if !empty.isEmpty {
            surroundings.warn(TransferPlan.note(empty: empty, isAll: requests.isEmpty))
            if requests.isEmpty { return try TransferPlan(shared) }
        }
        var plan = try plan(requests, surroundings, for: purpose, with: fetched)
        plan.origins = described + shared.files.input
        return plan
    }

    /// The same for `requests`. Invalid lines of a list are skipped with a warning and counted, unless none is valid.
    func plan(
        _ requests: [DownloadRequest], _ surroundings: CommandEnvironment, for purpose: PlanPurpose,
        with fetched: PlanInputs
    ) throws(TransferError) -> TransferPlan {
        var plan = try TransferPlan(shared)
        guard !requests.isEmpty else {
            throw TransferError(
                .usage,
                "nothing to download: pass a URL, or a list with -i "
                    + "(see 'fileq \(purpose == .background ? "add get" : "get") --help')")
        }
        guard !(sync && noSync) else {
            throw TransferError(.usage, about: "sync", "--sync and --no-sync exclude each other: use one of them")
        }
        var skipped = SkippedRequests(warn: surroundings.warn)
        let parsed = try addresses(of: requests, surroundings, &skipped)
        guard files.mirrors.isEmpty || parsed.count == 1 else {
            throw TransferError(
                .usage, about: "mirror",
                "--mirror is for one file, but there are \(parsed.count); in a list, write its URLs in one line")
        }
        warnAboutPasswords(surroundings)

        var options = try PreparedOptions(shared, kind: .download, purpose: purpose, surroundings: surroundings)
        if let name = shared.files.place {
            let places = try surroundings.places()
            guard let place = places.byName[name] else { throw places.unknown(name) }
            options.bind(to: try TransferURL(place.url))
        }
        guard options.checksum == nil || parsed.count == 1 else {
            throw TransferError(
                .usage, about: "checksum",
                "--checksum is for one file, but there are \(parsed.count); use --checksum-file for a list"
            )
        }
        let checksums = try listedChecksums(fetched, besides: options.checksum, isDry: plan.isDry, surroundings)
        options.setConnections(try DownloadFileOptions.connections(files.split))
        let existing = try files.existing(overwrites: shared.files.overwrite)
        guard existing != .updates || (options.method ?? .get) == .get else {
            throw TransferError(.usage, about: "if-newer", "--if-newer needs GET: omit --method")
        }
        guard options.method != .head else {
            throw TransferError(
                .usage, option: "--method",
                "responses to HEAD have no content to save; --dry-run lists names and sizes")
        }
        plan.settings = options.limits
        plan.settings.trustedKeys = try TrustArguments.keys(shared.trust.trust, for: parsed.map(\.url))
        let base = try DownloadDestination(
            output: destination.output, folder: destination.directory, count: parsed.count, purpose: purpose,
            makesFolders: files.createDirs || surroundings.machine != nil)
        // Read once: lists may be very long.
        let (fileOptions, syncs, commandFolder) = (shared.files, !noSync, destination.directory ?? ".")
        let (overwrites, allowsOutside) = (fileOptions.overwrite, fileOptions.allowOutside)
        let (followsMetalink, keepsBoth) = (!files.noMetalink, files.keepBoth)
        let fileMirrors = files.mirrors
        let inUse = keepsBoth ? fetched.namesInUse : []
        let workingFolder = try inUse.isEmpty ? "/" : surroundings.workingFolder()
        var names = TakenNames(count: parsed.count, inUse: inUse, workingFolder: workingFolder)
        let bounds = ListedOptionReader.Bounds(overwrites: overwrites) { path throws(TransferError) in
            try ListBounds.check(source: path, option: "load-cookies", folder: commandFolder)
        }
        var reader = ListedOptionReader(now: surroundings.now(), bounds: allowsOutside ? nil : bounds)
        var weak: Set<Checksum.Algorithm> = []
        plan.descriptions.reserveCapacity(parsed.count)
        for (index, url) in parsed {
            let request = requests[index]
            do throws(TransferError) {
                let listed = try reader.read(request, for: url)
                var transfer = try options.sharedOptions(for: url, login: listed?.credential)
                if let listed { listed.apply(to: &transfer.wrappedValue) }
                if let listed, request.origin != nil, !allowsOutside {
                    try ListBounds.check(listed, folder: commandFolder)
                }
                var destination = try base.destination(for: url, listed)
                if keepsBoth { destination = names.free(destination) }
                try names.take(destination, for: url)
                if case .stream(STDOUT_FILENO) = destination { plan.writesBytesToStandardOutput = true }
                var checksum = listed?.checksum ?? options.checksum
                checksum = checksum ?? request.facts.checksum
                if checksum == nil, let checksums {
                    checksum = try checksums.checksum(for: url, savedAs: destination.fileName)
                }
                if let algorithm = checksum?.algorithm, algorithm.isWeak { weak.insert(algorithm) }
                if listed?.isHeld == true { plan.held.append(plan.descriptions.count) }
                var download = Download(
                    destination: destination, overwrites: listed?.overwrites ?? overwrites, checksum: checksum,
                    syncs: syncs)
                download.existing = existing
                // The server may propose another name, which exists, and other programs may take this one.
                if keepsBoth, destination.fileName != nil { download.existing = .keepsBoth }
                if !fileMirrors.isEmpty || !request.mirrors.isEmpty {
                    download.mirrors = try mirrors(of: request, of: url, surroundings)
                }
                (download.size, download.pieces) = (request.facts.size, request.facts.pieces)
                download.followsMetalink = listed?.followsMetalink ?? followsMetalink
                guard download.mirrors.isEmpty || destination.fileName != nil else {
                    throw TransferError(.usage, about: "mirror", "--mirror needs a file, not -o -")
                }
                var spec = Spec(url: url, operation: .download(download))
                spec.$options = transfer
                plan.descriptions.append(spec)
            } catch {
                try skipped.take(
                    request.placing(error, index: index, count: request.origin == nil ? 1 : requests.count), of: request
                )
            }
        }
        plan.skipped = try skipped.count(besides: plan.descriptions.count)
        plan.firstSkipped = skipped.firstLine
        reader.passedOver.forEach(surroundings.warn)
        for algorithm in weak.map(\.name).sorted() {
            surroundings.warn(
                "warning: \(algorithm) detects damage, not forgery; prefer SHA-256")
        }
        if let notice = options.notice { surroundings.warn(notice) }
        if purpose == .foreground, !plan.held.isEmpty {
            surroundings.warn("pause=true has no effect here; only 'fileq add' enqueues paused transfers")
        }
        if plan.writesBytesToStandardOutput { try checkStandardOutput(existing, surroundings) }
        if files.createDirs { plan.folders = DownloadDestination.folders(of: plan.descriptions) }
        return plan
    }

    /// Options that contradict `-o -`.
    private func checkStandardOutput(
        _ existing: ExistingFile, _ surroundings: CommandEnvironment
    ) throws(TransferError) {
        guard !shared.output.json else {
            throw TransferError(.usage, "-o - and --json both need standard output: use one of them")
        }
        guard !surroundings.writesToTerminal() else {
            throw TransferError(
                .usage, "-o - would write the file to the terminal: redirect it, or pass a file name")
        }
        guard existing == .fails else {
            throw TransferError(
                .usage, about: "skip-existing", "--skip-existing and --if-newer need a file, not -o -")
        }
    }

    /// The further addresses of a request, those of `--mirror` first.
    private func mirrors(
        of request: DownloadRequest, of url: TransferURL, _ surroundings: CommandEnvironment
    ) throws(TransferError) -> [FileMirror] {
        var found: [FileMirror] = []
        func add(_ mirror: FileMirror) {
            guard mirror.url != url, !found.contains(where: { $0.url == mirror.url }) else { return }
            found.append(mirror)
        }
        for text in files.mirrors {
            add(FileMirror(url: try naming("--mirror") { () throws(TransferError) in try TransferURL(text) }))
        }
        for mirror in request.mirrors {
            do throws(TransferError) {
                let address = try request.isListed ? surroundings.address(mirror.address) : mirror.address
                add(
                    FileMirror(
                        url: try TransferURL(address), priority: mirror.priority, location: mirror.location))
            } catch {
                // The other addresses of the line are enough.
                surroundings.warn(
                    "\(request.origin.map { "\($0.words): " } ?? "")address left out: \(MessageCatalog.text(error))")
            }
        }
        guard found.count <= FileMirror.maximumCount else {
            throw TransferError(.usage, about: "mirror", "a file has at most \(FileMirror.maximumCount) mirrors")
        }
        return found
    }

    /// The list of ``DownloadFileOptions/checksumFile``. One that is a URL is fetched before, but not for a dry run.
    private func listedChecksums(
        _ fetched: PlanInputs, besides single: Checksum?, isDry: Bool, _ surroundings: CommandEnvironment
    ) throws(TransferError) -> ChecksumList? {
        if let list = fetched.checksums { return list }
        guard let place = files.checksumFile else { return nil }
        guard single == nil else {
            throw TransferError(
                .usage, about: "checksum", "--checksum and --checksum-file exclude each other: use one of them")
        }
        guard !ChecksumFetch.isAddress(place) else {
            if isDry { return nil }
            throw TransferError(
                .usage, option: "--checksum-file",
                "only 'fileq get' and 'fileq add' accept a URL; pass a file")
        }
        let text = try TextFile.readListFile(place, option: "--checksum-file", limit: ChecksumList.maximumBytes)
        let list = try ChecksumList(text, named: place)
        if let notice = list.notice { surroundings.warn(notice) }
        return list
    }

    private func addresses(
        of requests: [DownloadRequest],
        _ surroundings: CommandEnvironment, _ skipped: inout SkippedRequests
    ) throws(TransferError) -> [(index: Int, url: TransferURL)] {
        let places = try ListedPlaces(requests, applied: shared.files.place, surroundings: surroundings)
        var parsed: [(index: Int, url: TransferURL)] = []
        parsed.reserveCapacity(requests.count)
        for (index, request) in requests.enumerated() {
            do throws(TransferError) {
                if let fault = request.fault { throw fault }
                let address = try places.address(of: request)
                if let last = parsed.last?.url, let url = TransferURL(address, like: last) {
                    parsed.append((index, url))
                } else {
                    parsed.append((index, try TransferURL(address)))
                }
            } catch {
                try skipped.take(request.placing(error, index: index, count: requests.count), of: request)
            }
        }
        return parsed
    }

    private func warnAboutPasswords(_ surroundings: CommandEnvironment) {
        for url in urls {
            guard surroundings.arguments.contains(url), let known = try? TransferURL(url),
                known.credential?.password.isEmpty == false
            else { continue }
            surroundings.warn(
                "\(known.authority): other users can see the URL's password in the process list; "
                    + "use --user and --password-file, or netrc")
            return
        }
    }
}

/// Invalid lines of lists: each is reported once and skipped.
private struct SkippedRequests {
    let warn: (String) -> Void
    private var first: TransferError?
    private(set) var firstLine: SkippedLine?
    private var count = 0

    init(warn: @escaping (String) -> Void) { self.warn = warn }

    /// - Throws: `error`, if the request is a command-line argument.
    mutating func take(_ error: TransferError, of request: DownloadRequest) throws(TransferError) {
        guard let origin = request.origin else { throw error }
        firstLine = firstLine ?? SkippedLine(origin: origin, error: error)
        if let first, count == 1 { warn("skipped: \(MessageCatalog.text(first))") }
        if count > 0 { warn("skipped: \(MessageCatalog.text(error))") }
        first = first ?? error
        count += 1
    }

    /// - Throws: the first error, if no request is left.
    func count(besides others: Int) throws(TransferError) -> Int {
        guard let first else { return 0 }
        guard others > 0 else { throw first }
        if count == 1 { warn("skipped: \(MessageCatalog.text(first))") }
        return count
    }
}

/// The destinations of a plan, without duplicates.
private struct TakenNames {
    private struct Place: Hashable {
        var folder: String
        var name: String

        var path: String { folder == "." ? name : folder.endsWithSlash ? folder + name : "\(folder)/\(name)" }
    }

    private var firstAtPlace: [Place: TransferURL] = [:]
    private let inUse: Set<String>
    private let paths: AbsolutePaths

    /// - Parameters:
    ///   - inUse: see ``PlanInputs/namesInUse``.
    ///   - workingFolder: absolute.
    init(count: Int, inUse: Set<String>, workingFolder: String) {
        self.inUse = inUse
        paths = AbsolutePaths(workingFolder: workingFolder)
        firstAtPlace.reserveCapacity(count)
    }

    /// - Throws: code `usage` for a destination that another URL has.
    mutating func take(_ destination: Download.Destination, for url: TransferURL) throws(TransferError) {
        guard let place = Self.place(destination) else { return }
        if let other = firstAtPlace.updateValue(url, forKey: place) {
            guard other != url else {
                throw TransferError(.usage, "\(url) is given twice, to be saved as '\(place.name)'")
            }
            throw TransferError(
                .usage,
                "\(other) and \(url) would both be saved as '\(place.name)'; "
                    + "download them one by one, with -o or -d")
        }
    }

    /// `destination`, or the next free name beside it.
    func free(_ destination: Download.Destination) -> Download.Destination {
        guard let place = Self.place(destination), isTaken(place) else { return destination }
        for number in NumberedName.numbers {
            let other = Place(folder: place.folder, name: NumberedName.make(place.name, number))
            if !isTaken(other) { return .file(path: other.path) }
        }
        return destination
    }

    private func isTaken(_ place: Place) -> Bool {
        firstAtPlace[place] != nil || FileStatus(place.path, followingLinks: false) != nil
            || !inUse.isEmpty && inUse.contains(paths.path(place.path)) || Self.isBeingWritten(place.path)
    }

    /// Whether another download has the partial file of `path` open. One that was interrupted is continued.
    private static func isBeingWritten(_ path: String) -> Bool {
        let number = open(PartialName.path(for: path), O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
        guard number >= 0 else { return false }
        let file = Descriptor(owning: number)
        return (try? FileLock.take(file, .shared)) == false
    }

    private static func place(_ destination: Download.Destination) -> Place? {
        switch destination {
        case .stream: return nil
        case .folder(let folder, let name): return Place(folder: folder, name: name)
        case .file(let path):
            guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return Place(folder: ".", name: path) }
            return Place(
                folder: slash == path.startIndex ? "/" : String(path[..<slash]),
                name: String(path[path.utf8.index(after: slash)...]))
        }
    }
}

extension Download.Destination {
    /// The name before the server responds; `nil` for a stream.
    fileprivate var fileName: String? {
        switch self {
        case .stream: nil
        case .folder(_, let name): name
        case .file(let path):
            path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[path.utf8.index(after: $0)...]) } ?? path
        }
    }
}
