// SPDX-License-Identifier: MIT

import CCurl
import Glibc
import Platform
import SessionCore

/// The loop around libcurl's multi interface. Runs on one thread.
final class Engine {
    private let mailbox: Mailbox
    private let setup: ExchangeSetup
    private var running: [ExchangeID: RunningExchange] = [:]
    private var spares: [CurlHandle] = []
    private let limiter = RateLimiter()
    private let streams: EngineStreams
    private lazy var slots = PlainSlots(
        multi: mailbox.multi, setup: setup, makeHandle: { [unowned self] in spares.popLast() ?? CurlHandle() }
    ) { [weak mailbox] key in mailbox?.post(.fetches(.drop(key))) }
    private var isShuttingDown = false
    private var isQuitting = false
    private var lastTick = 0.0
    private static let tickInterval = 0.1

    init(mailbox: Mailbox, configuration: CurlTransport.Configuration) {
        self.mailbox = mailbox
        setup = ExchangeSetup(configuration: configuration)
        streams = EngineStreams(multi: mailbox.multi, setup: setup)
        ccurl_multi_set_long(mailbox.multi, CURLMOPT_MAXCONNECTS, 128)
        ccurl_multi_set_long(mailbox.multi, CURLMOPT_PIPELINING, ccurl_multiplex)
    }

    func run() {
        mailbox.begin()
        while true {
            // Twice: what sessions decide asks for exchanges, which start in the same round.
            for _ in 0..<2 { mailbox.takeAll().forEach(obey) }
            if isQuitting { return quit() }
            if isShuttingDown { return end() }
            var stillRunning: Int32 = 0
            curl_multi_perform(mailbox.multi, &stillRunning)
            slots.decide()
            collectFinished()
            let now = SystemClock.monotonic
            openThrottles(now)
            tick(now)
            expire(now)
            slots.deliverIfDue(now)
            sleep(now)
        }
    }

    // MARK: Commands

    private func obey(_ command: Command) {
        switch command {
        case .start(let id, let exchange, let handler): start(id, exchange, handler)
        case .pause(let id): running[id]?.hold(.user)
        case .resume(let id): running[id].map(resume)
        case .cancel(let id): running[id].map { finish($0, .init(.cancelled)) }
        case .decide(let id, let disposition): decide(id, disposition)
        case .limit(let id, let rate): running[id]?.setRate(rate)
        case .limits(let download, let upload):
            limiter.set(download: download, upload: upload, now: SystemClock.monotonic)
        case .stream(let command): streams.obey(command)
        case .file(let id, let reply): running[id].map { fileReplied($0, reply) }
        case .open(let id): running[id]?.release(.gate)
        case .fetches(let command): obey(command)
        case .work(let work): work()
        case .shutDown: isShuttingDown = true
        case .quit: isQuitting = true
        }
    }

    private func obey(_ command: FetchCommand) {
        switch command {
        case .add(let fetches, let exchange, let receiver): slots.add(fetches, exchange, receiver)
        case .limit(let count, let handedOver): slots.setLimit(count, handedOver: handedOver)
        case .recall: slots.recall()
        case .cancel(let key): slots.cancel(key)
        case .drop(let key): slots.drop(key: key)
        }
    }

    private func start(_ id: ExchangeID, _ exchange: Exchange, _ handler: any ExchangeHandler) {
        if !isShuttingDown, let slot = exchange.ticket.flatMap({ slots.claim($0) }) {
            return resume(slot, id, exchange, handler)
        }
        guard !isShuttingDown, let handle = spares.popLast() ?? CurlHandle() else {
            let failure = isShuttingDown ? ExchangeFailure(.cancelled) : .outOfMemory
            handler.exchange(id, didComplete: ExchangeOutcome(failure: failure))
            return
        }
        let calls = exchange.lane.map { LaneCalls(lane: $0, id: id, mailbox: mailbox) }
        exchange.gate?.whenOpened { [weak mailbox] in mailbox?.post(.open(id)) }
        let exchange = RunningExchange(
            id: id, exchange: exchange, handler: handler, handle: handle, limiter: limiter, calls: calls)
        running[id] = exchange
        do throws(ExchangeFailure) { try setup.prepare(exchange) } catch { return finish(exchange, error) }
        let code = curl_multi_add_handle(mailbox.multi, handle.pointer)
        if code != CURLM_OK { finish(exchange, .init(CURLE_FAILED_INIT)) }
    }

