import BusClient
import Foundation
import SystemTestKit
import Systemd
import Testing
import Time

@testable import Alerting

/// Real programs, in a directory that has only those that a test wants, without a sound device.
@MainActor
@Suite("Trying the sound", .serialized)
struct RehearsalTests {
    let directory = TemporaryDirectory()

    private func link(_ names: String...) throws {
        for name in names {
            let path = try #require(Programs(hasSession: false).find(name), "\(name)")
            try FileManager.default.createSymbolicLink(
                atPath: directory.file(name), withDestinationPath: path)
        }
    }

    private func install(_ name: String, _ text: String) {
        chmod(directory.write("#!/bin/sh\n\(text)\n", to: name), 0o755)
    }

    /// The devices of a machine that has these.
    private func output(_ devices: String...) throws -> SoundOutput {
        let path = directory.file("snd")
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true)
        for device in devices { directory.write("", to: "snd/\(device)") }
        return SoundOutput(devices: path, runtime: directory.file("run"))
    }

    /// Says one line.
    private func rehearse(
        _ output: SoundOutput, _ change: (inout SoundSettings) -> Void = { _ in }
    ) throws -> Rehearsal {
        let loop = try EventLoop()
        var settings = SoundSettings()
        change(&settings)
        let programs = Programs(path: directory.path, hasSession: false)
        let children = Children(loop)
        var asked: SoundOutput?
        output.ask(programs, children) { asked = $0 }
        #expect(try loop.run(until: { asked != nil }))
        var rehearsal = Rehearsal(settings, programs, try #require(asked))
        let announcer = Announcer(settings, programs, children) { _ in }
        var isDone = false
        announcer.onHearing = { rehearsal.add($0) }
        announcer.onDone = { _ in isDone = true }
        announcer.say([
            SpokenAlert(
                seq: 1, stage: .urgent, hazard: "sample", line: SpokenLine("sample"),
                time: UTCTime(nanoseconds: 0))
        ])
        #expect(try loop.run(until: { isDone }))
        return rehearsal
    }

    @Test("nothing is installed: one sentence names it all")
    func nothing() throws {
        let rehearsal = try rehearse(output())
        #expect(!rehearsal.isHeard)
        let why = "there is no sound device in \(directory.file("snd")), and no sound server"
        #expect(
            rehearsal.lines == [
                "nobody can have heard it: spd-say, espeak-ng: not installed; "
                    + "pw-play, paplay, aplay: not installed; \(why)"
            ])
    }

    @Test("the real espeak-ng says that it has spoken where it cannot, and is not believed")
    func withoutDevice() throws {
        try link("espeak-ng")
        let rehearsal = try rehearse(output()) { $0.hasTone = false }
        #expect(!rehearsal.isHeard)
        #expect(
            rehearsal.lines[0].contains("/espeak-ng: says that it was, but nothing here can play"),
            "\(rehearsal.lines)")
    }

    @Test("a device that this user may not use is none")
    func forbidden() throws {
        install("espeak-ng", "")
        let output = try output("pcmC0D0p", "pcmC0D0c")
        if geteuid() != 0 {
            chmod(directory.file("snd/pcmC0D0p"), 0)
            let other = SoundOutput(devices: directory.file("snd"), runtime: "")
            #expect(other.flaw?.hasPrefix("this user may not use") == true)
        }
        #expect(output.flaw == nil)
        #expect(try rehearse(output) { $0.hasTone = false }.isHeard)
        #expect(SoundOutput(devices: directory.file("run"), runtime: "").flaw != nil)
    }

    @Test("a player that fails is named with its status, and a voice beside it is not believed")
    func playerFails() throws {
        install("aplay", "exit 7")
        install("espeak-ng", "")
        let rehearsal = try rehearse(output("pcmC0D0p"))
        #expect(!rehearsal.isHeard)
        #expect(
            rehearsal.lines == [
                "nobody can have heard it: \(directory.file("espeak-ng")): says that it was, but "
                    + "nothing here can play; spd-say: not installed; "
                    + "\(directory.file("aplay")): exit status 7; pw-play, paplay: not installed"
            ])
    }

    @Test("one player is enough, its word counts for the voice, and mute is said to be unknown")
    func heard() throws {
        install("paplay", "exit 1")
        install("aplay", "")
        install("espeak-ng", "exit 1")
        install("spd-say", "")
        let rehearsal = try rehearse(output())
        #expect(rehearsal.isHeard, "\(rehearsal.lines)")
        #expect(rehearsal.lines.count == 3)
        #expect(rehearsal.lines[2].contains("muted") && rehearsal.lines[2].contains("not known"))
    }

    @Test("a sound server without a device takes everything, and nothing is heard")
    func dummy() throws {
        for name in ["pactl", "pw-play", "spd-say"] { install(name, "") }
        let rehearsal = try rehearse(output())
        #expect(!rehearsal.isHeard)
        #expect(rehearsal.lines.allSatisfy { $0.hasSuffix("the sound server has no sound device") })
        install("pactl", "exit 1")
        #expect(try rehearse(output()).isHeard)
    }

    @Test("what is off need not be heard; with everything off nothing is")
    func off() throws {
        install("aplay", "")
        #expect(try rehearse(output()) { $0.speech = .off }.isHeard)
        let silent = try rehearse(output()) {
            $0.speech = .off
            $0.hasTone = false
        }
        #expect(!silent.isHeard && silent.lines.count == 1)
    }

    @Test("a command of one's own: absent, failing, killed, believed")
    func command() throws {
        let commands = [
            ("", "mine: not installed"), ("exit 3", "exit status 3"),
            ("kill -9 $$", "killed by signal 9"), ("exit 0", nil),
        ]
        for (text, flaw) in commands {
            if !text.isEmpty { install("mine", text) }
            let rehearsal = try rehearse(output()) {
                $0.hasTone = false
                $0.speech = .command(["mine"])
            }
            #expect(rehearsal.isHeard == (flaw == nil))
            #expect(rehearsal.lines[0].contains(flaw ?? "played by"), "\(rehearsal.lines)")
        }
    }
}
