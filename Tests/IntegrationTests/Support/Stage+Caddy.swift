// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferTesting

/// Whose certificate caddy shows.
enum CaddyCertificate: Sendable {
    /// None: plain HTTP.
    case none
    case own(Certificate)
    /// One of caddy's own authority: a chain of three, made at the start. `RealServer.authority` is its root.
    case internalAuthority
}

extension Stage {
    /// A login that ``caddyLoginLines`` lets in.
    static let caddyLogin = TestLogin()
    /// Lines for ``caddy(_:protocols:site:name:)`` that ask for ``caddyLogin``. The hash is bcrypt's, as cheap as it
    /// can be.
    static let caddyLoginLines = [
        "basicauth {", "user $2b$04$abcdefghijklmnopqrstuu2r9OfJnfCsdneAXAGHnS4UpFFP8WIrW", "}",
    ]

    /// caddy as a file server, with ETags and ranges; it takes no uploads.
    ///
    /// - Parameters:
    ///   - protocols: of `h1`, `h2`, `h3`; HTTP/2 and HTTP/3 need a certificate.
    ///   - site: directives, such as `redir /old /new 308`.
    func caddy(
        _ certificate: CaddyCertificate = .internalAuthority, protocols: [String] = ["h1", "h2"],
        site lines: [String] = [],
        name: String = "caddy"
    ) async throws -> RealServer {
        let root = try makeFolder(aside("\(name)/root"))
        let folder = aside(name)
        let (scheme, words): (String, String) =
            switch certificate {
            case .none: ("http", "")
            case .own(let own): ("https", "tls \(own.certificate) \(own.key)")
            case .internalAuthority: ("https", "tls internal")
            }
        let (port, process) = try await listen(try ServerProgram.caddy.required(), folder: folder) { port in
            let text = """
                {
                  admin off
                  skip_install_trust
                  auto_https disable_redirects
                  storage file_system "\(folder)/storage"
                  servers {
                    protocols \(protocols.joined(separator: " "))
                  }
                }
                \(scheme)://127.0.0.1:\(port) {
                  bind 127.0.0.1
                  \(words)
                  log {
                    output file "\(folder)/access.log"
                  }
                  \(lines.joined(separator: "\n  "))
                  root * "\(root)"
                  file_server
                }
                """
            try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/Caddyfile"))
            return ["run", "--config", "\(folder)/Caddyfile", "--adapter", "caddyfile"]
        }
        var server = RealServer(
            origin: "\(scheme)://127.0.0.1:\(port)", root: root, log: "\(folder)/access.log", process: process)
        switch certificate {
        case .none: break
        case .own(let own): server.authority = own.certificate
        case .internalAuthority:
            let (first, leaf) = (
                "\(folder)/storage/pki/authorities/local/root.crt",
                "\(folder)/storage/certificates/local/127.0.0.1/127.0.0.1.crt"
            )
            // The certificate is made after it has begun to listen.
            try #require(
                await becomesTrue { Files.size(first) > 0 && Files.size(leaf) > 0 }, "caddy made no certificate")
            server.authority = first
        }
        return server
    }
}
