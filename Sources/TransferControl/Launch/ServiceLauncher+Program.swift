// SPDX-License-Identifier: MIT

import Glibc
package import TransferModel

/// The program to start, and its environment.
extension ServiceLauncher {
    /// The running program, if it is `fileq` itself.
    package static var ownProgram: String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        guard count > 0 else { return nil }
        let path = String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
        // A program replaced while it runs: use the new file of that name.
        let mark = " (deleted)"
        return path.hasSuffix(mark) && access(path, X_OK) != 0 ? String(path.dropLast(mark.count)) : path
    }

    /// `fileq` for other programs: `FILEQ_PROGRAM`, else in `PATH`.
    /// - Parameter environment: returns the value of a variable.
    /// - Throws: code `other` if it is not found.
    package static func installedProgram(environment: (String) -> String?) throws(TransferError) -> String {
        if let path = environment("FILEQ_PROGRAM"), !path.isEmpty {
            guard path.beginsWithSlash, access(path, X_OK) == 0 else {
                throw TransferError(.other, .serviceInvalidProgram, path)
            }
            return path
        }
        let folders = (environment("PATH") ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":").filter {
            $0.beginsWithSlash
        }
        let candidates: [String] = folders.map { "\($0)/fileq" }
        guard let path = candidates.first(where: { access($0, X_OK) == 0 }) else {
            throw TransferError(.other, .serviceMissingProgram)
        }
        return path
    }

    /// The environment of a service, derived from its starter's: without variables of this process, and with absolute
    /// folders, since the service has another working folder.
    package static func surroundings(_ variables: [String: String], places: ServicePlaces) -> [String: String] {
        var result = variables
        for name in [
            "LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES", "NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC", "PWD",
            "OLDPWD",
        ] {
            result[name] = nil
        }
        if let home = variables["FILEQ_HOME"], !home.isEmpty { result["FILEQ_HOME"] = places.state }
        return result
    }

    /// The variables of this process.
    package static var processEnvironment: [String: String] {
        var found: [String: String] = [:]
        var entry: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> = environ
        while let text = entry.pointee {
            if let equals = strchr(text, Int32(UInt8(ascii: "="))) {
                let name = String(decoding: UnsafeRawBufferPointer(start: text, count: equals - text), as: UTF8.self)
                found[name] = String(cString: equals + 1)
            }
            entry += 1
        }
        return found
    }
}
