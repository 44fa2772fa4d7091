// SPDX-License-Identifier: MIT

import HTTPTypes
package import TransferModel

/// Transfers with a non-default value in every member. Every secret begins with ``marker``, and nothing else does.
package enum SampleTransfers {
    package static let marker = "planted-"

    /// The set of options: goldens have those of their version.
    package enum Version: Int, Sendable, Comparable {
        case one = 1, current

        package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// With every option.
    package static func options(_ version: Version = .current) throws -> TransferOptions {
        var options = TransferOptions()
        options.method = .patch
        options.headers = [
            HTTPField(name: .authorization, value: "planted-bearer"), HTTPField(name: .accept, value: "text/plain"),
            HTTPField(name: .init("X-Api-Key") ?? .date, value: "planted-key"),
        ]
        options.cookies = [
            try Cookie(name: "a", value: "planted-cookie-0"), try Cookie(name: "a", value: "planted-cookie-1"),
        ]
        options.cookieJar = "/home/me/jar"
        options.credential = Credential(user: "me", password: "planted-pässword:\"")
        options.usesNetrc = false
        options.connectTimeout = 1.5
        options.requestTimeout = 2
        options.resourceTimeout = 3
        options.retries = 4
        options.rateLimit = 5
        options.maximumRedirects = 6
        options.pins = ["sha256//AAAA"]
        options.certificatePins = [Array(0..<32)]
        options.clientIdentity = ClientIdentity(
            certificate: "/home/me/me.p12", key: "/home/me/me.key", passphrase: Secret("planted-passphrase"),
            format: .pem)
        options.certificateAuthorities = "/etc/ca.pem"
        options.httpVersion = .http2
        options.assumesHTTP3Capable = true
        options.interface = "eth0"
        options.multipath = .aggregate
        options.waitsForConnectivity = false
        options.allowsCellular = false
        options.allowsExpensive = false
        options.allowsConstrained = true
        options.liftsRestrictions = true
        options.allowsDowngrade = true
        options.cachePolicy = .returnCacheDataElseLoad
        options.priority = 0.75
        guard version > .one else { return options }
        options.referer = Secret("planted-referer")
        options.userAgent = "sample/1"
        options.connections = 8
        options.maximumRetryWait = 90
        options.responseTimeout = 2.5
        options.umask = 0o027
        return options
    }

    /// Into a folder, with a body, every option and user information.
    package static func download(_ version: Version = .current) throws -> Spec {
        var download = Download(
            destination: .folder(path: "/home/me", name: "名前.txt"), overwrites: true,
            checksum: Checksum(algorithm: .sha256, bytes: Array(0..<32)), syncs: false)
        download.existing = .updates
        download.body = Array("planted-body".utf8)
        if version > .one {
            download.mirrors = [
                FileMirror(
                    url: try TransferURL("https://planted-mirror:planted-mirror-password@mirror.test/a"), priority: 2,
                    location: "jp"),
                FileMirror(url: try TransferURL("http://other.test/a")),
            ]
            download.size = 300
            download.pieces = try PieceDigests(algorithm: .sha256, length: 256, bytes: Array(0..<64))
            download.followsMetalink = false
        }
        return Spec(
            url: try TransferURL("https://planted-user:planted-url-password@host.test:8443/%C3%A9/?q=1"),
            operation: .download(download), options: try options(version))
    }

    /// To a fixed path, everything else at its default.
    package static func plainDownload() throws -> Spec {
        Spec(
            url: try TransferURL("http://host.test/a%20b?c=d"),
            operation: .download(.init(destination: .file(path: "/d/ä b"))))
    }

    /// A FileQ upload with every option.
    package static func upload(_ version: Version = .current) throws -> Spec {
        let metadata = [FileQUpload.Metadata(name: "note", value: "日本"), .init(name: "empty", value: "")]
        let upload = Upload(
            source: .file(path: "/s/ö"), form: .fileQ(FileQUpload(sid: "planted-sid", metadata: metadata)),
            checksum: Checksum(algorithm: .sha512, bytes: Array(0..<64)))
        return Spec(
            url: try TransferURL("https://host.test/upload"), operation: .upload(upload), options: try options(version))
    }

    package static func plainUpload() throws -> Spec {
        Spec(
            url: try TransferURL("http://host.test/s"),
            operation: .upload(.init(source: .file(path: "/s/a"), createsFolders: true)))
    }

    package static func all(_ version: Version = .current) throws -> [Spec] {
        [try download(version), try plainDownload(), try upload(version), try plainUpload()]
    }
}
