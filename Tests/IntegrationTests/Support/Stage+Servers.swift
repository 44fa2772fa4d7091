// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Testing
import TransferTesting

/// A real server that a test started: nginx, or `fileq serve`.
struct RealServer: Sendable {
    /// `scheme://127.0.0.1:port`, without a `/` at the end.
    let origin: String
    /// The folder it hands out and stores into.
    let root: String
    let log: String
    let process: Started

    func url(_ name: String) -> String { "\(origin)/\(name)" }
    func file(_ name: String) -> String { "\(root)/\(name)" }
    /// What it has said of its requests, a line each.
    var lines: [String] {
        String(decoding: FileManager.default.contents(atPath: log) ?? Data(), as: UTF8.self).split(separator: "\n").map(String.init)
    }
}

enum ServerKind: String, Sendable, CaseIterable, CustomStringConvertible {
    case nginx, fileq

    var description: String { rawValue }
    static let nginxPath = ["/usr/sbin/nginx", "/usr/local/sbin/nginx", "/usr/bin/nginx"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }
    static let hasNginx = nginxPath != nil
    static var present: [ServerKind] { hasNginx ? [.nginx, .fileq] : [.fileq] }
}

/// A certificate for 127.0.0.1 that is its own authority, and the pin of its key.
struct Certificate: Sendable {
    let certificate: String
    let key: String
    let pin: String
}

extension Stage {
    /// - Parameters:
    ///   - options: words for `fileq serve`; lines for nginx's `location`.
    ///   - isHTTP2: nginx alone: offer HTTP/2.
    func serve(_ kind: ServerKind, tls: Certificate? = nil, _ options: [String] = [], isHTTP2: Bool = false,
               name: String = "served") async throws -> RealServer {
        switch kind {
        case .nginx: try await nginx(tls: tls, options, isHTTP2: isHTTP2, name: name)
        case .fileq: try await fileqServe(tls: tls, options, name: name)
        }
    }

    private func fileqServe(tls: Certificate?, _ options: [String], name: String) async throws -> RealServer {
        let root = try makeFolder(aside(name))
        var words = ["serve", root, "--port", "0", "--no-sync", "-v"] + options
        if let tls { words += ["--tls-cert", tls.certificate, "--tls-key", tls.key] }
        let process = try startFileq(words)
        let first = await offPool { () -> String? in
            var line: String?
            _ = eventually {
                let text = String(decoding: FileManager.default.contents(atPath: process.output) ?? Data(), as: UTF8.self)
                line = text.firstIndex(of: "\n").map { String(text[..<$0]) }
                return line != nil || !process.child.isRunning
            }
            return line
        }
        let origin = try #require(first?.split(separator: " ").last, "fileq serve did not start")
        return RealServer(origin: String(origin), root: root, log: process.errors, process: process)
    }

    private func nginx(tls: Certificate?, _ options: [String], isHTTP2: Bool, name: String) async throws -> RealServer {
        let root = try makeFolder(aside(name))
        let prefix = try makeFolder(aside("\(name)-nginx"))
        // Another program may take a free port before nginx does.
        for _ in 0..<5 {
            let port = try freePort()
            let file = "\(prefix)/nginx.conf"
            try Data(configuration(port: port, root: root, prefix: prefix, tls: tls, options, isHTTP2: isHTTP2).utf8).write(to: URL(fileURLWithPath: file))
            let process = try start(try #require(ServerKind.nginxPath), ["-p", prefix, "-e", "\(prefix)/error.log", "-c", file])
            // It writes its number once it listens.
            let isUp = await becomesTrue(within: 10) { Files.exists("\(prefix)/nginx.pid") || !process.child.isRunning }
            guard isUp, process.child.isRunning else { continue }
            return RealServer(origin: "\(tls == nil ? "http" : "https")://127.0.0.1:\(port)", root: root,
                              log: "\(prefix)/access.log", process: process)
        }
        throw POSIXError(.EADDRINUSE)
    }

    private func configuration(port: Int, root: String, prefix: String, tls: Certificate?, _ options: [String],
                               isHTTP2: Bool) -> String {
        """
        daemon off;
        master_process off;
        pid \(prefix)/nginx.pid;
        error_log \(prefix)/error.log;
        events {}
        http {
          log_format told '$request_method $request_uri $status range="$http_range" sent=$body_bytes_sent cookie="$http_cookie" connection=$connection';
          access_log \(prefix)/access.log told;
          client_body_temp_path \(prefix)/body;
          proxy_temp_path \(prefix)/proxy;
          fastcgi_temp_path \(prefix)/fastcgi;
          uwsgi_temp_path \(prefix)/uwsgi;
          scgi_temp_path \(prefix)/scgi;
          client_max_body_size 0;
          server {
            listen 127.0.0.1:\(port)\(tls == nil ? "" : " ssl")\(isHTTP2 ? " http2" : "");
            \(tls.map { "ssl_certificate \($0.certificate); ssl_certificate_key \($0.key);" } ?? "")
            root \(root);
            location / {
              dav_methods PUT;
              create_full_put_path on;
              \(options.joined(separator: "\n      "))
            }
          }
        }
        """
    }

    /// A certificate made on the spot; `name` tells several apart.
    func certificate(_ name: String = "server") async throws -> Certificate {
        let (file, key) = (aside("\(name).pem"), aside("\(name).key"))
        let made = try await shell("""
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=\(name) \
            -addext subjectAltName=IP:127.0.0.1 -keyout '\(key)' -out '\(file)' 2>/dev/null &&
            openssl x509 -in '\(file)' -pubkey -noout | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64
            """)
        try #require(made.exit == 0, "\(made)")
        return Certificate(certificate: file, key: key, pin: "sha256//" + made.text.split(separator: "\n")[0])
    }
}

/// A port of loopback that nobody listens at. It may be taken by the time it is used.
func freePort() throws -> Int {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    var address = loopback(0)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
        }
    }
    guard isBound else { throw POSIXError(.EADDRINUSE) }
    return Int(UInt16(bigEndian: address.sin_port))
}

/// A connection to a port of loopback; below 0 where nobody takes it.
func connectLoopback(_ port: Int) -> Int32 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = loopback(port)
    let result = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
    }
    if result == 0 { return descriptor }
    close(descriptor)
    return -1
}

private func loopback(_ port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
}
