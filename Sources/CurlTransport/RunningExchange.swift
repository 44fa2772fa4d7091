// SPDX-License-Identifier: MIT

import CCurl
import CLinux
import Glibc
import HTTPTypes
import Platform
import SessionCore
import TransferModel

/// A running exchange: the state that libcurl's callbacks read and change. Used on the engine's thread only.
final class RunningExchange: HandleOwner {
    let id: ExchangeID
    let exchange: Exchange
    let handler: any ExchangeHandler
    let handle: CurlHandle
    private let limiter: RateLimiter

    private(set) var receiveHolds: Holds = []
    private(set) var sendHolds: Holds = []
    var head = HeadParser()
    private var hasFinalHead = false
    /// Is notified if the server ignores `Expect`; `nil` if the request has no such field, or once that is known.
    var awaitedContinue: ContinueSupport?
    /// A 401 or 407 that libcurl may handle; decided by the next callback.
    var openChallenge: HTTPResponse?
    /// Observes the connection of the exchange.
    var connection = ConnectionWatch()
    private var disposition = BodyDisposition.discard
    private var sink: BodySink?
    /// Replaces ``sink`` for a file whose calls a lane makes.
    var lanedSink: (queue: WriteQueue, descriptor: Int32)?
    let calls: LaneCalls?
    /// The pending end: libcurl is done, but not all of the body is in its file.
    var ending: Ending?
    var source: BodySource
    /// Bytes of the body that libcurl took before it began again.
    private var takenBefore: Int64 = 0
    var hasher: StreamHasher?
    /// When the rate limit last blocked it: the longest waiting exchange resumes first.
    private(set) var throttledSince = 0.0
    /// It has sent a chunk of what is allowed for all since it waited last, and others wait.
    private var hasHadTurn = false
    /// Bytes that libcurl offers again but were taken before the pause.
    private var alreadyTaken = 0
    private var downloadBucket: TokenBucket
    private var uploadBucket: TokenBucket
    var progress = ExchangeProgress()
    private var reported = ExchangeProgress()
    /// Acknowledged bytes of this connection before the body.
    private var acknowledgedBefore: (bytes: Int64, socket: Int32, key: ConnectionKey)?
    private var lastMove: Double
    private var delivery = BodyDelivery()
    /// The final head arrived before the peer had the whole body.
    var hasEarlyResponse = false
    /// Bytes of the response body, if declared.
    private var announcedBody: Int64?
    /// Start times, monotonic and wall clock.
    let began: (engine: Double, wall: Double)
    /// When the last part of the body was taken.
    var bodyTaken: Double?
    /// The local port of the connection on which the body began.
    var bodyPort = 0
    var tlsNames: TLSNames?
    var hasLookedAtTLS = false
    var callbackFailure: ExchangeFailure.Cause?
    /// Only the end of the connection shows that of the body (RFC 9112, section 6.3).
    private(set) var endsWithConnection = false
    /// Body bytes that a 206 may still bring, by its `Content-Range`; `nil`: any number.
    private(set) var rangeLeft: Int?
    /// libcurl has dropped bytes of the body, and may not end the exchange.
    private(set) var hasLostBytes = false
    private var hasBeenNudged = false
    /// The connect timer fired during a pause: libcurl has disabled it.
    var isSetAside = false
    /// Other signs of progress, if the sent count does not show it.
    private var unseen: (acknowledged: Int64, socket: Int32, key: ConnectionKey)?
    private var hasLookedForUnseen = false
    /// Body bytes that came before this exchange took the request over, until the body has its place.
    var backlog: [UInt8] = []
    /// The body as libcurl was given it before this exchange took the request over.
    var heldBody: PlainUpload?

    struct Ending {
        var failure: ExchangeFailure?
    }

