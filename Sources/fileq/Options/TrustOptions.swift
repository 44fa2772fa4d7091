// SPDX-License-Identifier: MIT

import ArgumentParser

/// Which servers are believed, and what is shown to those that ask.
struct TrustOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Accept exactly this public key of a server although the system refuses its certificate, for this run: \
            HOST:PORT=sha256//BASE64, or the key alone for the one server that the URLs name. Repeatable.
            """,
            valueName: "key"))
    var trust: [String] = []

    @OptionGroup var identity: IdentityOptions

    @Option(help: ArgumentHelp("Speak no older version of TLS: 1.2 or 1.3. (default: 1.2)", valueName: "version"))
    var tlsMin: String?

    @Option(help: ArgumentHelp("Speak no newer version of TLS: 1.2 or 1.3.", valueName: "version"))
    var tlsMax: String?
}

/// What is shown to servers that ask who is there.
struct IdentityOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Show this certificate to a server that asks for one: PEM, or PKCS #12 (.p12, .pfx).",
            valueName: "file"), completion: .file())
    var cert: String?

    @Option(
        help: ArgumentHelp(
            "The private key that belongs to --cert, in PEM, where it is not in the same file.",
            valueName: "file"), completion: .file())
    var key: String?

    @Option(
        help: ArgumentHelp("Read the password of the private key from the first line of this file.", valueName: "file"),
        completion: .file())
    var keyPasswordFile: String?
}
