// SPDX-License-Identifier: MIT

import Glibc
import HTTPTypes
import Platform
import SessionCore
import TransferControl
import TransferModel

/// Small transfers that need neither a run nor a task: the transport has a stock of them and starts one whenever a slot
/// is free; what it has received is written here, many files in one turn.
///
/// A download takes this way if nothing is to be decided before its response: nothing lies at its place, nothing is to
/// be replaced, compared, limited or synced. Of an upload, `Coordinator+PlainUploads.swift` says when. A response that
/// needs a decision is continued by a run, without another request. For clients such a transfer is like any other:
/// queued, running, completed.
extension Coordinator {
    // MARK: Giving

    /// Fills the transport's stock with the next transfers, as long as they are plain.
    func stockFetches() {
        guard let fetchReceiver, let session, fetches.wantsMore, mayFetch else { return }
        prefetchSpecs()
        if fetches.isEmpty, queue.upcoming(FetchStock.minimum).count < FetchStock.minimum { return }
        let (now, wallNow) = (scheduler.now, scheduler.wallNow)
        var groups: [PlainFetchGroup] = []
        let crashes = journal.crashes
        var added: [TransferID] = []
        var last: Spec?
        while fetches.waiting < FetchStock.capacity, let id = queue.nextInLine(at: wallNow), runs[id] == nil,
            let spec = specCache.known(id), let entry = fetch(of: id, spec, now)
        {
            queue.reserve(id)
            shadow?.stocked(id)
            specCache.forget(id)
            if crashes != nil { added.append(id) }
            let fetch = PlainFetch(key: fetches.add(entry), url: spec.url.string, upload: entry.upload)
            if let last, last.kind == spec.kind, entry.origin.isOrigin(of: last.url), last.$options == spec.$options {
                groups[groups.count - 1].fetches.append(fetch)
            } else {
                groups.append(PlainFetchGroup(request: request(of: spec), fetches: [fetch]))
            }
            last = spec
        }
        guard !groups.isEmpty else { return }
        divideSlots()
        // Before any of them can send a byte: it may crash the process.
        crashes?.began(added, at: now)
        session.fetch(groups, for: fetchReceiver)
    }

    /// Whether nothing that holds for the whole queue asks for more than slots.
    private var mayFetch: Bool { queue.limits.perHost == nil && queue.suspects.isEmpty && !landings.isFull }

    private func request(of spec: Spec) -> TransferRequest {
        var options = spec.options
        options.rateLimit = nil
        return TransferRequest(url: spec.url, method: spec.kind == .download ? .get : .put, options: options)
    }

    /// - Returns: `nil` for a transfer that needs a run.
    private func fetch(of id: TransferID, _ spec: Spec, _ now: Double) -> FetchStock.Entry? {
        guard !fetches.unfit.contains(id), memories[id] == nil, let path = queue.fileIfFresh(id) else { return nil }
        let origin = fetches.origin(of: spec.url)
        guard origin.isPromising(at: now) else { return nil }
        switch spec.operation {
        case .download(let download):
            guard let place = destination(of: id, spec, download, path, now) else { return nil }
            return FetchStock.Entry(id, spec, origin, .download(place))
        case .upload(let upload):
            guard let upload = plainUpload(spec, upload, now) else { return nil }
            return FetchStock.Entry(id, spec, origin, .upload(upload))
        }
    }

    private func destination(
        of id: TransferID, _ spec: Spec, _ download: Download, _ path: String, _ now: Double
    ) -> FetchStock.Destination? {
        let demands = fetches.demands(of: spec.$options)
        guard rates?.download == nil, !download.overwrites, download.existing == .fails,
            download.body == nil, download.checksum == nil, !download.hasFacts,
            demands.permissions.areUsual, demands.method ?? .get == .get,
            let (parent, name) = Self.place(download.destination)
        else { return nil }
        let folder = fetches.folders.folder(at: parent, now: now) { [mounts, configuration] parent in
            mounts.mount(of: path).isLocal ? FetchFolder(parent, isInMemory: configuration.disk.isInMemory) : nil
        }
        // In a folder, the server might propose another name: whether this one is free, a run does not ask either.
        var isInFolder = false
        if case .folder = download.destination { isInFolder = true }
        guard let folder,
            policy.awaitsCommits ? folder.hasNamelessFilesThatGetNames : !download.syncs || folder.isInMemory,
            !name.isEmpty,
            folder.isUntouched(name, checksName: !isInFolder), !isInFolder || claims.claim(path, for: id)
        else { return nil }
        return FetchStock.Destination(
            folder: folder, name: name, path: path, isClaimed: isInFolder, syncs: download.syncs && !folder.isInMemory)
    }