    /// - Parameter began: of a request that was sent before; monotonic and wall clock.
    init(
        id: ExchangeID, exchange: Exchange, handler: any ExchangeHandler, handle: CurlHandle, limiter: RateLimiter,
        calls: LaneCalls? = nil, began: (engine: Double, wall: Double) = (SystemClock.monotonic, SystemClock.wall)
    ) {
        self.began = began
        self.id = id
        self.exchange = exchange
        self.handler = handler
        self.handle = handle
        self.limiter = limiter
        lastMove = SystemClock.monotonic
        source = BodySource(exchange.body, isReadAhead: calls != nil)
        self.calls = calls
        hasher = exchange.digest.map(StreamHasher.init)
        downloadBucket = TokenBucket(rate: exchange.rateLimit, now: lastMove)
        uploadBucket = downloadBucket
    }

    var bodySize: Int64? { source.size }
    var isHeldForDecision: Bool { receiveHolds.contains(.decision) }
    var isPausedBeforeConnection: Bool {
        receiveHolds.contains(.user) && handle.seconds(CURLINFO_PRETRANSFER_TIME_T) == nil
    }
    var isThrottled: Bool { receiveHolds.union(sendHolds).contains(.rate) }

    // MARK: Suspension

    func hold(_ reason: Holds) {
        receiveHolds.insert(reason)
        sendHolds.insert(reason)
        applyHolds()
    }

    func release(_ reason: Holds) {
        guard receiveHolds.union(sendHolds).contains(reason) else { return }
        receiveHolds.remove(reason)
        sendHolds.remove(reason)
        lastMove = SystemClock.monotonic
        applyHolds()
    }

    func apply(_ decided: BodyDisposition) {
        receiveHolds.remove(.decision)
        lastMove = SystemClock.monotonic
        adopt(decided)
        applyHolds()
    }

    func setRate(_ rate: Int?) {
        let now = SystemClock.monotonic
        downloadBucket.setRate(rate, now: now)
        uploadBucket.setRate(rate, now: now)
        guard isThrottled else { return }
        var uploads = Int.max
        reopen(now, uploads: &uploads)
    }

    /// Resumes directions whose limits have tokens again.
    /// - Parameter uploads: how many may be resumed: the tokens are for those that have waited longest, and libcurl
    ///   decides which of the resumed ones it asks first.
    func reopen(_ now: Double, uploads: inout Int) {
        if receiveHolds.contains(.rate), nextOpening(&downloadBucket, limiter.download, now) <= now {
            receiveHolds.remove(.rate)
            lastMove = now
            applyHolds()
        }
        if sendHolds.contains(.rate), uploads > 0, nextOpening(&uploadBucket, limiter.upload, now) <= now {
            uploads -= 1
            sendHolds.remove(.rate)
            hasHadTurn = false
            lastMove = now
            applyHolds()
        }
    }

    func nextOpening(_ now: Double) -> Double {
        var time = Double.infinity
        if receiveHolds.contains(.rate) { time = min(time, nextOpening(&downloadBucket, limiter.download, now)) }
        if sendHolds.contains(.rate) { time = min(time, nextOpening(&uploadBucket, limiter.upload, now)) }
        return time
    }

    private func nextOpening(_ own: inout TokenBucket, _ shared: TokenBucket, _ now: Double) -> Double {
        max(own.nextOpening(now) ?? now, shared.nextOpening(now) ?? now)
    }

    /// Unpausing may call the callbacks below before it returns.
    func applyHolds() {
        let mask = (receiveHolds.isEmpty ? 0 : ccurl_pause_receive) | (sendHolds.isEmpty ? 0 : ccurl_pause_send)
        let code = curl_easy_pause(handle.pointer, mask)
        // libcurl drops what it has held back if it cannot deliver it, and continues with the bytes behind it. It knows
        // no connection before the exchange has begun, nor after it has ended.
        guard code == CURLE_OUT_OF_MEMORY, callbackFailure == nil else { return }
        callbackFailure = ExchangeFailure.outOfMemory.cause
        hasLostBytes = true
    }

    // MARK: Streams

