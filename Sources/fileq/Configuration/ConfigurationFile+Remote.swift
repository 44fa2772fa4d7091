// SPDX-License-Identifier: MIT

import ArgumentParser
import Platform
import RemoteControl
import TransferModel

extension ConfigurationFile {
    /// `[rpc]`: beside the options of the command, the settings of the remote control.
    static let remoteTable = RPCCommand.configuration.commandName ?? ""
    static let remoteKeys: Set<String> = [
        "host", "port", "tls-cert", "tls-key", "names", "origins", "dir", "allow-outside", "allow-shutdown",
    ]

    /// The settings of the remote control, without its secret.
    /// - Throws: code `usage` with the line, for anything in the table that is not as it has to be.
    func remoteSettings() throws(TransferError) -> RemoteSettings {
        var settings = Self.usualRemoteSettings
        guard let value = root[Self.remoteTable] else { return settings }
        guard let table = value.table else {
            throw TransferError(
                .usage, "\(location(of: Self.remoteTable, table: nil)): 'rpc' is a table: use [rpc]")
        }
        var (certificate, key): (String?, String?)
        for name in table.keys.sorted() {
            guard let value = table[name] else { continue }
            switch name {
            case "host": settings.host = try text(value, name)
            case "port":
                guard let port = value.int, (0...65_535).contains(port) else {
                    throw mistake(name, "'port' is a number from 0 to 65535")
                }
                settings.port = port
            case "tls-cert": certificate = try path(value, name)
            case "tls-key": key = try path(value, name)
            case "names": settings.names = try texts(value, name)
            case "origins": settings.origins = try texts(value, name)
            case "dir": settings.folder = try path(value, name)
            default: break  // An option, a flag, or refused by the check of the whole file.
            }
        }
        settings.allowsOutside = try flag("allow-outside", in: table, name: Self.remoteTable) ?? false
        settings.allowsShutdown = try flag("allow-shutdown", in: table, name: Self.remoteTable) ?? false
        switch (certificate, key) {
        case (let certificate?, let key?): settings.tls = .init(certificatePath: certificate, keyPath: key)
        case (nil, nil):
            guard settings.isLoopback else {
                throw mistake(
                    "host", "other machines can connect to '\(settings.host)': tls-cert and tls-key are needed")
            }
        default: throw mistake("tls-cert", "tls-cert and tls-key need each other")
        }
        return settings
    }

    /// Those without a table.
    static var usualRemoteSettings: RemoteSettings { RemoteSettings(secret: "", folder: downloadFolder()) }

    /// `$XDG_DOWNLOAD_DIR`, or `Downloads` in the home folder.
    private static func downloadFolder() -> String {
        if let folder = ProcessEnvironment.value("XDG_DOWNLOAD_DIR"), folder.beginsWithSlash { return folder }
        return "\(home)/Downloads"
    }

    private static var home: String {
        ProcessEnvironment.value("HOME").flatMap { $0.beginsWithSlash ? $0 : nil } ?? Folders.accountHome() ?? ""
    }

    private func text(_ value: ConfigurationValue, _ name: String) throws(TransferError) -> String {
        guard let text = value.string, !text.isEmpty else { throw mistake(name, "'\(name)' is a string in quotes") }
        return text
    }

    private func texts(_ value: ConfigurationValue, _ name: String) throws(TransferError) -> [String] {
        let texts = value.array?.compactMap(\.string) ?? []
        guard let array = value.array, texts.count == array.count else {
            throw mistake(name, "'\(name)' is a list of strings, such as [\"nas.example.org\"]")
        }
        return texts
    }

    private func path(_ value: ConfigurationValue, _ name: String) throws(TransferError) -> String {
        let path = HomePath.expanded(try text(value, name), home: Self.home)
        guard path.beginsWithSlash else {
            throw mistake(name, "'\(name)' is an absolute path, or begins with ~/")
        }
        return "/" + path.pathParts.joined(separator: "/")
    }

    private func mistake(_ key: String, _ what: String) -> TransferError {
        TransferError(.usage, "\(location(of: key, table: Self.remoteTable)): \(what)")
    }
}
