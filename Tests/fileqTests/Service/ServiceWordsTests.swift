// SPDX-License-Identifier: MIT

import Testing
import TransferControl
import TransferModel

@testable import fileq

@Suite struct ServiceWordsTests {
    private let status = ServiceStatus(
        pid: 12, version: "0.1.0", protocol: 1, socket: "/run/s", startedAt: 1_700_000_000, clients: 2,
        transfers: ["running": 1, "completed": 3])

    @Test func theStatusAsJSONHasEveryState() {
        #expect(
            ServiceStatusCommand.object(status, log: "/state/service.log") == #"""
                {"pid":12,"version":"0.1.0","protocol":1,"socket":"/run/s","log":"/state/service.log",\#
                "started":"2023-11-14T22:13:20.000Z",\#
                "clients":2,"transfers":{"queued":0,"running":1,"waiting":0,"retrying":0,"paused":0,\#
                "verifying":0,"completed":3,"failed":0,\#
                "cancelled":0}}
                """#)
    }

    @Test func printsTheStatus() {
        #expect(
            ServiceStatusCommand.text(status, log: "/state/service.log") == """
                running    process 12, fileq 0.1.0, since 2023-11-14T22:13:20.000Z
                transfers  1 running, 3 completed
                socket     /run/s
                log        /state/service.log
                """)
    }

    @Test func statusShowsSettingsInForce() {
        var status = status
        status.limits = QueueLimits(concurrent: 4, perHost: 2, download: 1_000_000)
        status.configuration = ServiceConfiguration(
            file: "/c.toml", modifiedAt: 1_700_000_000, problem: "/c.toml:3: no",
            hooks: ["on-error": "mail", "on-complete": "notify-send"], interfaces: ["wwan0"])
        #expect(
            ServiceStatusCommand.text(status, log: "/l").split(separator: "\n").suffix(5) == [
                "limits     4 at once, 2 for each host, download 977K/s, upload unlimited",
                "config     /c.toml, of 2023-11-14T22:13:20.000Z",
                "           changed since and not in force: /c.toml:3: no",
                "hooks      on-complete notify-send, on-error mail",
                "networks   wwan0",
            ])
        let tail =
            #""limits":{"concurrent":4,"perHost":2,"download":1000000},"configuration":{"file":"/c.toml","#
            + #""modified":"2023-11-14T22:13:20.000Z","problem":"/c.toml:3: no","#
            + #""hooks":{"on-complete":"notify-send","on-error":"mail"},"interfaces":["wwan0"]}}"#
        #expect(ServiceStatusCommand.object(status, log: "/l").hasSuffix(tail))
    }

    @Test(
        arguments: [
            (0, nil), (1, "1 transfer continues in the background; 'fileq list' shows it"),
            (3, "3 transfers continue in the background; 'fileq list' shows them"),
        ] as [(Int, String?)])
    func leavingTheScreen(_ count: Int, _ words: String?) { #expect(InterfaceCommand.farewell(count) == words) }

    @Test func leavingTheScreenOfAnotherMachine() {
        let words = "1 transfer continues on me@nas; 'fileq list --on me@nas' shows it"
        #expect(InterfaceCommand.farewell(1, on: "me@nas") == words)
    }

    @Test func unitsNameTheProgramAndItsPlaces() throws {
        let units = SystemdUnits(
            program: "/opt/my \"tools\"/50%/fileq", home: "/home/a b", socketPath: "/home/a b/run/control.sock"
        ).files
        #expect(units.map(\.name) == ["fileq.service", "fileq.socket"])
        let service = units[0].text.split(separator: "\n")
        let socket = units[1].text.split(separator: "\n")
        #expect(service.contains(#"ExecStart="/opt/my \"tools\"/50%%/fileq" service run"#))
        #expect(service.contains(#"Environment="FILEQ_HOME=/home/a b""#))
        #expect(socket.contains(#"ExecStartPre="-/opt/my \"tools\"/50%%/fileq" service stop"#))
        #expect(socket.contains("ListenStream=/home/a b/run/control.sock"))
        #expect(socket.contains("SocketMode=0600"))
    }

    @Test func pathsForAProcessElsewhere() throws {
        let url = try TransferURL("https://example.org/a")
        func download(_ destination: Download.Destination, in folder: String) -> Download.Destination? {
            var description = Spec(url: url, operation: .download(Download(destination: destination)))
            AbsolutePaths(workingFolder: folder).resolve(&description)
            guard case .download(let result) = description.operation else { return nil }
            return result.destination
        }
        #expect(download(.file(path: "a"), in: "/home") == .file(path: "/home/a"))
        #expect(download(.file(path: "/a"), in: "/home") == .file(path: "/a"))
        #expect(download(.folder(path: ".", name: "a"), in: "/home") == .folder(path: "/home", name: "a"))
        #expect(download(.folder(path: "./x", name: "a"), in: "/") == .folder(path: "/x", name: "a"))
        #expect(download(.stream(descriptor: 1), in: "/home") == .stream(descriptor: 1))
        var options = TransferOptions()
        options.cookieJar = "jar"
        options.certificateAuthorities = "../ca.pem"
        options.clientIdentity = ClientIdentity(certificate: "me.pem", key: "/me.key")
        var upload = Spec(url: url, operation: .upload(Upload(source: .file(path: "b"))), options: options)
        AbsolutePaths(workingFolder: "/home/me").resolve(&upload)
        #expect(upload.operation == .upload(Upload(source: .file(path: "/home/me/b"))))
        #expect(upload.options.cookieJar == "/home/me/jar")
        #expect(upload.options.certificateAuthorities == "/home/me/../ca.pem")
        #expect(upload.options.clientIdentity == ClientIdentity(certificate: "/home/me/me.pem", key: "/me.key"))
    }
}
