// SPDX-License-Identifier: MIT

import FileServer
import Foundation
import Testing
import TransferTesting

struct TLSTests {
    @Test func uploadsAndDownloadsOverTLS() async throws {
        try await ServedFolder.with({ configuration, base in
            let (certificate, key) = (base.appendingPathComponent("cert.pem"), base.appendingPathComponent("key.pem"))
            let exit = try await runProgram(
                "openssl",
                [
                    "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                    "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key.path, "-out",
                    certificate.path,
                ], log: base.appendingPathComponent("openssl.log"))
            try #require(exit == 0)
            configuration.tls = .init(certificatePath: certificate.path, keyPath: key.path)
            configuration.limits.idleSeconds = 1
        }) { (folder) async throws in
            let trust = ["--cacert", folder.base.appendingPathComponent("cert.pem").path]
            let bytes = sampleBytes(3_000_000)
            #expect(try await folder.curl("/big", trust + ["-T", "-"], input: bytes).status == 201)
            let answer = try await folder.curl("/big", trust)
            #expect(answer.body == bytes)
            #expect(try await folder.curl("/big", trust + ["-r", "-5"]).body == bytes.suffix(5))
            #expect(try await folder.curl("/big").exit == 60)
            // A page that came unencrypted may be from anyone on the way.
            let site = "127.0.0.1:\(folder.server.port)"
            for (scheme, status) in [("http", 403), ("https", 201)] {
                let fields = ["-H", "Origin: \(scheme)://\(site)", "-T", "-"]
                #expect(try await folder.curl("/\(scheme)", trust + fields, input: bytes).status == status)
            }
            for version in ["-tls1", "-tls1_1"] {
                let exit = try await runProgram(
                    "openssl",
                    [
                        "s_client", version, "-cipher", "ALL:@SECLEVEL=0", "-connect",
                        "127.0.0.1:\(folder.server.port)",
                    ], log: folder.base.appendingPathComponent("old.log"))
                #expect(exit != 0, "\(version)")
            }
            #expect(try await folder.curl("/big", trust + ["--tls-max", "1.2", "-r", "0-0"]).body == bytes.prefix(1))
            // Plain HTTP at the TLS port is ended, not hung.
            let raw = try RawConnection(port: folder.server.port)
            await raw.send("PUT /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\n")
            #expect(!(await raw.receive().hasPrefix("HTTP/1.1 2")))
        }
    }
}
