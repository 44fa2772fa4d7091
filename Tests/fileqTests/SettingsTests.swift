// SPDX-License-Identifier: MIT

import ArgumentParser
import Glibc
import SessionCore
import Testing
import TransferControl
import TransferModel

@testable import fileq

@Suite struct SettingsTests {
    private static let inventory = CommandInventory.program

    private func merge(_ words: String, variables: [String: String] = [:], file: String? = nil) throws -> [String] {
        let configuration = try file.map { try ConfigurationFile(path: "config.toml", text: $0) }
        try configuration?.check(against: Self.inventory)
        return try Settings.merge(
            words.split(separator: " ").map(String.init), inventory: Self.inventory,
            variables: variables, file: configuration
        ).words
    }

    /// Hooks run what it says.
    @Test func rejectsAConfigurationOthersCanWrite() throws {
        let folder = try Folder()
        let path = try folder.write("retry = 1\n", to: "config.toml", mode: 0o644)
        #expect(try ConfigurationFile.read(path) != nil)
        #expect(try ConfigurationFile.read(folder.path + "/none") == nil)
        for mode: mode_t in [0o664, 0o646, 0o666] {
            #expect(chmod(path, mode) == 0)
            let error = #expect(throws: TransferError.self) { try ConfigurationFile.read(path) }
            #expect(error?.code == .usage && error?.message.hasSuffix("'chmod go-w \(path)' mends it") == true)
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root makes files of others")) func rejectsAConfigurationOfAnotherUser()
        throws
    {
        let folder = try Folder()
        let path = try folder.write("retry = 1\n", to: "config.toml")
        #expect(chmod(path, 0o600) == 0 && chown(path, 65534, 65534) == 0)
        let error = #expect(throws: TransferError.self) { try ConfigurationFile.read(path) }
        #expect(error?.code == .usage && error?.message.contains("another user") == true)
    }

    @Test func rejectsNULInValues() throws {
        #expect(throws: TransferError.self) { try merge("get u", file: "output = \"a\\u0000b\"\n") }
        #expect(throws: TransferError.self) { try merge("get u", file: "header = [\"a\", \"b\\u0000\"]\n") }
    }

    @Test func insertsNothingWithoutSettings() throws {
        #expect(try merge("get http://h/a") == ["get", "http://h/a"])
    }

    @Test func environmentComesBeforeFileAndTheCommandLineBeforeBoth() throws {
        let file = "request-timeout = 10\nretry = 1\n[get]\nretry = 2\n[put]\nretry = 3\n"
        let variables = ["FILEQ_REQUEST_TIMEOUT": "20"]
        #expect(
            try merge("get u", variables: variables, file: file)
                == ["get", "--request-timeout=20", "--retry=2", "u"])
        #expect(
            try merge("put f u --request-timeout 30", variables: variables, file: file)
                == ["put", "--retry=3", "f", "u", "--request-timeout", "30"])
    }

    @Test(arguments: [
        ("get -j4 u", false), ("get -j 4 u", false), ("get -qj 4 u", false), ("get --concurrent=4 u", false),
        ("get --concurrent 4 u", false), ("get -o -j u", true), ("get u -- -j", true), ("get -H -j4 u", true),
    ])
    func recognizesTypedOptionsInEveryForm(words: String, isInserted: Bool) throws {
        let result = try merge(words, variables: ["FILEQ_CONCURRENT": "9"])
        #expect(result.contains("--concurrent=9") == isInserted)
    }

    /// What is meant for downloads to come must not change one that is there.
    @Test func queueCommandsIgnoreSettings() throws {
        let variables = [
            "FILEQ_LIMIT": "1M", "FILEQ_ALL": "1", "FILEQ_USER": "me", "FILEQ_NOW": "1", "FILEQ_JSON": "1",
            "FILEQ_DELETE": "1",
        ]
        for words in ["set 3 --priority high", "relocate 3 --url u", "resume 3", "cancel 3", "clear"] {
            let typed = words.split(separator: " ").map(String.init)
            #expect(try merge(words, variables: variables) == [typed[0], "--json"] + typed.dropFirst())
        }
    }

