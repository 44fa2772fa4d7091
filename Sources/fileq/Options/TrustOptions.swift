// SPDX-License-Identifier: MIT

import ArgumentParser

/// Which servers to trust.
struct TrustOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Accept this public key of a server in this run, although the system rejects its certificate: \
            HOST:PORT=sha256//BASE64, or only the key if all URLs name one server. Repeatable.
            """,
            valueName: "key"))
    var trust: [String] = []

    @Option(
        help: ArgumentHelp("The oldest version of TLS to use: 1.2 or 1.3. (default: 1.2)", valueName: "version"),
        completion: .list(["1.2", "1.3"]))
    var tlsMin: String?

    @Option(
        help: ArgumentHelp("The newest version of TLS to use: 1.2 or 1.3.", valueName: "version"),
        completion: .list(["1.2", "1.3"]))
    var tlsMax: String?

    /// For arguments without a command line.
    static var defaults: TrustOptions {
        var options = TrustOptions()
        (options.trust, options.tlsMin, options.tlsMax) = ([], nil, nil)
        return options
    }
}

/// Client certificates.
struct IdentityOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The client certificate: PEM, or PKCS #12 (.p12, .pfx).",
            valueName: "file"), completion: .file())
    var cert: String?

    @Option(
        help: ArgumentHelp(
            "The private key of --cert, in PEM, if it is not in the same file.",
            valueName: "file"), completion: .file())
    var key: String?

    @Option(
        help: ArgumentHelp("Read the password of the private key from the first line of this file.", valueName: "file"),
        completion: .file())
    var keyPasswordFile: String?

    /// For arguments without a command line.
    static var defaults: IdentityOptions {
        var options = IdentityOptions()
        (options.cert, options.key, options.keyPasswordFile) = (nil, nil, nil)
        return options
    }
}
