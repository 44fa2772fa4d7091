// SPDX-License-Identifier: MIT

import Testing
import TransferControl
import TransferTesting

@testable import TransferService

@Suite struct DesktopNotifierTests {
    private func stage(_ script: String) throws -> (TemporaryFolder, String) {
        let folder = try TemporaryFolder()
        let program = try folder.write(Array("#!/bin/sh\ncd '\(folder.path)'\n\(script)".utf8), to: "notify")
        try ChildProcess.run(["/bin/chmod", "+x", program])
        return (folder, program)
    }

    @Test func runsTheProgramWithTheTextsAsArguments() throws {
        let (folder, program) = try stage("printf '%s|' \"$@\" > part; mv part shown")
        let notifier = DesktopNotifier(program: program, environment: ["DBUS_SESSION_BUS_ADDRESS=unix:path=/x"])
        notifier.show(EndNotice(title: "-a\u{1b}.iso failed", body: "<b> & x"))
        #expect(eventually { folder.exists("shown") })
        let words = String(decoding: try folder.read("shown"), as: UTF8.self)
        #expect(words == "-a|fileq|--|-a .iso failed|&lt;b&gt; &amp; x|")
    }

    @Test(arguments: [[], ["DBUS_SESSION_BUS_ADDRESS="], ["DBUS=1"]])
    func withoutASessionBusNothingRuns(_ environment: [String]) throws {
        #expect(!DesktopNotifier(environment: environment).isAvailable)
    }

    @Test func whatComesMeanwhileIsOneNotification() throws {
        let (folder, program) = try stage(
            "echo \"$4\" >> shown; while [ ! -e go ]; do sleep 0.02; done")
        let notifier = DesktopNotifier(
            program: program, environment: ["DBUS_SESSION_BUS_ADDRESS=x", "PATH=/bin:/usr/bin"])
        notifier.show(EndNotice(title: "1", body: ""))
        #expect(eventually { folder.exists("shown") })
        for number in 2...50 { notifier.show(EndNotice(title: "\(number)", body: "")) }
        try folder.write([], to: "go")
        #expect(try eventually { String(decoding: try folder.read("shown"), as: UTF8.self) == "1\n50\n" })
    }
}