    @Test func switchesAndLists() throws {
        let file = "header = [\"A: 1\", \"B: 2\"]\n[get]\nsync = true\noverwrite = false\nretry = 3\n"
        #expect(
            Set(try merge("get u", variables: ["FILEQ_VERBOSE": "yes", "FILEQ_COOKIE": "a=1\nb=2"], file: file))
                == [
                    "get", "--cookie=a=1", "--cookie=b=2", "--verbose", "--header=A: 1", "--header=B: 2", "--sync",
                    "--retry=3", "u",
                ])
    }

    @Test func typedNowOverridesSettings() throws {
        let file = "no-expensive = true\nno-cellular = true\nno-wait = true\n"
        #expect(try merge("get --now u", file: file) == ["get", "--no-wait", "--now", "u"])
        #expect(
            try merge("get u", variables: ["FILEQ_NOW": "1"], file: file) == ["get", "--now", "--no-wait", "u"]
                || merge("get u", variables: ["FILEQ_NOW": "1"], file: file) == ["get", "--no-wait", "--now", "u"])
        #expect(
            try merge("put --no-expensive f u", variables: ["FILEQ_NOW": "1", "FILEQ_INTERFACE": "wlan0"])
                == ["put", "--interface=wlan0", "--no-expensive", "f", "u"])
    }

    @Test(arguments: [
        ("get --multipath u", "get --multipath=handover u"), ("get --multipath none u", "get --multipath none u"),
        ("put f u --multipath", "put f u --multipath=handover"),
        ("get --multipath=interactive u", "get --multipath=interactive u"),
        ("add get --multipath --plain u", "add get --multipath=handover --plain u"),
        ("get -- --multipath", "get -- --multipath"),
    ])
    func multipathNeedsNoValue(_ typed: String, _ completed: String) {
        let words = typed.split(separator: " ").map(String.init)
        #expect(Settings.insertingDefaultValues(in: words) == completed.split(separator: " ").map(String.init))
    }

    @Test func theConfigurationEnablesMultipath() throws {
        #expect(try merge("get u", file: "multipath = true\n") == ["get", "--multipath=handover", "u"])
        #expect(try merge("get u", file: "multipath = false\n") == ["get", "u"])
        #expect(try merge("get u", file: "multipath = \"aggregate\"\n") == ["get", "--multipath=aggregate", "u"])
        #expect(
            try merge("add get u", variables: ["FILEQ_MULTIPATH": "none"]) == ["add", "get", "--multipath=none", "u"])
    }

    @Test func typedRivalsSuppressSettings() throws {
        let file = "[get]\ndirectory = \"/tmp\"\nsid = \"x\"\nplain = true\n"
        #expect(
            try merge("get -o a u --json", variables: ["FILEQ_SID_FILE": "f"], file: file)
                == ["get", "--sid-file=f", "-o", "a", "u", "--json"])
    }

    /// `password-file` needs the user, whom the token replaces.
    @Test func aTypedTokenSuppressesTheLoginOfSettings() throws {
        let file = "[get]\nuser = \"me\"\npassword-file = \"p\"\ntoken-file = \"other\"\n"
        #expect(try merge("get --token-file t u", file: file) == ["get", "--token-file", "t", "u"])
        #expect(
            try merge("get --user you --password-file q u", file: file)
                == ["get", "--user", "you", "--password-file", "q", "u"])
    }

    /// A host name of `serve` is no name of a file, and its token is not sent to other servers.
    @Test func namesAndTokensOfTheServerAreNotThoseOfTransfers() throws {
        let (file, variables) = ("name = [\"nas\"]\ntoken-file = \"t\"\n", ["FILEQ_NAME": "n", "FILEQ_TOKEN_FILE": "u"])
        for words in ["get u", "put f u", "add get u", "add put f u"] {
            let typed = words.split(separator: " ").map(String.init)
            #expect(try merge(words, file: file) == typed)
            #expect(try merge(words, variables: variables) == typed)
        }
        #expect(Set(try merge("serve", file: file)) == ["serve", "--name=nas", "--token-file=t"])
        #expect(Set(try merge("serve", variables: variables)) == ["serve", "--name=n", "--token-file=u"])
        let own = "name = \"nas\"\n[put]\ntoken-file = \"p\"\n[get]\ntoken-file = \"g\"\n"
        #expect(try merge("add put f u", file: own) == ["add", "put", "--token-file=p", "f", "u"])
        #expect(try merge("get u", file: own) == ["get", "--token-file=g", "u"])
    }

    @Test func typedSyncOverridesSettings() throws {
        #expect(try merge("get --sync u", variables: ["FILEQ_NO_SYNC": "1"]) == ["get", "--sync", "u"])
        #expect(
            try merge("get u", variables: ["FILEQ_SYNC": "1"], file: "no-sync = true\n") == ["get", "--sync", "u"])
        #expect(try merge("get u", file: "no-sync = true\n") == ["get", "--no-sync", "u"])
    }

    @Test(arguments: [
        ("retry = 1\nrequest-timout = 3\n", "config.toml:2: unknown option 'request-timout' at the top"),
        ("# get\n[get]\n\nrecursive = true\n", "config.toml:4: unknown option 'recursive' in [get]"),
        ("[gte]\nretry = 1\n", "config.toml:1: unknown option 'gte' at the top"),
        // A command that is named like an option of others.
        ("[interface]\nthme = \"nord\"\n", "config.toml:2: unknown option 'thme' in [interface]"),
        ("retry = \n", "config.toml:1: "), ("help = true\n", "config.toml:1: unknown option 'help'"),
    ])
    func anUnknownKeyIsAnErrorWithItsLine(file: String, beginning: String) throws {
        let error = #expect(throws: TransferError.self) { try merge("get u", file: file) }
        #expect(error?.code == .usage)
        #expect(error?.message.hasPrefix(beginning) == true, "\(error?.message ?? "")")
    }

    @Test(arguments: [
        ("overwrite = 1\n", "'overwrite' is a flag"), ("retry = true\n", "'retry' needs a value"),
        ("retry = [\"1\"]\n", "'retry' takes one value"), ("header = [[\"a\"]]\n", "'header' must be"),
    ])
    func wrongTypesAreErrors(file: String, part: String) throws {
        let error = #expect(throws: TransferError.self) { try merge("get u", file: file) }
        #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
    }

    @Test func errorsNameTheOriginOfAValue() throws {
        let given = try Settings.merge(
            ["get", "u"], inventory: Self.inventory, variables: ["FILEQ_RETRY": "x"], file: nil)
        let error = #expect(throws: (any Error).self) { try Program.parse(given.words) }
        let complaint = ErrorReport(try #require(error), about: given)
        #expect(complaint.line?.contains("(set by FILEQ_RETRY)") == true)
        #expect(complaint.status == 2)
    }

    @Test(arguments: [
        ("", "interface"), ("-j 8", "interface -j 8"), ("--version", "--version"), ("-h", "-h"), ("nope", "nope"),
        ("get u", "get u"), ("--generate-completion-script=zsh", "--generate-completion-script=zsh"),
    ])
    func defaultsToTheInterface(words: String, expected: String) {
        let named = Settings.insertingDefault(in: words.split(separator: " ").map(String.init))
        #expect(named.joined(separator: " ") == expected)
    }

    /// The parser aborts the process on some of them.
    @Test(arguments: [
        ("a = 1\nb = [1, }", 2), ("a = [1,\u{85}2]", 1), ("a = \"\u{85}\"\nb = [\u{2028}]", 2), ("a = 1979-05-27T{", 1),
        ("a = [1_979-05-2__7 0]", 1), ("a = [1979-05-2q 0]", 1), ("a = \"\"\"\n}\"\"\"\nb = ]", 3),
        ("a = [1, # }\n}", 2),
        ("a = '}'\nb = {c = 1}", 2), ("a = [[1], [2]]]", 1), ("a = [1979-05-27T-05]", 1),
        ("a = 1\n[\u{301}get]", 2),
    ])
    func bracketsAndDatesThatDoNotParseNameTheirLine(text: String, line: Int) {
        let error = #expect(throws: TransferError.self) { try ConfigurationFile(path: "config.toml", text: text) }
        #expect(error?.code == .usage)
        #expect(error?.message.hasPrefix("config.toml:\(line): ") == true, "\(error?.message ?? "")")
    }

    @Test(arguments: [
        "a = 1\nb2-34-5 = 1", "a = 1 # 79-05-27\nb = [1,\n2]", "a = \"1979-05-27\"", "a = 1e-10\nb = -1979",
    ])
    func numbersAreNoDates(text: String) throws {
        _ = try ConfigurationFile(path: "config.toml", text: text)
    }

    @Test func everyLongOptionHasOneVariable() {
        #expect(Settings.variableName(of: "request-timeout") == "FILEQ_REQUEST_TIMEOUT")
        let names = Self.inventory.settableNamesOfAll
        #expect(names.isSuperset(of: ["request-timeout", "header", "json", "output", "directory", "recursive"]))
        #expect(names.isDisjoint(with: ["help", "version"]))
    }
}

