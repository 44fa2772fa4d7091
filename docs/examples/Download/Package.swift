// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
import PackageDescription

let package = Package(
    name: "Download",
    dependencies: [.package(name: "fileq", path: "../../..")],
    targets: [
        .executableTarget(name: "Download", dependencies: [.product(name: "FileQTransfer", package: "fileq")], path: "Sources"),
    ]
)
