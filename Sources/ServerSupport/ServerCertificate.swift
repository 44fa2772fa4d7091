// SPDX-License-Identifier: MIT

package import NIOSSL

/// What a server proves its identity with.
package enum ServerCertificate {
    /// Why a server cannot start.
    package struct Failure: Error {
        /// Names the file.
        package var message: String
    }

    /// Reads certificates and key, which belong together. Blocks meanwhile.
    /// - Returns: TLS from 1.2 on, for HTTP/1.1.
    package static func read(_ certificatePath: String, _ keyPath: String) throws(Failure) -> TLSConfiguration {
        guard let chain = try? NIOSSLCertificate.fromPEMFile(certificatePath) else {
            throw Failure(message: "\(certificatePath) is not a readable PEM file with certificates")
        }
        guard let key = try? NIOSSLPrivateKey(file: keyPath, format: .pem) else {
            throw Failure(message: "\(keyPath) is not a readable PEM file with a private key")
        }
        var tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        tls.applicationProtocols = ["http/1.1"]
        tls.minimumTLSVersion = .tlsv12
        guard (try? NIOSSLContext(configuration: tls)) != nil else {
            throw Failure(message: "\(keyPath) is not the key of \(certificatePath)")
        }
        return tls
    }
}
