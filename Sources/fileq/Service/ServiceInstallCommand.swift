// SPDX-License-Identifier: MIT

import ArgumentParser
import FoundationEssentials
import TransferControl
import TransferModel

/// `fileq service install`
struct ServiceInstallCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "install",
        abstract: "Write systemd units, so that transfers continue after a reboot.",
        discussion: """
            Writes fileq.service and fileq.socket into your unit folder ($XDG_CONFIG_HOME/systemd/user), with the \
            path of this program, and prints how to enable them. Without them, the first command that needs the \
            service starts it.
            """
    )

    @Flag(help: "Print the units instead of writing them.")
    var print = false

    func run() throws {
        let places = Places(environment: ProcessEnvironment.value)
        guard let program = ServiceLauncher.ownProgram else {
            throw TransferError(.other, "/proc is not mounted")
        }
        try places.service.checkSocket()
        let units = SystemdUnits(
            program: program, home: places.home, socketPath: places.home == nil ? nil : places.service.socket)
        if print {
            for unit in units.files { Swift.print("# \(unit.name)\n\(unit.text)") }
            return
        }
        do {
            try FileManager.default.createDirectory(atPath: places.units, withIntermediateDirectories: true)
            for unit in units.files {
                let path = "\(places.units)/\(unit.name)"
                try Data(unit.text.utf8).write(to: URL(filePath: path), options: .atomic)
                Swift.print(path)
            }
        } catch {
            throw TransferError(.cannotWrite, "\(places.units): cannot write the units")
        }
        StandardError.say(
            "enable them with: systemctl --user daemon-reload && systemctl --user enable --now fileq.socket "
                + "fileq.service"
        )
        StandardError.say("to continue transfers while you are logged out: loginctl enable-linger")
    }
}

/// systemd units (systemd.service(5), systemd.socket(5)). No I/O.
struct SystemdUnits {
    /// An absolute path.
    let program: String
    /// `FILEQ_HOME`, if set.
    let home: String?
    /// `nil`: in the user's runtime folder.
    let socketPath: String?

    var files: [(name: String, text: String)] { [("fileq.service", service), ("fileq.socket", socket)] }

    private var service: String {
        """
        [Unit]
        Description=Background transfers of fileq
        Documentation=man:fileq(1)
        Requires=fileq.socket
        After=fileq.socket

        [Service]
        \(environment)ExecStart=\(Self.word(program)) service run
        # A clean end by a signal.
        SuccessExitStatus=130 143
        Restart=on-failure
        RestartSec=5
        # A restart does not fix the configuration.
        RestartPreventExitStatus=2

        [Install]
        WantedBy=default.target

        """
    }

    private var socket: String {
        """
        [Unit]
        Description=Socket of the background transfers of fileq
        Documentation=man:fileq(1)

        [Socket]
        # Stop a service that a command has started.
        \(environment)ExecStartPre=\(Self.word("-\(program)")) service stop
        ListenStream=\(socketPath.map(Self.escaped) ?? "%t/fileq/control.sock")
        SocketMode=0600
        DirectoryMode=0700

        [Install]
        WantedBy=sockets.target

        """
    }

    private var environment: String { home.map { "Environment=\(Self.word("FILEQ_HOME=\($0)"))\n" } ?? "" }

    /// `%` begins a specifier.
    private static func escaped(_ text: String) -> String { text.replacing("%", with: "%%") }

    /// One argument, quoted if necessary (systemd.syntax(7)).
    private static func word(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
                || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "/-_.=+:@%".utf8.contains(byte)
        }
        let escaped = escaped(text)
        guard !isPlain else { return escaped }
        return "\"\(escaped.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }
}
