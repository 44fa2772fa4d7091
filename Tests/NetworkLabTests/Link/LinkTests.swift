// SPDX-License-Identifier: MIT

@testable import NetworkLab
import NIOCore
import NIOEmbedded
import Testing

/// Connections through a link on a clock that stands still until the test moves it.
@Suite struct LinkTests {
    /// Hands over bytes whenever they are asked for, as a socket that is always full.
    private final class Source: ChannelOutboundHandler {
        typealias OutboundIn = ByteBuffer
        private(set) var remaining: Int
        private let piece = 16_384

        init(_ bytes: Int) { remaining = bytes }

        func read(context: ChannelHandlerContext) {
            guard remaining > 0 else { return }
            let count = min(piece, remaining)
            remaining -= count
            context.fireChannelRead(NIOAny(ByteBuffer(repeating: 7, count: count)))
            context.fireChannelReadComplete()
            context.eventLoop.assumeIsolated().execute { context.pipeline.read() }
        }
    }

    /// Two joined ends and what each of their sockets saw.
    private final class Stage {
        let loop = EmbeddedEventLoop()
        let sender: EmbeddedChannel
        let receiver: EmbeddedChannel
        let source: Source
        let senderEnd: LinkEnd

        init(_ shaper: Shaper, bytes: Int) throws {
            let began = loop.now
            let forth = LinkDirection(shaper, loop: loop, began: began)
            let back = LinkDirection(
                Shaper(LinkProfile.Direction(bitsPerSecond: 1e9, delay: 0)), loop: loop, began: began)
            source = Source(bytes)
            let (oneRaw, otherRaw) = (RawEnd(), RawEnd())
            senderEnd = LinkEnd(forth, end: oneRaw)
            let receiverEnd = LinkEnd(back, end: otherRaw)
            sender = EmbeddedChannel(handlers: [source, oneRaw, senderEnd], loop: loop)
            receiver = EmbeddedChannel(handlers: [otherRaw, receiverEnd], loop: loop)
            let address = try SocketAddress(ipAddress: "127.0.0.1", port: 1)
            try sender.connect(to: address).wait()
            try receiver.connect(to: address).wait()
            LinkEnd.join(senderEnd, receiverEnd)
        }

        var now: Double { Double(loop.now.uptimeNanoseconds) / 1e9 }

        /// Bytes that have come out since the last call.
        func arrived() throws -> Int {
            var count = 0
            while let buffer = try receiver.readOutbound(as: ByteBuffer.self) { count += buffer.readableBytes }
            return count
        }

        /// Moves time on by a millisecond at a time until `bytes` have come out.
        /// - Returns: when the first and the last of them did.
        func run(until bytes: Int, within seconds: Double) throws -> (first: Double, last: Double) {
            var (total, first) = (0, Double.infinity)
            while total < bytes, now < seconds {
                loop.advanceTime(by: .milliseconds(1))
                let count = try arrived()
                if count > 0 { first = min(first, now) }
                total += count
            }
            #expect(total == bytes)
            return (first, now)
        }

        func finish() {
            _ = try? sender.finish(acceptAlreadyClosed: true)
            _ = try? receiver.finish(acceptAlreadyClosed: true)
        }
    }

    @Test(arguments: LinkProfile.all.filter { !$0.losesAll }) func bandwidthAndDelayAreThoseOfTheProfile(
        _ profile: LinkProfile
    ) throws {
        for direction in [profile.down, profile.up] {
            let bytes = Int(min(direction.rate * 10, 4_000_000))
            let stage = try Stage(Shaper(direction, random: SeededGenerator(3)), bytes: bytes)
            defer { stage.finish() }
            stage.sender.read()
            let expected = Double(bytes) / direction.rate
            let (first, last) = try stage.run(until: bytes, within: 2 * expected + 5)
            #expect((direction.delay...(direction.delay + direction.jitter + 0.1)).contains(first), "\(first)")
            #expect(
                abs(last - direction.delay - expected) <= expected * 0.05 + direction.jitter,
                "\(last) s for \(expected) s")
        }
    }

    @Test func severalConnectionsShareTheLink() throws {
        let direction = LinkProfile.Direction(bitsPerSecond: 800_000, delay: 0.01)
        let loop = EmbeddedEventLoop()
        let link = LinkDirection(Shaper(direction), loop: loop, began: loop.now)
        let first = link.arrival(of: 50_000)
        let second = link.arrival(of: 50_000)
        #expect((second - first).nanoseconds == 500_000_000)
    }

    @Test func limitsBufferedBytes() throws {
        let shaper = Shaper(LinkProfile.Direction(bitsPerSecond: 800_000, delay: 0.1))
        let stage = try Stage(shaper, bytes: 10_000_000)
        defer { stage.finish() }
        stage.sender.read()
        stage.loop.run()
        #expect(10_000_000 - stage.source.remaining <= shaper.capacity + 16_384)
        // The receiver takes nothing more: nothing more is read, whatever the time.
        stage.receiver.isWritable = false
        stage.loop.advanceTime(by: .seconds(60))
        let read = 10_000_000 - stage.source.remaining
        #expect(read <= shaper.capacity + 16_384)
        #expect(try stage.arrived() == 0)
        stage.receiver.isWritable = true
        stage.receiver.pipeline.fireChannelWritabilityChanged()
        stage.loop.advanceTime(by: .seconds(1))
        #expect(try stage.arrived() > 0)
        #expect(10_000_000 - stage.source.remaining > read)
    }

    @Test func outagesBlockBytes() throws {
        let outages = try #require(OutageSchedule(down: 5, every: 10))
        let stage = try Stage(
            Shaper(LinkProfile.Direction(bitsPerSecond: 800_000, delay: 0.1), outages: outages), bytes: 10_000_000)
        defer { stage.finish() }
        stage.sender.read()
        stage.loop.advanceTime(by: .milliseconds(4999))
        let before = try stage.arrived()
        #expect(abs(Double(before) - 490_000) < 25_000, "\(before)")
        stage.loop.advanceTime(by: .milliseconds(5000))
        #expect(try stage.arrived() <= 2000)
        stage.loop.advanceTime(by: .milliseconds(1000))
        #expect(try stage.arrived() > 90_000)
    }

    @Test func theEndOfTheStreamComesAfterTheLastByte() throws {
        let stage = try Stage(Shaper(LinkProfile.Direction(bitsPerSecond: 80_000, delay: 0.1)), bytes: 10_000)
        defer { stage.finish() }
        stage.sender.read()
        stage.loop.run()
        stage.sender.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        stage.loop.advanceTime(by: .milliseconds(1090))
        #expect(try stage.arrived() < 10_000)
        #expect(stage.receiver.isActive)
        stage.loop.advanceTime(by: .milliseconds(20))
        // An embedded channel knows no half: its end is the end of all.
        #expect(!stage.receiver.isActive)
    }

    @Test func resetsReachBothSides() throws {
        let stage = try Stage(Shaper(LinkProfile.Direction(bitsPerSecond: 80_000, delay: 0.1)), bytes: 10_000)
        defer { stage.finish() }
        stage.sender.read()
        stage.sender.pipeline.fireErrorCaught(ChannelError.ioOnClosedChannel)
        stage.loop.run()
        #expect(!stage.receiver.isActive)
        #expect(!stage.sender.isActive)
        stage.loop.advanceTime(by: .seconds(10))
        #expect(try stage.arrived() == 0)
    }
}
