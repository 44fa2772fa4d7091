// SPDX-License-Identifier: MIT

import Foundation
import TransferTesting

/// A server on loopback that sends back what it gets, and after the end of that `bye`; with TLS or
/// without. It ends with the value.
final class EchoServer: Sendable {
    enum Kind: String {
        case plain, tls
        /// With TLS; the response is the body of the request. Then the connection ends, with close_notify if the path
        /// has `/notify`; after `/keep` it stays.
        case http
    }

    let port: Int
    private let folder: TemporaryFolder
    /// The program ends when its input is closed: also when the tests end early.
    private let process: ChildProcess

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
        if kind != .plain {
            let status = try ChildProcess.run([
                "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                "-days", "2",
                "-subj", "/CN=echo", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", folder.file("server.key"),
                "-out", folder.file("server.pem"),
            ])
            guard status == 0 else { throw CocoaError(.executableLoad) }
        }
        process = try ChildProcess(
            "python3", ["-c", Self.program, kind.rawValue, folder.path], input: .pipe, output: .pipe)
        let line = String(decoding: try process.read(), as: UTF8.self)
        guard let port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw CocoaError(.fileReadUnknown)
        }
        self.port = port
    }

    deinit { process.closeInput() }

    private static let program = """
        import os, socket, ssl, sys, threading
        threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
        kind, folder = sys.argv[1:]
        listener = socket.create_server(("127.0.0.1", 0))
        context = None
        if kind != "plain":
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(folder + "/server.pem", folder + "/server.key")
        def receive(connection, isWhole):
            bytes = b""
            while not isWhole(bytes):
                piece = connection.recv(1)
                if not piece:
                    raise OSError
                bytes += piece
            return bytes
        def answer(connection):
            path = b"/keep"
            while b"/keep" in path:
                head = receive(connection, lambda bytes: bytes.endswith(b"\\r\\n\\r\\n"))
                path = head.split()[1]
                length = int(head.lower().split(b"content-length:")[1].split()[0])
                connection.sendall(receive(connection, lambda bytes: len(bytes) == length))
            if b"/notify" in path:
                connection.unwrap()
        def serve(connection):
            try:
                if context:
                    connection = context.wrap_socket(connection, server_side=True)
                if kind == "http":
                    return answer(connection)
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
