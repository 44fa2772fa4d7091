// SPDX-License-Identifier: MIT

import Glibc
import TransferModel

extension GetCommand {
    /// Checks everything that can be checked before anything starts.
    /// - Throws: `usage`, `malformedURL`, or `cannotWrite` where the place to write to does not exist.
    func plan(_ surroundings: Surroundings, for purpose: PlanPurpose = .foreground) throws(TransferError) -> TransferPlan {
        var requests = urls.map { DownloadRequest(address: $0) }
        if let input = shared.run.files.input { requests += try DownloadList.read(input, warn: surroundings.warn) }
        return try plan(requests, surroundings, for: purpose)
    }

    /// The same for `requests` alone.
    func plan(_ requests: [DownloadRequest], _ surroundings: Surroundings,
              for purpose: PlanPurpose) throws(TransferError) -> TransferPlan {
        var plan = try TransferPlan(output: shared.output)
        guard !requests.isEmpty else {
            throw TransferError(.usage, "nothing to download: give a URL, or a list of them with -i "
                + "(see 'fileq \(purpose == .background ? "add get" : "get") --help')")
        }
        let parsed = try addresses(of: requests)
        warnOfPasswords(surroundings)

        var options = try PreparedOptions(shared, kind: .download, purpose: purpose, surroundings: surroundings)
        guard options.checksum == nil || parsed.count == 1 else {
            throw TransferError(.usage, "--checksum is the sum of one file, and there are \(parsed.count)")
        }
        plan.settings = options.limits
        plan.settings.trustedKeys = try TrustWords.keys(shared.trust.trust, for: parsed)
        let base = try DownloadPlace(output: output, folder: directory, count: requests.count, purpose: purpose)
        var names = TakenNames()
        var reader = ListedOptionReader(now: surroundings.now())
        plan.descriptions.reserveCapacity(requests.count)
        for (index, request) in requests.enumerated() {
            do throws(TransferError) {
                let url = parsed[index]
                let listed = try reader.read(request, for: url)
                var transfer = try options.options(for: url, login: listed?.credential)
                listed?.apply(to: &transfer)
                let destination = try base.destination(for: url, listed)
                try names.take(destination, for: url)
                if case .stream(STDOUT_FILENO) = destination { plan.writesBytesToStandardOutput = true }
                if listed?.isHeld == true { plan.held.append(index) }
                let download = DownloadDescription(destination: destination, overwrites: listed?.overwrites ?? shared.run.files.overwrite,
                                                   checksum: listed?.checksum ?? options.checksum, syncs: sync)
                plan.descriptions.append(TransferDescription(url: url, operation: .download(download), options: transfer))
            } catch {
                throw request.placing(error, index: index, count: request.origin == nil ? 1 : requests.count)
            }
        }
        reader.passedOver.forEach(surroundings.warn)
        if purpose == .foreground, !plan.held.isEmpty {
            surroundings.warn("pause=true holds nothing back here: only 'fileq add' can queue what is to start later")
        }
        guard !(plan.writesBytesToStandardOutput && shared.output.json) else {
            throw TransferError(.usage, "-o - and --json both need standard output: give one of them")
        }
        return plan
    }

    private func addresses(of requests: [DownloadRequest]) throws(TransferError) -> [TransferURL] {
        var parsed: [TransferURL] = []
        parsed.reserveCapacity(requests.count)
        for (index, request) in requests.enumerated() {
            do {
                parsed.append(try TransferURL(request.address))
            } catch {
                throw request.placing(error, index: index, count: requests.count)
            }
        }
        return parsed
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
}

/// Destinations of one plan, no two the same.
private struct TakenNames {
    private struct Place: Hashable {
        var folder: String
        var name: String
    }

    private var firstAtPlace: [Place: TransferURL] = [:]

    /// - Throws: code `usage` for a file that another address is saved as.
    mutating func take(_ destination: DownloadDescription.Destination, for url: TransferURL) throws(TransferError) {
        guard let place = Self.place(destination) else { return }
        if let other = firstAtPlace.updateValue(url, forKey: place) {
            throw TransferError(.usage, "\(other) and \(url) would both be saved as '\(place.name)'; "
                + "download them one by one, with -o or -d")
        }
    }

    private static func place(_ destination: DownloadDescription.Destination) -> Place? {
        switch destination {
        case .stream: return nil
        case .folder(let folder, let name): return Place(folder: folder, name: name)
        case .file(let path):
            guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return Place(folder: ".", name: path) }
            return Place(folder: slash == path.startIndex ? "/" : String(path[..<slash]), name: String(path[path.utf8.index(after: slash)...]))
        }
    }
}
