import Glibc
import SystemTestKit
import Systemd
import Testing

@MainActor
@Suite(.serialized)
struct BusServiceSideTests {
    let fixture: BusFixture

    init() throws { fixture = try BusFixture() }

    @Test(
        "busctl gets back every type it sends",
        arguments: [
            ("y 255", "v y 255"), ("b true", "v b true"), ("n -32768", "v n -32768"),
            ("q 65535", "v q 65535"), ("i -2147483648", "v i -2147483648"),
            ("u 4294967295", "v u 4294967295"),
            ("x -9223372036854775808", "v x -9223372036854775808"),
            ("t 18446744073709551615", "v t 18446744073709551615"),
            ("d -0.125", "v d -0.125"), ("s Brücke", #"v s "Br\303\274cke""#), ("s ", #"v s """#),
            ("o /a/b", #"v o "/a/b""#), ("g a{sv}", #"v g "a{sv}""#),
            ("as 0", "v as 0"), ("as 2 a b", #"v as 2 "a" "b""#), ("ay 3 1 2 3", "v ay 3 1 2 3"),
            ("(sud) x 1 2.5", #"v (sud) "x" 1 2.5"#),
            ("a{sv} 2 k s v l t 9", #"v a{sv} 2 "k" s "v" "l" t 9"#),
            ("a(sa{sv}) 1 id 1 radius d 5", #"v a(sa{sv}) 1 "id" 1 "radius" d 5"#),
            ("aai 2 1 5 0", "v aai 2 1 5 0"), ("v s deep", #"v v s "deep""#),
        ])
    func echo(sent: String, received: String) throws {
        let parts = sent.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        let command =
            ["busctl", "--address=\(fixture.bus.address)", "call", "--"]
            + [BusFixture.name, BusFixture.path, BusFixture.interface, "Echo", "v"] + parts
        let ending = try fixture.loop.run(untilEndOf: Subprocess(command))
        #expect(ending == .init(status: 0, output: received + "\n", errors: ""))
    }

    @Test("introspection shows names, types and how properties change")
    func introspection() throws {
        let ending = try #require(
            try fixture.busctl(
                "introspect", "--xml-interface", BusFixture.name, BusFixture.path))
        #expect(ending.status == 0, "\(ending.errors)")
        let xml = ending.output
        for line in [
            #"<interface name="org.example.Test1.Thing">"#,
            #"<method name="Echo">"#,
            #"<arg type="v" name="value" direction="in"/>"#,
            #"<arg type="v" name="same" direction="out"/>"#,
            #"<signal name="Transition">"#,
            #"<arg type="a{sv}" name="details"/>"#,
            #"<property name="Big" type="as" access="read">"#,
            #"<annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="const"/>"#,
            #"<annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="invalidates"/>"#,
            #"<annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="false"/>"#,
        ] {
            #expect(xml.contains(line), "\(line) is missing from \(xml)")
        }
    }

    @Test("an answer may be sent later, and in another order than the calls")
    func laterReplies() throws {
        let first = fixture.bus.busctl(
            "call", BusFixture.name, BusFixture.path, BusFixture.interface, "Later")
        try fixture.loop.run { fixture.waiting.count == 1 }
        let second = fixture.bus.busctl(
            "call", BusFixture.name, BusFixture.path, BusFixture.interface, "Later")
        try fixture.loop.run { fixture.waiting.count == 2 }
        fixture.waiting[1].reply([.string("second")])
        #expect(
            try fixture.loop.run(untilEndOf: second)
                == .init(status: 0, output: "s \"second\"\n", errors: ""))
        #expect(!first.hasEnded)
        fixture.waiting[0].reply([.string("first")])
        fixture.waiting[0].reply([.string("twice")])
        #expect(
            try fixture.loop.run(untilEndOf: first)
                == .init(status: 0, output: "s \"first\"\n", errors: ""))
    }

    @Test("an answer may be sent after the object is gone and the client has left")
    func replyAfterEverything() throws {
        let client = fixture.bus.busctl(
            "call", BusFixture.name, BusFixture.path, BusFixture.interface, "Later")
        try fixture.loop.run { fixture.waiting.count == 1 }
        fixture.slots = []
        client.signal(SIGKILL)
        #expect(try fixture.loop.run(untilEndOf: client)?.status == 128 + SIGKILL)
        fixture.waiting[0].reply([.string("nobody hears")])
        fixture.waiting = []
        #expect(fixture.service.isOpen)
    }

    @Test("a call that is dropped without an answer is answered with an error")
    func forgotten() throws {
        let ending = try #require(try fixture.call("Forget"))
        #expect(ending.status == 1)
        #expect(ending.errors.contains("did not answer"))
    }

    @Test("a named error reaches the client with its text")
    func namedError() throws {
        let client = try fixture.bus.connect(fixture.loop)
        let answer = try fixture.answer(client, fixture.peer, "Fail")
        #expect(
            answer?.failure
                == BusError(name: "org.example.Test1.Error.NoSuchFence", message: "no “fence”"))
    }

    @Test("an answer of another type than declared reaches the client as an error")
    func wrongAnswer() throws {
        let client = try fixture.bus.connect(fixture.loop)
        let answer = try fixture.answer(client, fixture.peer, "Wrong")
        #expect(answer?.failure?.name == BusError.failed)
    }

    @Test("arguments of another type than declared never reach the handler")
    func wrongArguments() throws {
        let client = try fixture.bus.connect(fixture.loop)
        let answer = try fixture.answer(client, fixture.peer, "Later", [.string("x")])
        #expect(answer?.failure?.name == BusError.invalidArguments)
        #expect(fixture.waiting.isEmpty)
    }

    @Test("a property is read, and its reader is known")
    func properties() throws {
        let value = try fixture.busctl(
            "get-property", BusFixture.name, BusFixture.path, BusFixture.interface, "Count",
            "Version", "Big", "Caller")
        #expect(value?.status == 0, "\(value?.errors ?? "")")
        let lines = value?.output.split(separator: "\n").map(String.init) ?? []
        #expect(lines.prefix(3) == ["u 7", "s \"1.0\"", "as 2 \"a\" \"b\""])
        #expect(fixture.readers.count == 1)
        #expect(lines.last == "s \"\(fixture.readers.first ?? "")\"")
        #expect(fixture.readers.first?.hasPrefix(":1.") == true)
        let broken = try fixture.busctl(
            "get-property", BusFixture.name, BusFixture.path, BusFixture.interface, "Broken")
        #expect(broken?.status == 1)
        #expect(broken?.errors.contains("no fix yet") == true)
    }

    @Test("PropertiesChanged carries values or invalidates, read for no particular caller")
    func propertiesChanged() throws {
        let client = try fixture.bus.connect(fixture.loop)
        var heard: [[BusValue]] = []
        let slot = try client.subscribe(
            BusMatch(
                sender: BusFixture.name, path: BusFixture.path,
                interface: "org.freedesktop.DBus.Properties", member: "PropertiesChanged")
        ) { heard.append((try? $0.values()) ?? []) }
        _ = try fixture.answer(client, fixture.peer, "Touch")
        #expect(try fixture.loop.run { !heard.isEmpty })
        let values = try #require(heard.first)
        #expect(values[0] == .string(BusFixture.interface))
        #expect(
            values[1].asDictionary == ["Count": .uint32(8), "Caller": .string("everybody")])
        #expect(values[2].asStrings == ["Big"])
        withExtendedLifetime(slot) {}
    }

    @Test("objects come and go at run time")
    func dynamicObjects() throws {
        let path = BusFixture.path + "/subscription/1"
        let interface = BusInterface(
            name: "org.example.Test1.Subscription",
            methods: [
                BusMethod("Cancel") { call in
                    // Its own object goes while it is being called.
                    fixture.slots.removeLast()
                    call.reply()
                }
            ])
        fixture.slots.append(try fixture.service.export(interface, at: path))
        let error = #expect(throws: SystemError.self) {
            _ = try fixture.service.export(interface, at: path)
        }
        #expect(error?.errno == EEXIST)
        let tree = try fixture.busctl("tree", "--list", BusFixture.name)
        #expect(tree?.output.contains(path) == true)
        let client = try fixture.bus.connect(fixture.loop)
        let peer = BusPeer(
            destination: BusFixture.name, path: path, interface: "org.example.Test1.Subscription")
        #expect(try fixture.answer(client, peer, "Cancel")?.failure == nil)
        #expect(
            try fixture.answer(client, peer, "Cancel")?.failure?.name
                == "org.freedesktop.DBus.Error.UnknownObject")
    }

    @Test("the bus identifies a caller")
    func credentials() throws {
        let process = fixture.bus.busctl(
            "call", BusFixture.name, BusFixture.path, BusFixture.interface, "Later")
        try fixture.loop.run { fixture.waiting.count == 1 }
        var credentials: BusCredentials?
        try fixture.service.credentials(of: fixture.waiting[0].sender) {
            credentials = try? $0.get()
        }
        #expect(try fixture.loop.run { credentials != nil })
        #expect(credentials?.uid == getuid())
        #expect(credentials?.pid == UInt32(process.pid))
        #expect(credentials?.groups.contains(getgid()) == true)
    }
}

extension Result {
    var failure: Failure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}