    /// The exchange of a task continues a request that began without one.
    private func resume(_ slot: PlainSlot, _ id: ExchangeID, _ exchange: Exchange, _ handler: any ExchangeHandler) {
        let exchange = RunningExchange(
            id: id, exchange: exchange, handler: handler, handle: slot.handle, limiter: limiter, began: slot.began)
        running[id] = exchange
        exchange.heldBody = slot.upload
        setup.setCallbacks(exchange, asksForBody: slot.upload == nil)
        let isWelcome = slot.head.bytes.withUnsafeBytes {
            exchange.takeOver(head: $0, body: slot.bodyBytes, tlsNames: slot.tlsNames)
        }
        if let code = slot.result {
            ended(exchange, code)
        } else if !isWelcome {
            finish(exchange, exchange.failure(for: CURLE_WRITE_ERROR))
        } else {
            exchange.releaseFiles()
        }
    }

    /// libcurl's connect timer does not stop during a pause. If it fires then, nothing was sent: the attempt restarts
    /// on resume.
    private func setAside(_ exchange: RunningExchange) {
        exchange.isSetAside = true
        curl_multi_remove_handle(mailbox.multi, exchange.handle.pointer)
    }

    private func resume(_ exchange: RunningExchange) {
        exchange.release(.user)
        guard exchange.isSetAside else { return }
        exchange.isSetAside = false
        let code = curl_multi_add_handle(mailbox.multi, exchange.handle.pointer)
        if code != CURLM_OK { finish(exchange, .init(CURLE_FAILED_INIT)) }
    }

    private func decide(_ id: ExchangeID, _ disposition: BodyDisposition) {
        guard let exchange = running[id], exchange.isHeldForDecision else { return }
        if disposition == .abort { return finish(exchange, .init(.aborted)) }
        exchange.apply(disposition)
    }

    // MARK: Ends

    private func collectFinished() {
        var remaining: Int32 = 0
        while let message = curl_multi_info_read(mailbox.multi, &remaining) {
            guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle else { continue }
            guard let context = ccurl_get_private(handle) else {
                streams.connected(handle, ccurl_message_result(message))
                continue
            }
            let code = ccurl_message_result(message)
            let owner = Unmanaged<HandleOwner>.fromOpaque(context).takeUnretainedValue()
            guard let exchange = owner as? RunningExchange else {
                slots.ended(unsafeDowncast(owner, to: PlainSlot.self), code)
                continue
            }
            ended(exchange, code)
        }
    }

    /// libcurl has ended with `exchange`.
    private func ended(_ exchange: RunningExchange, _ code: CURLcode) {
        let handle = exchange.handle.pointer
        if exchange.shouldTraceHandshake(after: code) {
            curl_multi_remove_handle(mailbox.multi, handle)
            setup.traceHandshake(exchange)
            if curl_multi_add_handle(mailbox.multi, handle) == CURLM_OK { return }
        }
        if code == CURLE_OPERATION_TIMEDOUT, exchange.isPausedBeforeConnection {
            setAside(exchange)
        } else {
            drain(exchange, exchange.failure(for: code))
        }
    }

    /// libcurl is done with the exchange; a lane may have bytes of its body to write.
    private func drain(_ exchange: RunningExchange, _ failure: ExchangeFailure?) {
        if exchange.isDrained { finish(exchange, failure) } else { exchange.ending = .init(failure: failure) }
    }

