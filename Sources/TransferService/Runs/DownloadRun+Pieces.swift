// SPDX-License-Identifier: MIT

import HTTPTypes
import SessionCore
import TransferModel

/// Several connections for one file.
///
/// The run's own task leads: what it waits for, and its failure, are those of the attempt. Helpers fetch ranges of the
/// same version for the same file; when one fails, its range is missing again. A paused or waiting download has no
/// helpers. When the run's own task has come to the range of another, that one takes its place.
extension DownloadRun {
    /// Unless the user, the server or the queue wants fewer.
    static let usualConnections = 4

    /// No response has brought another version since they were made.
    var arePiecesCurrent: Bool {
        guard let pieces else { return true }
        return files?.version.number == pieces.version
    }

    // MARK: Beginning

    /// Files with gaps: the run's own task fetches the first one.
    /// - Returns: where it resumes.
    func resumePieces(from point: ResumePoint, _ stored: ByteRangeSet) -> ResumePoint {
        guard let total = point.total, stored.prefixLength == point.offset, let version = files?.version.number else {
            return point
        }
        var plan = PiecePlan(
            total: total, present: stored, limit: engine.mostConnections(of: self), useful: usefulConnections)
        var point = point
        let end = plan.gaps.first?.upperBound ?? total
        let own = plan.adopt(from: point.offset, to: end, at: engine.scheduler.now)
        // That of the version, whichever address the own task asks.
        var reference = point
        if let validator = sources.all[sources.reference].validator { reference.validator = validator }
        reference.isVouched = false
        var pieces = Pieces(plan: plan, point: reference, version: version, own: own)
        pieces.checks = download.pieces.flatMap { PieceChecks($0, total: total) }
        (pieces.isRecorded, pieces.ownExtends, pieces.recordedAt) = (true, true, engine.scheduler.now)
        self.pieces = pieces
        placement = BodyPlacement(isPositioned: true)
        point.end = end
        return point
    }

    /// The run's own task has stored everything of its range up to `position`.
    func followPieces(_ task: DownloadTask, to position: Int64) {
        if !arePiecesCurrent { dropPieces() }
        learn(from: task)
        if pieces == nil {
            pieces = makePieces(task, at: position)
            // Wrong parts leave gaps, too.
            if pieces?.checks != nil { recordFirst() }
        }
        sources.contributed(sources.lead)
        guard let own = pieces?.own, let cannotRecord = pieces?.cannotRecord else { return }
        let now = engine.scheduler.now
        if pieces?.ownExtends == true { pieces?.isExtended = true }
        if let orders = pieces?.plan.setRateLimit(engine.rateLimit(of: self)) { obey(orders) }
        if let orders = pieces?.plan.setLimit(cannotRecord ? 1 : engine.mostConnections(of: self)) { obey(orders) }
        if pieces?.isOwnCut == false {
            attribute(own, to: position, from: sources.lead)
            if let orders = pieces?.plan.moved(own, to: position, at: now) { obey(orders) }
            if engine.queue[id]?.state == .running, let orders = pieces?.plan.resumed(at: now), !orders.isEmpty {
                obey(orders)
            }
        }
        comparePieces()
    }

    /// `nil` if the server or the request is not fit for ranges, or there is too little left.
    private func makePieces(_ task: DownloadTask, at position: Int64) -> Pieces? {
        let options = description.options
        guard let files, download.body == nil, options.method ?? .get == .get,
            !options.headers.contains(where: { $0.name == .range }),
            engine.mostConnections(of: self) > 1 || download.pieces != nil,
            let point = task.resumePoint, let total = point.total, total - position >= 2 * PiecePlan.minimum,
            point.contentEncoding == nil, let head = task.response,
            // Without a length, bytes in front of its range show at its end, which it would not reach.
            head.headerFields.contains(.contentLength),
            head.status.code == 206 || head.headerFields.first(.acceptRanges)?.lowercased() == "bytes"
        else { return nil }
        let now = engine.scheduler.now
        var plan = PiecePlan(
            total: total, present: ByteRangeSet(0..<position), limit: engine.mostConnections(of: self),
            useful: usefulConnections)
        let own = plan.adopt(from: position, isReceiving: true, at: now)
        var pieces = Pieces(plan: plan, point: point, version: files.version.number, own: own)
        sources.refer(to: sources.lead)
        pieces.checks = download.pieces.flatMap { PieceChecks($0, total: total) }
        if sources.contributors.isSubset(of: [sources.lead]) {
            pieces.checks?.received(0..<position, from: sources.lead)
        }
        return pieces
    }

