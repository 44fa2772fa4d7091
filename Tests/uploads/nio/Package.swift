// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
import PackageDescription

// Apple's server for resumable uploads. A package of its own: `make interop` alone builds it.
let extras = "swift-nio-extras"

let package = Package(
    name: "nio-uploads",
    platforms: [.macOS(.v14)],
    dependencies: [
        .package(url: "https://github.com/apple/swift-nio-extras.git", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.94.0"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.3.0"),
    ],
    targets: [
        .executableTarget(
            name: "nio-uploads",
            dependencies: [
                .product(name: "NIOResumableUpload", package: extras),
                .product(name: "NIOHTTPTypes", package: extras),
                .product(name: "NIOHTTPTypesHTTP1", package: extras),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ])
    ]
)