@Suite struct NetworkSettingsTests {
    private func read(_ text: String) throws -> PathOverrides {
        let file = try ConfigurationFile(path: "config.toml", text: text)
        try file.check(against: CommandInventory.program)
        return try file.pathOverrides()
    }

    @Test(arguments: [
        ("retry = 1\n", PathOverrides()),
        ("[network]\nconstrained = true\n", PathOverrides(constrainsAll: true)),
        ("[network]\nprefer = [\"wlan0\", \"cellular\"]\n", PathOverrides(preferred: ["wlan0", "cellular"])),
        (
            "[network.interface.wlan0]\nexpensive = true\n",
            PathOverrides(interfaces: ["wlan0": .init(isExpensive: true)])
        ),
        (
            "[network.interface.\"eth0.100\"] # vlan\nconstrained = true\ncellular = "
                + "false\n[network.interface.br-lan_1]\n",
            PathOverrides(interfaces: ["eth0.100": .init(isConstrained: true, isCellular: false), "br-lan_1": .init()])
        ),
        (
            "[get]\nretry = 2\n[network]\ninterface.eth0.expensive = false\n",
            PathOverrides(interfaces: ["eth0": .init(isExpensive: false)])
        ),
    ])
    func networkCosts(text: String, expected: PathOverrides) throws { #expect(try read(text) == expected) }

    @Test(arguments: [
        ("network = 1\n", "config.toml:1: 'network' is a table"),
        ("[network]\nexpensive = true\n", "config.toml:2: unknown key 'expensive' in [network]"),
        ("[network]\nprefer = \"wlan0\"\n", "config.toml:2: 'prefer' is a list of interfaces"),
        ("[network]\nprefer = [\"wlan0\", 5]\n", "config.toml:2: 'prefer' is a list of interfaces"),
        ("[network]\nprefer = [\"any wifi\"]\n", "config.toml:2: 'prefer' is a list of interfaces"),
        ("[network]\nprefers = []\n", "config.toml:2: unknown key 'prefers' in [network]"),
        ("[network]\nconstrained = 1\n", "config.toml:2: 'constrained' must be true or false"),
        ("[network]\ninterface = \"eth0\"\n", "config.toml:2: an interface is a table"),
        (
            "[network.interface.eth0]\nexpensive = true\n[network.interface.wlan0]\ncostly = true\n",
            "config.toml:4: unknown key 'costly' in [network.interface.wlan0]"
        ),
        ("[network.interface.\"eth0.7\"]\nexpensive = \"yes\"\n", "config.toml:2: 'expensive' must be true or false"),
        ("[network.interface.eth0.7]\n", "config.toml:1: a table must be"),
        ("[network.interface]\n", "config.toml:1: a table"),
        ("[network.interface.\"a b\"]\n", "config.toml:1: a table"), ("[[network]]\n", "config.toml:1: a table"),
        ("[get.network]\n", "config.toml:1: a table must be"),
    ])
    func errorsHaveTheirLine(text: String, beginning: String) {
        let error = #expect(throws: TransferError.self) { try read(text) }
        #expect(error?.message.hasPrefix(beginning) == true, "\(error?.message ?? "")")
    }
}

@Suite struct PlacesTests {
    @Test(
        arguments: [
            (
                ["HOME": "/home/a"], "/home/a/.config/fileq/config.toml", "/home/a/.local/state/fileq",
                "/home/a/.local/state/fileq/run"
            ),
            (
                ["HOME": "/home/a", "XDG_CONFIG_HOME": "/c", "XDG_STATE_HOME": "/s", "XDG_RUNTIME_DIR": "/r"],
                "/c/fileq/config.toml", "/s/fileq", "/r/fileq"
            ),
            (
                ["HOME": "/home/a", "XDG_CONFIG_HOME": "relative"], "/home/a/.config/fileq/config.toml",
                "/home/a/.local/state/fileq", "/home/a/.local/state/fileq/run"
            ),
            (["HOME": "/home/a", "FILEQ_HOME": "/f/", "XDG_STATE_HOME": "/s"], "/f/config.toml", "/f", "/f/run"),
        ] as [([String: String], String, String, String)])
    func followTheXDGRules(environment: [String: String], configuration: String, state: String, runtime: String) {
        let places = Places { environment[$0] }
        #expect(places.configuration == configuration)
        #expect(places.service.state == state)
        #expect(places.service.runtime == runtime)
    }
}
