import Foundation
import SystemTestKit
import Systemd
import Testing

@testable import Settings
@testable import VehicleInputs

/// A chip of eight lines that the kernel simulates: see admin-guide/gpio/gpio-sim.rst of Linux.
private final class SimulatedChip {
    static let root = "/sys/kernel/config/gpio-sim"
    /// Nothing is loaded for a test: `modprobe gpio-sim` is the administrator's.
    static var isThere: Bool { access(root, W_OK) == 0 }

    let name: String
    private let device: String
    private let directory = "\(root)/geofenced-\(getpid())"

    init() throws {
        try FileManager.default.createDirectory(
            atPath: "\(directory)/bank0", withIntermediateDirectories: true)
        try Self.write("8", to: "\(directory)/bank0/num_lines")
        try Self.write("1", to: "\(directory)/live")
        name = try Self.read("\(directory)/bank0/chip_name")
        device = try Self.read("\(directory)/dev_name")
    }

    deinit {
        try? unplug()
        rmdir("\(directory)/bank0")
        rmdir(directory)
    }

    func pull(_ line: Int, up: Bool) throws {
        try Self.write(
            up ? "pull-up" : "pull-down",
            to: "/sys/devices/platform/\(device)/\(name)/sim_gpio\(line)/pull")
    }

    func unplug() throws { try Self.write("0", to: "\(directory)/live") }

    private static func write(_ text: String, to path: String) throws {
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        try file.write(contentsOf: Data(text.utf8))
        try file.close()
    }

    private static func read(_ path: String) throws -> String {
        try String(contentsOfFile: path, encoding: .utf8)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

@MainActor
@Suite("A GPIO line")
struct LineWatchTests {
    private final class Heard { var readings: [InputReading] = [] }

    @Test(
        "of a simulated chip: its state, its edges, and that it has gone",
        .enabled(if: SimulatedChip.isThere, "for machines with the kernel module gpio-sim"),
        arguments: [false, true])
    func simulated(isActiveLow: Bool) throws {
        let chip = try SimulatedChip()
        let loop = try EventLoop()
        let heard = Heard()
        try chip.pull(3, up: !isActiveLow)
        let line = try GPIOLine("\(chip.name):3" + (isActiveLow ? ":active-low" : ""))
        let watch = try LineWatch(on: loop, line: line) { heard.readings.append($0) }
        #expect(try loop.run { heard.readings == [.on] })
        try chip.pull(3, up: isActiveLow)
        #expect(try loop.run { heard.readings == [.on, .off] })
        try chip.pull(3, up: !isActiveLow)
        #expect(try loop.run { heard.readings == [.on, .off, .on] })
        try chip.unplug()
        #expect(try loop.run { heard.readings.last == .absent("the line has gone") })
        withExtendedLifetime(watch) {}
    }

    @Test("of a chip that is not there: said, and looked for again")
    func missing() throws {
        let loop = try EventLoop()
        let heard = Heard()
        let watch = try LineWatch(on: loop, line: try GPIOLine("gpiochip99999:0")) {
            heard.readings.append($0)
        }
        #expect(try loop.run { heard.readings.count == 2 })
        let reading = InputReading.absent(
            "opening /dev/gpiochip99999: No such file or directory")
        #expect(heard.readings == [reading, reading])
        withExtendedLifetime(watch) {}
    }
}