    /// The folder and the name in it; `nil` for a stream.
    private static func place(_ destination: Download.Destination) -> (folder: String, name: String)? {
        switch destination {
        case .folder(let folder, let name) where !name.utf8.contains(UInt8(ascii: "/")):
            (folder.isEmpty ? "." : folder, name)
        case .folder, .file:
            DownloadAdmission.firstPath(destination).map { path in
                let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
                return (ParentFolder.path(of: path), slash.map { String(path[path.utf8.index(after: $0)...]) } ?? path)
            }
        case .stream: nil
        }
    }

    /// Sets how many may run at the transport: all slots that runs do not occupy.
    func divideSlots() {
        guard !fetches.isEmpty else { return }
        let slots = max(0, queue.slots - (queue.occupied - fetches.running))
        guard slots != fetches.slots else { return }
        fetches.slots = slots
        session?.setFetchSlots(slots, handedOver: fetches.handedOver)
    }

    // MARK: Taking back

    /// Returns fetches that have not started to the queue, because a command changes the order.
    func recallFetches() { if fetches.waiting > 0 { session?.recallFetches() } }

    /// The transfer is no fetch any more; nothing more is heard of its request.
    /// - Returns: whether it was one.
    @discardableResult
    func withdrawFetch(_ id: TransferID, unlessRunning: Bool = false) -> Bool {
        guard fetches.contains(id), !unlessRunning || queue[id]?.state != .running,
            let (key, entry) = fetches.remove(id)
        else { return false }
        session?.cancelFetch(key)
        if shadow?.op(id) == .stock { shadow?.note(.stopped, id) }
        forgo(entry)
        return true
    }

    private func forgo(_ entry: FetchStock.Entry) {
        queue.unreserve(entry.id)
        if let crashes = journal.crashes, let transfer = queue[entry.id] { crashes.note(transfer, at: scheduler.now) }
        if case .download(let file) = entry.file, file.isClaimed { claims.release(file.path, by: entry.id) }
        specCache.put(entry.spec, entry.id)
    }

    // MARK: Reports

    func fetched(_ reports: [FetchReport]) {
        guard !hasEnded else { return }
        var anyEnded = false
        var (inMemory, onDisk): ([FetchLandings.Landing], [FetchLandings.Landing]) = ([], [])
        var accepted: [PlainCompletion] = []
        for report in reports {
            switch report {
            case .started(let key): fetchStarted(key)
            case .finished(let key, let file):
                guard let entry = fetches.remove(key) else { continue }
                entry.origin.note(wasPlain: true, at: scheduler.now)
                anyEnded = true
                guard case .download(let place) = entry.file, let landing = fetchEnded(entry, place, file) else {
                    continue
                }
                if place.syncs { onDisk.append(landing) } else { inMemory.append(landing) }
            case .sent(let key, let metrics, let location):
                guard let entry = fetches.remove(key), let upload = entry.upload else { continue }
                entry.origin.note(wasPlain: true, at: scheduler.now)
                anyEnded = true
                if let completion = uploadEnded(entry, upload, metrics, location) { accepted.append(completion) }
            case .handedOver(let key, let ticket):
                fetches.handedOver += 1
                fetches.slots -= 1
                guard let entry = fetches.remove(key) else { continue }
                entry.origin.note(wasPlain: false, at: scheduler.now)
                resume(entry, with: ticket)
            case .returned(let key, let isPlain):
                guard let entry = fetches.remove(key) else { continue }
                if !isPlain { fetches.unfit.insert(entry.id) }
                shadow?.note(.returned(isPlain: isPlain), entry.id)
                forgo(entry)
            }
        }
        land(inMemory, .memory)
        land(onDisk, .disk)
        commit(accepted)
        if anyEnded { notifyStopWaiters() }
        startWhatMay()
        landIfIdle()
        if fetches.isEmpty { fetches.folders.close() }
        if anyEnded { postIdleIfDue() }
    }

