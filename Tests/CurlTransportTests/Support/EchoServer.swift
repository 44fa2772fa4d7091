// SPDX-License-Identifier: MIT

import Foundation
import TransferTesting

/// A server on loopback that sends back what it gets, and after the end of that `bye`; with TLS, or as a proxy to itself. It
/// ends with the value.
final class EchoServer: Sendable {
    enum Kind: String { case plain, tls, connectProxy }

    let port: Int
    private let folder: TemporaryFolder
    private let process: Process

    /// Its certificate, which is its own authority, for `127.0.0.1`.
    var certificate: String { folder.file("server.pem") }

    static let isAvailable = ["python3", "openssl"].allSatisfy { name in
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
            .contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
    }

    /// Waits for programs, and does that on a thread of its own.
    static func start(_ kind: Kind) async throws -> EchoServer {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try EchoServer(kind) }) }
        }
    }

    private init(_ kind: Kind) throws {
        folder = try TemporaryFolder()
        if kind == .tls {
            try Self.run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                         "-subj", "/CN=echo", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", folder.file("server.key"),
                         "-out", folder.file("server.pem"))
        }
        process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-c", Self.program, kind.rawValue, folder.path]
        let output = Pipe()
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard let port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) else { throw CocoaError(.fileReadUnknown) }
        self.port = port
    }

    deinit { process.terminate() }

    private static func run(_ words: String...) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        process.standardError = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
    }

    private static let program = """
        import socket, ssl, sys, threading
        kind, folder = sys.argv[1:]
        listener = socket.create_server(("127.0.0.1", 0))
        context = None
        if kind == "tls":
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(folder + "/server.pem", folder + "/server.key")
        def serve(connection):
            try:
                if context:
                    connection = context.wrap_socket(connection, server_side=True)
                if kind == "connectProxy":
                    head = b""
                    while not head.endswith(b"\\r\\n\\r\\n"):
                        head += connection.recv(1)
                    if not head.startswith(b"CONNECT "):
                        connection.sendall(b"HTTP/1.1 405 No\\r\\n\\r\\n")
                        return
                    connection.sendall(b"HTTP/1.1 200 Yes\\r\\n\\r\\n")
                while piece := connection.recv(65536):
                    connection.sendall(piece)
                connection.sendall(b"bye")
            except OSError:
                pass
            finally:
                connection.close()
        print(listener.getsockname()[1], flush=True)
        while True:
            connection, _ = listener.accept()
            threading.Thread(target=serve, args=(connection,), daemon=True).start()
        """
}