    /// The descriptor to poll for a pipe.
    var streamWait: curl_waitfd? {
        if receiveHolds.contains(.stream), let descriptor = sink?.streamDescriptor {
            return curl_waitfd(fd: descriptor, events: Int16(CURL_WAIT_POLLOUT), revents: 0)
        }
        if sendHolds.contains(.stream), let descriptor = source.streamDescriptor {
            return curl_waitfd(fd: descriptor, events: Int16(CURL_WAIT_POLLIN), revents: 0)
        }
        return nil
    }

    func continueStreams() { release(.stream) }

    // MARK: Time

    /// When the request or the response timer fires; `nil` while this side blocks the bytes.
    var deadline: Double? {
        ending == nil && receiveHolds.union(sendHolds).isEmpty ? lastMove + silence.seconds : nil
    }

    /// The timer that runs. The peer has the whole body when its kernel has acknowledged it, where that is known.
    var silence: (seconds: Double, cause: ExchangeFailure.Cause) {
        exchange.silence(
            awaitsResponse: !hasFinalHead && source.isExhausted && progress.sent >= source.position && unseen == nil)
    }

    /// Whether there may be progress that no callback has reported.
    var wantsTick: Bool {
        progress != reported || (progress.sent < source.position && sendHolds.isEmpty) || mayBeStuck || unseen != nil
            || hasLostBytes || (heldBody != nil && !source.isExhausted)
    }

    /// libcurl waits a second for `100 Continue`; another 1xx at the wrong moment makes it wait forever (seen with
    /// 7.88).
    private var mayBeStuck: Bool {
        !hasBeenNudged && exchange.body != .none && source.position == 0 && !hasFinalHead && sendHolds.isEmpty
    }

    private func nudge(_ now: Double) {
        guard mayBeStuck, now - lastMove > 1.2, handle.seconds(CURLINFO_PRETRANSFER_TIME_T) != nil else { return }
        hasBeenNudged = true
        wake()
    }

    /// Makes libcurl process this exchange again. When one of several exchanges on a connection ends, libcurl may
    /// forget data received for the others (seen with 7.88).
    func wake() {
        guard receiveHolds.union(sendHolds).isEmpty else { return }
        let last = lastMove
        hold(.user)
        release(.user)
        lastMove = last
    }

    func tick(_ now: Double) {
        nudge(now)
        refreshSent(now)
        watchUnseen(now)
        guard progress != reported else { return }
        reported = progress
        handler.exchange(id, didProgress: progress)
    }

    /// Updates the count of sent bytes: those that libcurl took and the peer's kernel has acknowledged.
    func refreshSent(_ now: Double) {
        noteHeldBody()
        guard exchange.body != .none, progress.sent < source.position else { return }
        var sent = source.position
        if let (before, socket, key) = acknowledgedBefore, key.isConnection(socket) {
            let total = clinux_tcp_bytes_acknowledged(socket)
            if total >= before { sent = min(sent, total - before) }
        }
        guard sent > progress.sent else { return }
        progress.sent = sent
        lastMove = now
    }

    /// A small body counts as sent when libcurl has taken it; for progress the kernel's count is used while it has some
    /// of it.
    private func watchUnseen(_ now: Double) {
        guard exchange.body != .none, exchange.httpVersion != .http2, acknowledgedBefore == nil, source.position > 0,
            !hasFinalHead
        else {
            unseen = nil
            return
        }
        if !hasLookedForUnseen {
            hasLookedForUnseen = true
            guard let key = ConnectionKey(of: handle), let socket = key.socket else { return }
            unseen = (clinux_tcp_bytes_acknowledged(socket), socket, key)
        }
        guard let (before, socket, key) = unseen else { return }
        let total = key.isConnection(socket) ? clinux_tcp_bytes_acknowledged(socket) : -1
        guard total >= 0 else {
            unseen = nil
            return
        }
        if total != before { lastMove = now }
        let isAllThere = progress.sent == source.size && clinux_tcp_bytes_queued(socket) == 0
        unseen = isAllThere ? nil : (total, socket, key)
    }

    // MARK: Callbacks

