import Systemd
import Time

/// Reads the answer to GetManagedObjects in portions, as long as this lives. Of 16,000 devices it
/// has more than a million values, and the adapter comes last: bluetoothd names the newest first.
@MainActor
final class ManagedObjects {
    /// How the reading ended.
    enum End {
        /// Everything was read.
        case whole
        /// There are more objects than are read.
        case tooMany
        /// It is not what BlueZ answers.
        case unreadable
    }

    private var arguments: BusArguments
    /// Objects that may still be read.
    private var left: Int
    private let isWanted: @MainActor (String) -> Bool
    private let each: @MainActor (String, [String: BusValue]) -> Void
    private let end: @MainActor (End) -> Void
    private var timer: TimerSource?

    /// The time of one portion.
    private static let portion = TimeSpan.milliseconds(10)
    /// A path, and its interfaces with their properties.
    private static let object = "oa{sa{sv}}"

    /// The handlers are called from the loop. `end` is called once, and may drop this.
    /// - Parameters:
    ///   - most: how many objects are looked at.
    ///   - isWanted: whether the object at a path is of interest; others are passed over.
    ///   - each: called with the path and the interfaces of one that is, unless it is larger than a
    ///     signal may be.
    init(
        _ message: BusMessage, on loop: EventLoop, priority: Int64, most: Int,
        isWanted: @escaping @MainActor (String) -> Bool,
        each: @escaping @MainActor (String, [String: BusValue]) -> Void,
        end: @escaping @MainActor (End) -> Void
    ) throws(SystemError) {
        arguments = try BusArguments(message, limits: .call)
        try arguments.enterArray(of: "{\(Self.object)}")
        left = most
        self.isWanted = isWanted
        self.each = each
        self.end = end
        timer = try TimerSource(loop, priority: priority) { [weak self] in self?.read() }
        timer?.arm(at: .boot)
    }

    private func read() {
        let limit = EventLoop.uptime + Self.portion
        do throws(SystemError) {
            repeat {
                guard
                    let (path, interfaces) = try arguments.nextEntry(
                        of: Self.object, where: isWanted)
                else { return end(.whole) }
                if let interfaces = interfaces?.asDictionary { each(path, interfaces) }
                left -= 1
                guard left > 0 else { return end(.tooMany) }
            } while EventLoop.uptime < limit
            timer?.arm(at: .boot)
        } catch { end(.unreadable) }
    }
}
