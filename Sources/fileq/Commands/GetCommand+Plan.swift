// SPDX-License-Identifier: MIT

import Glibc
import TransferModel

extension GetCommand {
    /// Checks everything that can be checked before anything starts.
    /// - Throws: `usage`, `malformedURL`, or `cannotWrite` where the place to write to does not exist.
    func plan(_ surroundings: Surroundings) throws(TransferError) -> TransferPlan {
        var plan = try TransferPlan(output: shared.output)
        var addresses = urls
        if let input = shared.run.input { addresses += try InputList.read(input) }
        guard !addresses.isEmpty else {
            throw TransferError(.usage, "nothing to download: give a URL, or a list of them with -i "
                + "(see 'fileq get --help')")
        }
        var parsed: [TransferURL] = []
        parsed.reserveCapacity(addresses.count)
        for (index, address) in addresses.enumerated() {
            do {
                parsed.append(try TransferURL(address))
            } catch {
                let place = addresses.count > 1 ? "URL \(index + 1) of \(addresses.count): " : ""
                throw TransferError(error.code, place + error.message)
            }
        }
        warnOfPasswords(surroundings)

        var options = try PreparedOptions(shared, kind: .download, surroundings: surroundings)
        guard options.checksum == nil || parsed.count == 1 else {
            throw TransferError(.usage, "--checksum is the sum of one file, and there are \(parsed.count)")
        }
        plan.settings = options.limits
        plan.settings.trustedKeys = try TrustWords.keys(shared.trust.trust, for: parsed)
        let destinations = try destinations(for: parsed)
        for (url, destination) in zip(parsed, destinations) {
            if case .stream(STDOUT_FILENO) = destination { plan.writesBytesToStandardOutput = true }
            let download = DownloadDescription(destination: destination, overwrites: shared.run.overwrite,
                                               checksum: options.checksum, syncs: sync)
            plan.descriptions.append(TransferDescription(
                url: url, operation: .download(download), options: try options.options(for: url)))
        }
        guard !(plan.writesBytesToStandardOutput && shared.output.json) else {
            throw TransferError(.usage, "-o - and --json both need standard output: give one of them")
        }
        return plan
    }

    private func warnOfPasswords(_ surroundings: Surroundings) {
        for url in urls {
            guard surroundings.arguments.contains(url), let known = try? TransferURL(url),
                known.credential?.password.isEmpty == false else { continue }
            surroundings.warn("\(known.authority): other users can see the URL's password in the process list; "
                + "use --user and --password-file, or netrc")
            return
        }
    }

    private func destinations(for urls: [TransferURL]) throws(TransferError) -> [DownloadDescription.Destination] {
        if let output {
            guard directory == nil else {
                throw TransferError(.usage, "-o and -d contradict each other: give one of them, or -o with the whole path")
            }
            guard urls.count == 1 else {
                throw TransferError(.usage, "-o names one file, and there are \(urls.count) URLs; use -d for a folder")
            }
            return [try destination(named: output)]
        }
        let folder = directory ?? "."
        guard let status = FileStatus(folder), status.isFolder else {
            throw TransferError(.cannotWrite, "there is no folder '\(folder)' to save into; make it with 'mkdir -p'")
        }
        var firstWithName: [String: TransferURL] = [:]
        var destinations: [DownloadDescription.Destination] = []
        for url in urls {
            let name = DownloadName.propose(for: url)
            if let other = firstWithName.updateValue(url, forKey: name) {
                throw TransferError(.usage, "\(other) and \(url) would both be saved as '\(name)'; "
                    + "download them one by one, with -o or -d")
            }
            destinations.append(.folder(path: folder, name: name))
        }
        return destinations
    }

    private func destination(named output: String) throws(TransferError) -> DownloadDescription.Destination {
        if output == "-" { return .stream(descriptor: STDOUT_FILENO) }
        guard !output.isEmpty else { throw TransferError(.usage, "-o: the name is empty") }
        if let status = FileStatus(output) {
            guard !status.isFolder else {
                throw TransferError(.usage, "-o: '\(output)' is a folder; use -d to save into it")
            }
            // Behind a descriptor's name there may be a regular file; the name must not be replaced all the same.
            let isDescriptor = ["/dev/stdout", "/dev/stderr", "/dev/fd/", "/proc/self/fd/"].contains(where: output.hasPrefix)
            if !status.isRegular || isDescriptor { return .stream(descriptor: try openDevice(output)) }
            // The file that a link points to is meant, not the link.
            var named = stat()
            if lstat(output, &named) == 0, named.st_mode & S_IFMT == S_IFLNK, let target = realpath(output, nil) {
                defer { free(target) }
                return .file(path: String(cString: target))
            }
        }
        guard !output.hasSuffix("/") else {
            throw TransferError(.usage, "-o: '\(output)' names a folder; use -d to save into one")
        }
        let parent = output.lastIndex(of: "/").map { output[...$0] } ?? "./"
        guard let status = FileStatus(String(parent)), status.isFolder else {
            throw TransferError(.cannotWrite, "there is no folder '\(parent)' to save into; make it with 'mkdir -p'")
        }
        return .file(path: output)
    }

    /// A device or a pipe takes bytes as they come; putting a file in its place would destroy it.
    private func openDevice(_ path: String) throws(TransferError) -> Int32 {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            let code = errno
            throw TransferError(.cannotWrite, "'\(path)': \(SystemMessage.text(code))", systemErrno: code)
        }
        return descriptor
    }
}

/// What a download is called until the server says better.
enum DownloadName {
    /// The decoded last segment of the path, made fit for a file name; `index.html` where there is none.
    static func propose(for url: TransferURL) -> String {
        guard let segment = url.lastPathSegment else { return "index.html" }
        if isPlain(segment) { return segment }
        // NAME.fileq-part.json must still be a name: 255 bytes are the limit of every common file system.
        return SafeFileName.sanitize(segment.replacing("/", with: "_"), maximumBytes: 238) ?? "index.html"
    }

    /// What most names are, told quickly: letters, digits and the usual signs between them.
    private static func isPlain(_ name: String) -> Bool {
        guard name.utf8.count <= 238, name.utf8.first != UInt8(ascii: "."),
            !SafeFileName.reservedSuffixes.contains(where: name.hasSuffix) else { return false }
        return name.utf8.allSatisfy { (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "/") }
    }
}