    /// A header line; false aborts the exchange.
    func headerArrived(_ line: UnsafeRawBufferPointer) -> Bool {
        if connection.isTunnelling {
            lastMove = SystemClock.monotonic
            guard connection.takeProxyLine(line) else { return refuseHead() }
            return true
        }
        noteTLS()
        let event = head.take(line)
        // Interim responses bring nothing of the one that is awaited, and may have no end.
        if !head.isInterim { lastMove = SystemClock.monotonic }
        switch event {
        case .none: return true
        case .informational(let response):
            openChallenge = nil
            if response.status.code == 100 { awaitedContinue = nil }
            handler.exchange(id, didReceiveInformational: response)
            return true
        case .final(let response):
            openChallenge = nil
            if mayBeHandledByLibcurl(response) {
                openChallenge = response
                return true
            }
            return present(response)
        case .tooLarge: return refuseHead()
        }
    }

    private func refuseHead() -> Bool {
        callbackFailure = .headTooLarge
        return false
    }

    /// Once, while the connection can be queried.
    private func noteTLS() {
        guard !hasLookedAtTLS else { return }
        hasLookedAtTLS = true
        if exchange.url.isSecure, handle.long(CURLINFO_NUM_CONNECTS) > 0 { tlsNames = TLSNames(of: handle) }
    }

    func present(_ response: HTTPResponse) -> Bool {
        hasFinalHead = true
        reportSent()
        hasEarlyResponse = !hasDeliveredBody
        announcedBody = response.headerFields[.contentLength].flatMap { Int64($0) }
        endsWithConnection = hasNoLength(response)
        if endsWithConnection { handle.watchEndOfTLS() }
        if response.isPart || response.status == .partialContent,
            case .satisfied(let range, _)? = response.contentRange,
            !exchange.decodesBody || response.contentCoding == nil
        {
            rangeLeft = range.count
        }
        adopt(handler.exchange(id, didReceive: response))
        if hasEarlyResponse, acknowledgedBefore != nil { refreshSent(SystemClock.monotonic) }
        if hasEarlyResponse, exchange.endsWhenAnsweredEarly, response.status.kind == .successful, callbackFailure == nil
        {
            callbackFailure = .answeredEarly(status: response.status.code)
        }
        return callbackFailure == nil
    }

    /// Reports sent bytes before the response.
    private func reportSent() {
        refreshSent(SystemClock.monotonic)
        guard progress.sent != reported.sent else { return }
        reported = progress
        handler.exchange(id, didProgress: progress)
    }

    /// The response is complete and the server accepts no more of the body: over HTTP/2 it may say so by closing the
    /// stream (RFC 9113, section 8.1), and libcurl 7.88 then tries to send forever.
    func isStranded(_ now: Double) -> Bool {
        ending == nil && hasEarlyResponse && announcedBody == progress.received && now - lastMove > 1
            && receiveHolds.union(sendHolds).isEmpty
            && handle.long(CURLINFO_HTTP_VERSION) == CURL_HTTP_VERSION_2_0
    }

    private var hasDeliveredBody: Bool {
        guard exchange.body != .none else { return true }
        return source.isExhausted && handle.bytesUploaded >= source.position
            && delivery.isAcknowledged(of: source.size, on: handle)
    }

    /// libcurl handles multi-step schemes on the same handle. For a response that it follows up it reports the head,
    /// never the body.
    private func mayBeHandledByLibcurl(_ response: HTTPResponse) -> Bool {
        switch response.status {
        case .unauthorized: exchange.authentication.hasSteps
        case .proxyAuthenticationRequired: exchange.proxyAuthentication.hasSteps
        default: false
        }
    }

