// SPDX-License-Identifier: MIT

import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import NIOPosix
import NIOResumableUpload

/// `nio-uploads FOLDER PORT`: `PUT /NAME` stores FOLDER/NAME.
@main enum Program {
    static func main() async throws {
        let words = CommandLine.arguments
        guard words.count == 3, let port = Int(words[2]) else { fatalError("nio-uploads FOLDER PORT") }
        let folder = words[1]
        // Without an origin the addresses of uploads are relative: behind a relay they stay right.
        let context = HTTPResumableUploadContext(origin: "")
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
        let server = try await ServerBootstrap(group: group)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.configureHTTPServerPipeline()
                    try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
                    try pipeline.addHandler(
                        HTTPResumableUploadHandler(context: context) { upload in
                            try? upload.pipeline.syncOperations.addHandler(FileHandler(folder))
                        })
                }
            }
            .bind(host: "127.0.0.1", port: port).get()
        try await server.closeFuture.get()
    }
}
