// SPDX-License-Identifier: MIT

import Glibc
import NIOCore

/// Decides in a listening channel's pipeline when a connection is accepted: within a maximum of open ones, and delayed
/// if configured. Used on the channel's event loop only.
///
/// The channel must accept one connection a read (`maxMessagesPerRead` 1).
final class AcceptGate: ChannelDuplexHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel
    typealias OutboundIn = Never
    typealias OutboundOut = Never

    private let maximum: Int
    private var schedule: AcceptSchedule?
    private var open = 0
    /// A pending read request.
    private var isHeld = false
    private var context: ChannelHandlerContext?
    private var poll: RepeatedTask?

    /// - Parameter wait: seconds from a connection's arrival in the kernel to its acceptance; 0: none.
    init(maximum: Int, wait: Double) {
        self.maximum = maximum
        schedule = wait > 0 ? AcceptSchedule(wait: wait) : nil
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        guard schedule != nil else { return }
        let gate = NIOLoopBound(self, eventLoop: context.eventLoop)
        poll = context.eventLoop.scheduleRepeatedTask(initialDelay: .zero, delay: .milliseconds(5)) { _ in
            gate.value.check()
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        poll?.cancel()
        (poll, self.context) = (nil, nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        poll?.cancel()
        poll = nil
        context.fireChannelInactive()
    }

    func read(context: ChannelHandlerContext) {
        isHeld = true
        pass()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        open += 1
        let loop = context.eventLoop
        let gate = NIOLoopBound(self, eventLoop: loop)
        unwrapInboundIn(data).closeFuture.hop(to: loop).whenComplete { _ in
            gate.value.open -= 1
            gate.value.pass()
        }
        context.fireChannelRead(data)
    }

    private func pass() {
        guard isHeld, open < maximum, let context else { return }
        if schedule != nil {
            guard schedule?.takeDue(at: Double(context.eventLoop.now.uptimeNanoseconds) / 1e9) == true else { return }
        }
        isHeld = false
        context.read()
    }

    /// A listening socket's `tcpi_unacked` is the number of connections that wait to be accepted.
    private func check() {
        guard isHeld, let context, let options = context.channel as? any SocketOptionProvider else { return }
        let loop = context.eventLoop
        let gate = NIOLoopBound(self, eventLoop: loop)
        options.getTCPInfo().hop(to: loop).whenSuccess { info in
            guard gate.value.isHeld else { return }
            gate.value.schedule?.observe(pending: Int(info.tcpi_unacked), at: Double(loop.now.uptimeNanoseconds) / 1e9)
            gate.value.pass()
        }
    }
}