    private func adopt(_ decided: BodyDisposition) {
        disposition = decided
        switch decided {
        case .hold: receiveHolds.insert(.decision)
        case .abort: callbackFailure = .aborted
        case .discard, .deliver: break
        case .file(let descriptor, let offset, let expectedEnd) where calls != nil:
            let length = BodySink.lengthToReserve(offset, expectedEnd)
            lanedSink = (WriteQueue(from: offset, reservingUpTo: length), descriptor)
            writeNext()
        case .file(let descriptor, let offset, let expectedEnd):
            let (sink, failure) = BodySink.file(
                descriptor, from: offset, expectedEnd: expectedEnd, placement: exchange.placement)
            self.sink = sink
            if let failure { callbackFailure = .cannotWrite(errno: failure) }
        case .stream(let descriptor): sink = .stream(descriptor)
        }
        if !isHeldForDecision, !backlog.isEmpty { storeBacklog() }
    }

    private func storeBacklog() {
        let bytes = backlog
        backlog = []
        guard callbackFailure == nil else { return }
        switch bytes.withUnsafeBytes(store) {
        case .took(let count):
            downloadBucket.take(count)
            limiter.download.take(count)
            if count < bytes.count, callbackFailure == nil { callbackFailure = .cannotWrite(errno: EAGAIN) }
        case .failed(let errno): callbackFailure = .cannotWrite(errno: errno)
        }
    }

    /// Receives body bytes. Returns how many were taken, or libcurl's pause value; anything else aborts the exchange.
    func bodyArrived(_ offered: UnsafeRawBufferPointer) -> Int {
        if callbackFailure != nil { return 0 }
        if let challenge = openChallenge {
            openChallenge = nil
            guard present(challenge) else { return 0 }
        }
        if !hasFinalHead { return offered.count }
        // libcurl ignores a pause before it has a connection.
        if !receiveHolds.isDisjoint(with: [.decision, .user]) { return ccurl_write_pause }
        let now = SystemClock.monotonic
        let fresh = UnsafeRawBufferPointer(rebasing: offered[min(alreadyTaken, offered.count)...])
        let allowed = min(downloadBucket.available(now), limiter.download.available(now))
        let piece = UnsafeRawBufferPointer(rebasing: fresh.prefix(allowed))
        var taken = piece.count
        if !piece.isEmpty {
            lastMove = now
            switch store(piece) {
            case .took(let count): taken = count
            case .failed(let errno):
                callbackFailure = .cannotWrite(errno: errno)
                return 0
            }
            downloadBucket.take(taken)
            limiter.download.take(taken)
            if callbackFailure != nil { return 0 }
        }
        if taken == fresh.count {
            alreadyTaken = 0
            return offered.count
        }
        alreadyTaken += taken
        receiveHolds.insert(taken == piece.count ? .rate : lanedSink == nil ? .stream : .file)
        throttledSince = now
        return ccurl_write_pause
    }

    /// More than the range of a 206 ends the exchange.
    private func store(_ offered: UnsafeRawBufferPointer) -> BodySink.Result {
        guard let left = rangeLeft else { return storeAll(offered) }
        guard offered.count <= left else {
            callbackFailure = .rangeExceeded
            return .took(0)
        }
        let result = storeAll(offered)
        if case .took(let count) = result { rangeLeft = left - count }
        return result
    }

    private func storeAll(_ piece: UnsafeRawBufferPointer) -> BodySink.Result {
        var taken = piece.count
        if var sink {
            let result = sink.write(piece)
            self.sink = sink
            guard case .took(let count) = result else { return result }
            taken = count
        } else if lanedSink != nil {
            return queue(piece)
        } else if disposition == .deliver {
            handler.exchange(id, didReceive: piece)
        }
        progress.received += Int64(taken)
        digest(piece.prefix(taken))
        return .took(taken)
    }

    func digest(_ piece: Slice<UnsafeRawBufferPointer>) {
        if exchange.body == .none { hasher?.update(UnsafeRawBufferPointer(rebasing: piece)) }
    }

