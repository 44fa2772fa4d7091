// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
import PackageDescription

// The targets of FuzzTests under libFuzzer: see run. Sources are links to those of the house, but for CFuzzer and
// fuzz/Driver.swift. Modules that need many more packages are here with the files that read what others wrote.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .unsafeFlags(["-sanitize=fuzzer", "-enable-testing"]),
]
let cSettings: [CSetting] = [.define("_GNU_SOURCE")]
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")

let package = Package(
    name: "fuzzing",
    dependencies: [
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-http-structured-headers", from: "1.7.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.0.0"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.0"),
        .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
    ],
    targets: [
        .target(name: "CCurl", dependencies: ["CLinux"], cSettings: cSettings),
        .target(name: "CExpat", cSettings: cSettings, linkerSettings: [.linkedLibrary(":libexpat.a")]),
        .target(name: "CFuzzer"),
        .target(name: "CLinux", cSettings: cSettings),
        .target(name: "CPublicSuffix", dependencies: ["CLinux"], cSettings: cSettings),
        .target(
            name: "CTerminal", cSettings: cSettings + [.define("NCURSES_WIDECHAR", to: "1")],
            linkerSettings: [.linkedLibrary("ncursesw")]),
        .target(name: "Platform", dependencies: ["CLinux"], swiftSettings: settings),
        .target(
            name: "TransferModel",
            dependencies: [
                httpTypes, .product(name: "StructuredFieldValues", package: "swift-http-structured-headers"),
            ], swiftSettings: settings),
        .target(name: "Markup", dependencies: ["CExpat", "TransferModel"], swiftSettings: settings),
        .target(name: "Listings", dependencies: ["Markup", "TransferModel", httpTypes], swiftSettings: settings),
        .target(name: "SessionCore", dependencies: ["Platform", "TransferModel", httpTypes], swiftSettings: settings),
        .target(
            name: "CurlTransport",
            dependencies: [
                "CCurl", "CLinux", "CPublicSuffix", "Platform", "SessionCore", "TransferModel", httpTypes,
                .product(name: "Crypto", package: "swift-crypto"), .product(name: "SwiftASN1", package: "swift-asn1"),
            ], swiftSettings: settings),
        .target(
            name: "NetworkPath", dependencies: ["CLinux", "Platform", "SessionCore", "TransferModel"],
            swiftSettings: settings),
        .target(
            name: "TransferControl", dependencies: ["Platform", "TransferModel"], swiftSettings: settings),
        .target(
            name: "TerminalInterface", dependencies: ["CTerminal", "Platform", "TransferControl", "TransferModel"],
            swiftSettings: settings),
        .target(
            name: "TransferService", dependencies: ["Markup", "Platform", "SessionCore", "TransferModel"],
            path: "Sources/ServiceFiles",
            sources: ["HookCommands.swift", "Mirrors/Metalink.swift", "Uploads/S3/S3Document.swift"],
            swiftSettings: settings),
        .target(
            name: "FileServer", dependencies: ["Platform", "TransferModel", httpTypes], path: "Sources/ServerFiles",
            sources: [
                "HTTP/Int64+Clamping.swift", "HTTP/Preconditions.swift", "HTTP/Refusal.swift",
                "HTTP/RequestFraming.swift",
                "HTTP/RequestTarget.swift", "Storage/UniqueName.swift",
                "Storage/UploadRecord.swift", "Uploads/UploadCreation.swift", "Uploads/UploadDialect.swift",
                "Uploads/UploadResource.swift", "Uploads/UploadState.swift",
            ], swiftSettings: settings),
        .target(
            name: "RemoteControl", dependencies: ["TransferControl", "TransferModel", httpTypes],
            path: "Sources/RemoteFiles", sources: ["Messages", "Queue", "RemoteSettings.swift"], swiftSettings: settings
        ),
        .target(
            name: "fileq",
            dependencies: [
                "Platform", "SessionCore", "TerminalInterface", "TransferControl", "TransferModel", "TransferService",
                httpTypes, .product(name: "TOMLKit", package: "TOMLKit"),
            ], path: "Sources/CommandFiles",
            sources: [
                "Adding/CurlData.swift", "Adding/CurlLine.swift", "Adding/CurlOption.swift", "Adding/ShellLine.swift",
                "Adding/StartTime.swift", "Commands/DownloadRequest.swift", "Configuration/ConfigurationFile.swift",
                "Configuration/ConfigurationFile+Hooks.swift", "Configuration/ConfigurationFile+Network.swift",
                "Configuration/ConfigurationValue.swift", "Configuration/TOMLGuard.swift",
                "Configuration/TOMLReader.swift", "Messages", "Options/ChecksumList.swift",
                "Options/CookieArguments.swift", "Options/DownloadList.swift", "Options/FileStatus.swift",
                "Options/HeaderArguments.swift", "Options/InputList.swift", "Options/ListedOptions.swift",
                "Options/PastedHeader.swift",
                "Options/SecretFile.swift", "Options/TextFile.swift", "Options/TransferError+Option.swift",
                "Output/StandardError.swift",
            ], swiftSettings: settings),
        .executableTarget(
            name: "fuzz",
            dependencies: [
                "CFuzzer", "CurlTransport", "FileServer", "Listings", "NetworkPath", "RemoteControl", "SessionCore",
                "TerminalInterface", "TransferControl", "TransferModel", "TransferService", "fileq", httpTypes,
            ], swiftSettings: settings, linkerSettings: [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])]),
    ]
)
