// SPDX-License-Identifier: MIT

import Foundation
import TransferTesting

/// A server on loopback that sends back what it gets, and after the end of that `bye`; with TLS or
/// without. It ends with the value.
final class EchoServer: Sendable {
    enum Kind: String { case plain, tls }

    let port: Int
    private let folder: TemporaryFolder
    private let process: Process
    /// The program ends when nobody holds the other end of its input: also when the tests end before their time.
    private let lifeline = Pipe()

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
        process.standardInput = lifeline
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard let port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) else { throw CocoaError(.fileReadUnknown) }
        self.port = port
    }

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
        import os, socket, ssl, sys, threading
        threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
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