    private func fileReplied(_ exchange: RunningExchange, _ reply: FileReply) {
        if let failure = exchange.fileReplied(reply) { return finish(exchange, failure) }
        if let ending = exchange.ending, exchange.isDrained { finish(exchange, ending.failure) }
    }

    private func finish(_ exchange: RunningExchange, _ failure: ExchangeFailure?) {
        guard running.removeValue(forKey: exchange.id) != nil else { return }
        let outcome = exchange.outcome(failure)
        curl_multi_remove_handle(mailbox.multi, exchange.handle.pointer)
        exchange.handle.reset()
        if spares.count < 64 { spares.append(exchange.handle) }
        if exchange.connection.objection != nil { running.values.forEach { $0.wake() } }
        exchange.handler.exchange(exchange.id, didComplete: outcome)
    }

    private func end() {
        for exchange in Array(running.values) { finish(exchange, .init(.cancelled)) }
        streams.end()
        slots.end()
        while let commands = mailbox.close() {
            for command in commands {
                switch command {
                case .start(let id, _, let handler):
                    handler.exchange(id, didComplete: ExchangeOutcome(failure: .init(.cancelled)))
                case .stream(.open(let id, _, let handler)): handler.stream(id, didFail: .init(.cancelled))
                case .work(let work): work()
                default: break
                }
            }
        }
        spares.removeAll()
    }

    /// The program runs its exit handlers: handlers are no longer called.
    private func quit() {
        mailbox.quit()
        for exchange in running.values { curl_multi_remove_handle(mailbox.multi, exchange.handle.pointer) }
        running.removeAll()
        slots.end()
        streams.quit()
        spares.removeAll()
    }

    // MARK: Time

    /// Resumes exchanges whose rate limit has tokens again, in turn.
    private func openThrottles(_ now: Double) {
        let throttled = running.values.filter(\.isThrottled)
        limiter.hasUploadQueue = throttled.count { $0.sendHolds.contains(.rate) } > 1
        var uploads = limiter.upload.chunks(now)
        for exchange in throttled.sorted(by: { $0.throttledSince < $1.throttledSince }) {
            exchange.reopen(now, uploads: &uploads)
        }
    }

    private func tick(_ now: Double) {
        guard now - lastTick >= Self.tickInterval else { return }
        lastTick = now
        slots.check(now)
        for exchange in running.values { exchange.tick(now) }
        for exchange in running.values.filter({ $0.isStranded(now) }) { finish(exchange, nil) }
        for exchange in running.values.filter({ $0.hasLostBytes }) { finish(exchange, exchange.failure(for: CURLE_OK)) }
    }

    private func expire(_ now: Double) {
        let late = running.values.filter { $0.deadline.map { $0 <= now } ?? false }
        for exchange in late { finish(exchange, .init(exchange.silence.cause)) }
    }

    private func sleep(_ now: Double) {
        var waits: [curl_waitfd] = []
        var wakeUp = now + 60
        for exchange in running.values {
            if let deadline = exchange.deadline { wakeUp = min(wakeUp, deadline) }
            if exchange.wantsTick { wakeUp = min(wakeUp, lastTick + Self.tickInterval) }
            if exchange.isThrottled { wakeUp = min(wakeUp, exchange.nextOpening(now)) }
            if let wait = exchange.streamWait { waits.append(wait) }
        }
        if !slots.isEmpty {
            let pause = slots.hasReports ? PlainSlots.maximumDelay : max(0, lastTick + Self.tickInterval - now)
            wakeUp = min(wakeUp, now + pause)
        }
        let pipes = waits.count
        waits += streams.waits()
        guard mailbox.prepareToSleep() else { return }
        var ready: Int32 = 0
        let milliseconds = max(0, ((wakeUp - now) * 1000).rounded(.up))
        curl_multi_poll(mailbox.multi, &waits, UInt32(waits.count), Int32(milliseconds), &ready)
        streams.proceed(waits[pipes...])
        if pipes > 0 { for exchange in running.values { exchange.continueStreams() } }
    }
}