    // MARK: Orders

    func obey(_ orders: [PiecePlan.Order]) {
        for order in orders {
            switch order {
            case .begin(let id, let range): begin(id, range)
            case .cut(let id): cut(id)
            }
        }
        if !orders.isEmpty { shareRate() }
        schedulePieces()
    }

    /// The plan is asked when it wants to be, also if nothing arrives until then.
    private func schedulePieces() {
        guard let wake = pieces?.plan.wake, pieces?.isWaking == false, wake > engine.scheduler.now else { return }
        pieces?.isWaking = true
        engine.scheduler.schedule(at: wake) { [self] in
            EngineActor.async { [self] in
                guard pieces?.isWaking == true else { return }
                pieces?.isWaking = false
                guard engine.runs[id] === self, stop == nil, engine.queue[id]?.state == .running,
                    pieces?.ending == nil, arePiecesCurrent
                else { return }
                if let orders = pieces?.plan.awoken(at: engine.scheduler.now) { obey(orders) }
            }
        }
    }

    func begin(_ id: Int, _ range: Range<Int64>) {
        guard stop == nil, !engine.isShuttingDown, engine.queue[self.id]?.state == .running, pieces?.ending == nil
        else {
            pieces?.plan.forget(id)
            return
        }
        guard pieces?.isRecorded == true else {
            pieces?.waiting.append((id, range))
            return recordFirst()
        }
        launch(id, range)
    }

    private func launch(_ id: Int, _ range: Range<Int64>) {
        guard let session = engine.session, arePiecesCurrent, let files, let reference = pieces?.point,
            let source = nextSource()
        else {
            pieces?.plan.forget(id)
            return
        }
        var point = sources.point(source, like: reference)
        var request = engine.request(for: self, method: .get, at: sources.all[source].url)
        // Streams of one HTTP/2 connection share what that connection gets.
        if request.options.httpVersion == .automatic { request.options.httpVersion = .http1 }
        (point.offset, point.end) = (range.lowerBound, range.upperBound)
        var target = DownloadTarget(place: .partial(files.current), resume: point)
        target.lane = engine.lane(of: files.path, on: mount)
        let placement = BodyPlacement(isPositioned: true)
        target.placement = placement
        if pieces?.isExtended == false { target.extendsTo = pieces?.extendedLength }
        target.isPiece = true
        let task = session.downloadTask(with: request, to: target)
        let helper = Pieces.Helper(id: id, task: task, placement: placement, source: source)
        pieces?.helpers[task.identifier] = helper
        engine.launch(helper: task, for: self)
        guard pieces?.awaiting != nil else { return }
        pieces?.awaiting = nil
        promote(task.identifier, helper)
    }

    private func cut(_ id: Int) {
        if pieces?.own == id {
            pieces?.isOwnCut = true
            task?.cancel()
        } else if let key = pieces?.helpers.first(where: { $0.value.id == id })?.key {
            pieces?.helpers[key]?.isCut = true
            pieces?.hasCut = true
            pieces?.helpers[key]?.task.cancel()
        } else {
            pieces?.waiting.removeAll { $0.id == id }
        }
    }

    /// The limit of the transfer is that of its connections together.
    func shareRate() {
        guard let pieces else { return }
        let rate = engine.queue[id]?.rateLimit.map { max(1, $0 / pieces.count) }
        task?.setRateLimit(rate)
        for helper in pieces.helpers.values { helper.task.setRateLimit(rate) }
    }

    // MARK: Holding

    func holdPieces() {
        if let own = pieces?.own, let orders = pieces?.plan.hold(keeping: own) { obey(orders) }
        pieces?.waiting = []
        if pieces?.isRecorded == true { recordPieces {} }
    }

    /// The file is another version from now on.
    func dropPieces() {
        for helper in pieces?.helpers.values.filter({ !$0.isCut }) ?? [] { helper.task.cancel() }
        pieces = nil
    }
}
