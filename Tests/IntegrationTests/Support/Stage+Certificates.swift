// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// A certificate that is its own authority, and the pin of its key.
struct Certificate: Sendable {
    let certificate: String
    let key: String
    let pin: String
}

/// An authority and a client's certificate that it has signed.
struct ClientCertificate: Sendable {
    let authority: String
    let certificate: String
    let key: String

    /// Lines for nginx's `server` that require a client certificate.
    var nginxLines: [String] { ["ssl_client_certificate \(authority);", "ssl_verify_client on;"] }
}

extension Stage {
    /// A temporary certificate for 127.0.0.1; `name` distinguishes several.
    func certificate(_ name: String = "server") async throws -> Certificate {
        let (file, key) = (aside("\(name).pem"), aside("\(name).key"))
        let made = try await shell(
            """
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=\(name) \
            -addext subjectAltName=IP:127.0.0.1,DNS:localhost -keyout '\(key)' -out '\(file)' 2>/dev/null &&
            openssl x509 -in '\(file)' -pubkey -noout | openssl pkey -pubin -outform der | openssl dgst -sha256 \
            -binary | base64
            """)
        try #require(made.exit == 0, "\(made)")
        return Certificate(certificate: file, key: key, pin: "sha256//" + made.text.split(separator: "\n")[0])
    }

    /// A client's certificate and its authority; `name` distinguishes several.
    func clientCertificate(_ name: String = "client") async throws -> ClientCertificate {
        let authority = try await certificate("\(name)-authority")
        let (file, key) = (aside("\(name).pem"), aside("\(name).key"))
        let made = try await shell(
            """
            openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=\(name) -keyout \
            '\(key)' 2>/dev/null |
            openssl x509 -req -days 2 -CA '\(authority.certificate)' -CAkey '\(authority.key)' -set_serial 1 \
            -out '\(file)' 2>/dev/null
            """)
        try #require(made.exit == 0, "\(made)")
        return ClientCertificate(authority: authority.certificate, certificate: file, key: key)
    }
}
