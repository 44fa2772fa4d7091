// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Testing
import TransferTesting

/// A real server that a test started: nginx, `fileq serve`, caddy or httpbin.
struct RealServer: Sendable {
    /// `scheme://127.0.0.1:port`, without a `/` at the end.
    let origin: String
    /// The folder it hands out and stores into.
    let root: String
    let log: String
    let process: Started
    /// The file that vouches for its certificate, for `--cacert`; `nil` for plain HTTP.
    var authority: String?

    func url(_ name: String) -> String { "\(origin)/\(name)" }
    func file(_ name: String) -> String { "\(root)/\(name)" }
    /// What it has said of its requests, a line each.
    var lines: [String] {
        String(decoding: FileManager.default.contents(atPath: log) ?? Data(), as: UTF8.self).split(separator: "\n").map(
            String.init)
    }
}

enum ServerKind: String, Sendable, CaseIterable, CustomStringConvertible {
    case nginx, fileq

    var description: String { rawValue }
    /// Those that can be tested; where nothing may be skipped, those that must be.
    static var present: [ServerKind] {
        ServerProgram.nginx.path != nil || !ServerProgram.mayBeAbsent ? [.nginx, .fileq] : [.fileq]
    }
}

extension Stage {
    /// - Parameters:
    ///   - options: words for `fileq serve`; lines for nginx's `location`.
    ///   - isHTTP2: nginx alone: offer HTTP/2.
    func serve(
        _ kind: ServerKind, tls: Certificate? = nil, _ options: [String] = [], isHTTP2: Bool = false,
        name: String = "served"
    ) async throws -> RealServer {
        switch kind {
        case .nginx: try await nginx(tls: tls, location: options, isHTTP2: isHTTP2, name: name)
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
                let text = String(
                    decoding: FileManager.default.contents(atPath: process.output) ?? Data(), as: UTF8.self)
                line = text.firstIndex(of: "\n").map { String(text[..<$0]) }
                return line != nil || !process.child.isRunning
            }
            return line
        }
        let origin = try #require(first?.split(separator: " ").last, "fileq serve did not start")
        return RealServer(
            origin: String(origin), root: root, log: process.errors, process: process, authority: tls?.certificate)
    }

    /// nginx: reads with ranges, `PUT`.
    /// - Parameters:
    ///   - server: lines for its `server`, such as those of a ``ClientCertificate``.
    ///   - location: lines for its `location /`.
    func nginx(
        tls: Certificate? = nil, server lines: [String] = [], location: [String] = [],
        isHTTP2: Bool = false, name: String = "served"
    ) async throws -> RealServer {
        let root = try makeFolder(aside(name))
        let prefix = try makeFolder(aside("\(name)-nginx"))
        let (port, process) = try await listen(try ServerProgram.nginx.required(), folder: prefix) { port in
            let file = "\(prefix)/nginx.conf"
            let text = configuration(
                port: port, root: root, prefix: prefix, tls: tls, server: lines, location: location, isHTTP2: isHTTP2)
            try Data(text.utf8).write(to: URL(fileURLWithPath: file))
            return ["-p", prefix, "-e", "\(prefix)/error.log", "-c", file]
        }
        return RealServer(
            origin: "\(tls == nil ? "http" : "https")://127.0.0.1:\(port)", root: root,
            log: "\(prefix)/access.log", process: process, authority: tls?.certificate)
    }

    private func configuration(
        port: Int, root: String, prefix: String, tls: Certificate?, server: [String],
        location: [String], isHTTP2: Bool
    ) -> String {
        """
        daemon off;
        master_process off;
        pid \(prefix)/nginx.pid;
        error_log \(prefix)/error.log;
        events {}
        http {
          log_format reported '$request_method $request_uri $status range="$http_range" sent=$body_bytes_sent \
          cookie="$http_cookie" connection=$connection';
          access_log \(prefix)/access.log reported;
          client_body_temp_path \(prefix)/body;
          proxy_temp_path \(prefix)/proxy;
          fastcgi_temp_path \(prefix)/fastcgi;
          uwsgi_temp_path \(prefix)/uwsgi;
          scgi_temp_path \(prefix)/scgi;
          client_max_body_size 0;
          server {
            listen 127.0.0.1:\(port)\(tls == nil ? "" : " ssl")\(isHTTP2 ? " http2" : "");
            \(tls.map { "ssl_certificate \($0.certificate); ssl_certificate_key \($0.key);" } ?? "")
            \(server.joined(separator: "\n    "))
            root \(root);
            location / {
              dav_methods PUT;
              create_full_put_path on;
              \(location.joined(separator: "\n      "))
            }
          }
        }
        """
    }
}