    private func fetchStarted(_ key: Int) {
        guard let entry = fetches.start(key) else { return }
        shadow?.note(.started, entry.id)
        update(entry.id, .started, program: .of(.start), isRecorded: false) {
            $0.status = .running()
            if let size = entry.upload?.size { $0.total = size }
        }
    }

    /// Takes note of the server that has answered.
    func noteServer(of entry: FetchStock.Entry, _ metrics: ExchangeMetrics) {
        guard entry.origin.address != metrics.remoteAddress else { return }
        entry.origin.address = metrics.remoteAddress
        entry.origin.endpoint = metrics.remoteEndpoint
        session?.noteServer(entry.origin.url, metrics)
    }

    /// The whole response is here: it becomes a file, and the transfer is complete.
    /// - Returns: what waits for its name, if that comes in a round.
    private func fetchEnded(
        _ entry: FetchStock.Entry, _ place: FetchStock.Destination, _ file: FetchedFile
    ) -> FetchLandings.Landing? {
        noteServer(of: entry, file.metrics)
        let now = scheduler.wallNow
        let metrics = TransferMetrics(file, url: entry.spec.url, now: now, endpoint: entry.origin.endpoint)
        let count = Int64(file.body.count)
        traffic.note(count, .received, at: scheduler.now)
        if policy.awaitsCommits { return write(entry, place, file, metrics) }
        let code = place.folder.create(place.name, file)
        guard code == 0 else {
            fetchFailed(entry, place.path, metrics, code)
            return nil
        }
        update(entry.id, .completed, Self.completion(place.path, count, metrics, at: now))
        pruneEnded(after: entry.id)
        return nil
    }

    static func completion(_ path: String, _ count: Int64, _ metrics: TransferMetrics, at time: Double) -> Change {
        { transfer in
            transfer.progress.bytes = count
            transfer.progress.total = count
            transfer.progress.confirmed = count
            transfer.progress.httpStatus = 200
            transfer.file = path
            transfer.status = .completed(.init(at: time, duration: metrics.duration, metrics: metrics))
        }
    }

    func fetchFailed(_ entry: FetchStock.Entry, _ path: String, _ metrics: TransferMetrics, _ code: Int32) {
        let run = runForFetch(entry)
        (run.metrics, run.latest) = (metrics, metrics)
        claims.release(path, by: entry.id)
        update(entry.id) {
            $0.httpStatus = 200
            $0.file = path
        }
        attempt(run) {
            guard code != EEXIST else { throw DownloadAdmission.existsError(path) }
            throw TransferError(.cannotWrite, file: .write, path: path, systemErrno: code)
        }
    }

    /// A run continues the request, from the head on or wherever it stands.
    private func resume(_ entry: FetchStock.Entry, with ticket: FetchTicket) {
        shadow?.note(.handedOver, entry.id)
        let run = runForFetch(entry)
        run.ticket = ticket
        (run as? UploadRun)?.underWay = entry.upload?.source
        attempt(run) { try run.begin() }
    }

    func runForFetch(_ entry: FetchStock.Entry) -> Run {
        if policy.hasHistory, let transfer = queue[entry.id] { journal.beginAttempt(transfer) }
        let run = adopt(entry.id, entry.spec)
        run.deadline = run.deadline ?? scheduler.now + run.resourceTimeout
        run.generation += 1
        return run
    }
}

/// Carries the transport's reports to the engine.
final class FetchReceiver: PlainFetchReceiver {
    private let deliver: @Sendable ([FetchReport]) -> Void

    init(_ coordinator: Coordinator) {
        deliver = { [weak coordinator] reports in
            EngineActor.async { [weak coordinator] in coordinator?.fetched(reports) }
        }
    }

    func received(_ reports: [FetchReport]) { deliver(reports) }
}