    /// Provides request body bytes.
    func bodyWanted(_ room: UnsafeMutableRawBufferPointer) -> Int {
        noteLackOfContinue()
        if callbackFailure != nil || skipsBytes() { return ccurl_read_abort }
        if sendHolds.contains(.user) { return ccurl_read_pause }
        let now = SystemClock.monotonic
        let allowed = min(uploadBucket.available(now), limiter.upload.available(now))
        // Few bytes, as often as they are allowed, would leave none for the exchanges that wait for a chunk.
        guard allowed > 0, !hasHadTurn, nextOpening(&uploadBucket, limiter.upload, now) <= now else {
            sendHolds.insert(.rate)
            throttledSince = now
            return ccurl_read_pause
        }
        let room = gated(room)
        guard !sendHolds.contains(.gate) else { return ccurl_read_pause }
        noteAcknowledged()
        defer { readNext() }
        let sharesLimit = limiter.hasUploadQueue && limiter.upload.rate != nil
        let most = sharesLimit ? min(allowed, TokenBucket.largestChunk) : allowed
        let piece = UnsafeMutableRawBufferPointer(rebasing: room.prefix(most))
        switch source.read(into: piece) {
        case .read(let count):
            if source.isExhausted {
                delivery.lastPieceTaken(
                    count, of: source.size, on: handle,
                    known: acknowledgedBefore.map { (socket: $0.socket, key: $0.key) })
            }
            lastMove = now
            if count > 0 { bodyTaken = now }
            uploadBucket.take(count)
            limiter.upload.take(count)
            hasHadTurn = sharesLimit && count > 0
            hasher?.update(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(piece).prefix(count)))
            return count
        case .wait:
            sendHolds.insert(source.isReadAhead ? .file : .stream)
            return ccurl_read_pause
        case .failed(let cause):
            callbackFailure = cause
            return ccurl_read_abort
        }
    }

    /// The part of `room` that may be filled now. Holds the body back if it is empty.
    private func gated(_ room: UnsafeMutableRawBufferPointer) -> UnsafeMutableRawBufferPointer {
        guard let gate = exchange.gate, !source.isExhausted else { return room }
        let most = gate.room(from: source.position)
        if most == 0 { sendHolds.insert(.gate) }
        return UnsafeMutableRawBufferPointer(rebasing: room.prefix(Int(clamping: most)))
    }

    /// Bytes of the body that libcurl took at most, however often it began.
    var bodyTakenCount: Int64 { max(takenBefore, source.position) }

    /// Without a `100 Continue` libcurl requests the body after a second; at once where it has sent no `Expect`, as
    /// over HTTP/2.
    private func noteLackOfContinue() {
        guard let support = awaitedContinue else { return }
        awaitedContinue = nil
        guard let begun = handle.seconds(CURLINFO_PRETRANSFER_TIME_T),
            SystemClock.monotonic - max(lastMove, began.engine + begun) > 0.9
        else { return }
        support.noteLack(at: exchange.url.origin)
    }

    private func noteAcknowledged() {
        guard acknowledgedBefore == nil, source.position == 0, exchange.httpVersion != .http2 else { return }
        guard let key = ConnectionKey(of: handle) else { return }
        // libcurl reports a connection's socket early only to the exchange that opened it.
        let reported = ccurl_get_socket(handle.pointer)
        // A small one is over before the search for its socket pays off; otherwise ticks search it.
        let isWorthSearching = source.size.map { $0 > 262_144 } ?? true
        guard let socket = reported >= 0 && key.isConnection(reported) ? reported : isWorthSearching ? key.socket : nil
        else {
            return
        }
        let total = clinux_tcp_bytes_acknowledged(socket)
        if total >= 0 { acknowledgedBefore = (total, socket, key) }
    }

    /// libcurl sends the body again from `offset`.
    func bodyRewound(to offset: Int64) -> Bool {
        // A connection that was used before turned out dead.
        if exchange.sendsBodyOnce, source.position > offset {
            callbackFailure = .transport(.noResponse)
            return false
        }
        takenBefore = bodyTakenCount
        guard source.seek(to: offset) else { return false }
        progress.sent = min(progress.sent, offset)
        acknowledgedBefore = nil
        delivery = BodyDelivery()
        hasEarlyResponse = false
        unseen = nil
        hasLookedForUnseen = false
        hasher = offset == 0 ? exchange.digest.map(StreamHasher.init) : nil
        return true
    }
}
