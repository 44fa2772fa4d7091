// SPDX-License-Identifier: MIT

import ArgumentParser
import FoundationEssentials
import TransferControl
import TransferModel

/// `fileq service install`
struct ServiceInstallCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "install",
        abstract: "Write units for systemd, so that transfers go on after a reboot.",
        discussion: """
            Writes fileq.service and fileq.socket into the folder of your own units ($XDG_CONFIG_HOME/systemd/user), \
            with the path of this program, and says how to switch them on. Without them the service is started by the \
            first command that needs it.
            """
    )

    @Flag(help: "Print the units instead of writing them.")
    var print = false

    func run() throws {
        let places = Places(environment: ProcessEnvironment.value)
        guard let program = ServiceLauncher.ownProgram else {
            throw TransferError(.other, "/proc, which tells where this program is, is not mounted")
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
            throw TransferError(.cannotWrite, "\(places.units): the units cannot be written there")
        }
        StandardError.say(
            "switch them on with: systemctl --user daemon-reload && systemctl --user enable --now fileq.socket "
                + "fileq.service"
        )
        StandardError.say("to have transfers go on while nobody is logged in: loginctl enable-linger")
    }
}

/// The units of systemd (systemd.service(5), systemd.socket(5)). Pure.
struct SystemdUnits {
    /// A whole path.
    let program: String
    /// `FILEQ_HOME`, where it is set.
    let home: String?
    /// `nil`: in the runtime folder that systemd gives each user.
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
        # Ended by a signal, in order.
        SuccessExitStatus=130 143
        Restart=on-failure
        RestartSec=5
        # What is wrong with the configuration does not mend itself.
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
        # A service that a command has started gives way.
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

    /// One word, in quotes where it needs them (systemd.syntax(7)).
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
