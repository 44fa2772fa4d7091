// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
import PackageDescription

// What many tasks cost before any of them runs. Apart from the house, so that nothing of it is built or shipped with
// fileq; the sources are links to those of the house.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")

let package = Package(
    name: "tasks",
    dependencies: [
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-http-structured-headers", from: "1.7.0"),
    ],
    targets: [
        .target(name: "CLinux", cSettings: [.define("_GNU_SOURCE")]),
        .target(name: "Platform", dependencies: ["CLinux"], swiftSettings: settings),
        .target(
            name: "TransferModel",
            dependencies: [
                httpTypes, .product(name: "StructuredFieldValues", package: "swift-http-structured-headers"),
            ], swiftSettings: settings),
        .target(name: "SessionCore", dependencies: ["Platform", "TransferModel", httpTypes], swiftSettings: settings),
        .executableTarget(
            name: "tasks", dependencies: ["SessionCore", "TransferModel", httpTypes], swiftSettings: settings),
    ]
)
