// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
import PackageDescription

// The targets of FuzzTests under libFuzzer: see run. Sources are links to those of the house, but for CFuzzer and
// fuzz/Driver.swift.
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
    ],
    targets: [
        .target(name: "CCurl", cSettings: cSettings, linkerSettings: [.linkedLibrary("curl")]),
        .target(name: "CFuzzer"),
        .target(name: "CLinux", cSettings: cSettings),
        .target(name: "CPublicSuffix", cSettings: cSettings, linkerSettings: [.linkedLibrary("psl")]),
        .target(
            name: "CTerminal", cSettings: cSettings + [.define("NCURSES_WIDECHAR", to: "1")],
            linkerSettings: [.linkedLibrary("ncursesw")]),
        .target(name: "Platform", dependencies: ["CLinux"], swiftSettings: settings),
        .target(
            name: "TransferModel",
            dependencies: [
                httpTypes, .product(name: "StructuredFieldValues", package: "swift-http-structured-headers"),
            ], swiftSettings: settings),
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
            name: "TransferControl", dependencies: ["CLinux", "Platform", "TransferModel"], swiftSettings: settings),
        .target(
            name: "TerminalInterface", dependencies: ["CTerminal", "Platform", "TransferControl", "TransferModel"],
            swiftSettings: settings),
        .executableTarget(
            name: "fuzz",
            dependencies: [
                "CFuzzer", "CurlTransport", "NetworkPath", "SessionCore", "TerminalInterface", "TransferControl",
                "TransferModel", httpTypes,
            ], swiftSettings: settings, linkerSettings: [.unsafeFlags(["-sanitize=fuzzer"])]),
    ]
)
