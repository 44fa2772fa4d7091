// SPDX-License-Identifier: MIT

package import NIOSSL

/// What a server proves its identity with.
package enum ServerCertificate {
    /// Why a server cannot start.
    package struct Failure: Error {
        /// Names the file.
        package var message: String
    }

    /// What ``read(_:_:)`` returns, for handlers of NIO.
    package static func context(_ certificatePath: String, _ keyPath: String) throws(Failure) -> NIOSSLContext {
        try context(of: read(certificatePath, keyPath), certificatePath, keyPath)
    }

    private static func context(
        of tls: TLSConfiguration, _ certificatePath: String, _ keyPath: String
    ) throws(Failure) -> NIOSSLContext {
        do { return try NIOSSLContext(configuration: tls) } catch {
            throw Failure(message: "\(keyPath) is not the key of \(certificatePath)")
        }
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
        _ = try context(of: tls, certificatePath, keyPath)
        return tls
    }
}
