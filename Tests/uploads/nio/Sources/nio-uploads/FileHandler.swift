// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Stores the file of one upload, however many requests bring it. A file that is not complete is removed.
final class FileHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundOut = HTTPResponsePart

    private let folder: String
    private var part: (handle: FileHandle, path: String, name: String)?

    init(_ folder: String) { self.folder = folder }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let request):
            guard request.method == .put, let target = request.path else { return respond(.methodNotAllowed, context) }
            let name = target.split(separator: "/").joined(separator: "_")
            let path = "\(folder)/.part-\(UInt64.random(in: 0 ... .max))"
            guard FileManager.default.createFile(atPath: path, contents: nil),
                let handle = FileHandle(forWritingAtPath: path)
            else { return respond(.internalServerError, context) }
            part = (handle, path, name)
        case .body(let bytes): part?.handle.write(Data(bytes.readableBytesView))
        case .end:
            guard let part else { return }
            try? part.handle.close()
            self.part = nil
            let isStored = rename(part.path, "\(folder)/\(part.name)") == 0
            respond(isStored ? .created : .internalServerError, context)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        if let part { unlink(part.path) }
        part = nil
        context.fireChannelInactive()
    }

    private func respond(_ status: HTTPResponse.Status, _ context: ChannelHandlerContext) {
        let head = HTTPResponse(status: status, headerFields: [.contentLength: "0"])
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
}
