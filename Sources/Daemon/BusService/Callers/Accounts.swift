import Geofence1
import Systemd
import Time

/// How much of what was sent to each program on the bus may still be unread. The bus keeps that,
/// and charges it to us: with 127 MiB (max_incoming_bytes, dbus-daemon(1)) it stops reading from
/// us, and messages to others wait in our memory.
///
/// A program that waits for each answer before it goes on may never answer a Ping; it is assumed to
/// read at a low rate, which is not enough to fill the bus in minutes.
@MainActor
final class Accounts {
    @MainActor
    private final class Account {
        var unread = 0
        /// The time up to which it is assumed to have read.
        var drained = EventLoop.uptime
        /// The limit that its pending Ping counts against; nil without one.
        var asked: PingLimit?
        /// It waits for one of the limited number of pending Pings.
        var isQueued = false
        let isReader: Bool
        /// The total of all that share its limit; nil in that total itself.
        let total: Account?

        init(isReader: Bool, of total: Account?) {
            self.isReader = isReader
            self.total = total
        }
    }

    /// The programs that share a limit: all strangers, or the readers of one user. One user's
    /// unread messages do not affect another user.
    private enum Sharers: Hashable {
        case strangers
        case readers(UInt32?)
    }

    /// Whose pending Pings are limited together.
    private struct PingLimit: Hashable {
        var isReader: Bool
        var user: UInt32?
    }

    /// What may be unread before calls are refused, bytes: of one program, and of all that share
    /// the limit.
    struct Limits {
        var one: Int
        var all: Int
        /// dbus-daemon reads 2 KiB from us for every 2 KiB from each other connection, and signals
        /// come after the answers before them. If all together have more than `unread`, calls are
        /// refused while more than `refuse` bytes are on the way to the bus, and not answered
        /// beyond `drop`.
        var ahead: (unread: Int, refuse: Int, drop: Int)
        /// The rate at which messages are assumed to be read without a Ping, bytes per second; of
        /// one and of all.
        var rate: (one: Int, all: Int)
        /// Pending Pings, of all and of one user; dbus-daemon lets a connection wait for 128
        /// answers, including consumers and polkit (max_replies_per_connection).
        var pings: Int
        var pingsPerUser: Int

        /// A program that may only use what is open to everybody.
        static let stranger = Limits(
            one: 64 << 10, all: 8 << 20, ahead: (32 << 10, 8 << 10, 24 << 10),
            rate: (2 << 10, 32 << 10),
            pings: 12, pingsPerUser: 4)
        /// A program that may read events, fences or the position. One can always ask again after
        /// the answer with the largest fence, 120 000 positions of 40 bytes: a blocking call of
        /// sd-bus or dbus-python answers no Ping.
        static let reader = Limits(
            one: 6 << 20, all: 24 << 20, ahead: (2 << 20, 512 << 10, 1 << 20),
            rate: (32 << 10, 128 << 10),
            pings: 24,
            pingsPerUser: 24)
    }

    private let connection: BusConnection
    private var accounts: [String: Account] = [:]
    private var totals: [Sharers: Account] = [:]
    /// The pending Pings.
    private var pings: [PingLimit: Int] = [:]
    private var queue: [String] = []
    private var nextSweep = Accounts.firstSweep
    private var isSweeping = false
    /// Whether the program of that name is known to be a reader.
    var isReader: (String) -> Bool = { _ in false }
    var user: (String) -> UInt32? = { _ in nil }
    /// It has read some of its messages.
    var onRead: (String) -> Void = { _ in }
    /// It has not read for ``patience``.
    var onStopped: (String) -> Void = { _ in }

    /// Programs that are remembered before the bus is asked which of them still exist. A bus has
    /// 2048 connections (max_completed_connections).
    private static let firstSweep = 512
    /// How long a Ping may stay unanswered before its program counts as stopped.
    private let patience: TimeSpan

    init(_ connection: BusConnection, patience: TimeSpan) {
        self.connection = connection
        self.patience = patience
    }

    /// Total unread bytes above which calls are not answered at all. Below it they are answered, if
    /// only with a refusal: dbus-daemon searches all unanswered calls at each new one, and is slow
    /// for everybody when there are thousands.
    private static let silence = 64 << 20

    /// Whether a call of that program is processed.
    func admission(of name: String) -> BusAdmission {
        let account = accounts[name]
        let reader = account?.isReader ?? isReader(name)
        let limits = reader ? Limits.reader : .stranger
        let unread = account.map { drain($0, limits.rate.one) } ?? 0
        let all = drain(total(of: name, isReader: reader), limits.rate.all)
        if totals.values.reduce(0, { $0 + $1.unread }) >= Self.silence { return .drop }
        // Not for readers that keep up: what another program leaves unread is not their fault.
        let mayWait = !reader || unread > limits.one / 2
        let behind = mayWait && all > limits.ahead.unread ? connection.bytesOnTheWay : 0
        if behind > limits.ahead.drop { return .drop }
        let isBehind = behind > limits.ahead.refuse
        guard unread < limits.one, all < limits.all, !isBehind else {
            if account != nil { ask(name) }
            return .refuse(Self.unread)
        }
        return .pass
    }

    private static let unread = BusError(
        name: BusError.limitsExceeded, message: "read your answers first")

    /// Why a call of that program that was held is refused now; nil if it is not.
    func refusal(of name: String) -> BusError? {
        switch admission(of: name) {
        case .pass, .taken: nil
        case .refuse(let error): error
        case .drop: Self.unread
        }
    }

    /// Whether a large message may be sent to that program now.
    func hasRoom(_ name: String) -> Bool {
        guard let account = accounts[name] else { return true }
        let limits = account.isReader ? Limits.reader : .stranger
        return drain(account, limits.rate.one) < limits.one / 4
    }

    /// A message of this many bytes was sent to that program.
    func sent(_ bytes: Int, to name: String) {
        let account = account(name)
        account.unread += bytes
        account.total?.unread += bytes
        let limits = account.isReader ? Limits.reader : .stranger
        if account.unread >= limits.one / 4 { ask(name) }
    }

    private func account(_ name: String) -> Account {
        let reader = isReader(name)
        if let account = accounts[name] {
            guard account.isReader != reader else { return account }
            // Its authorization has changed: its unread bytes move to the other limit.
            let other = Account(isReader: reader, of: total(of: name, isReader: reader))
            other.unread = account.unread
            other.asked = account.asked
            other.isQueued = account.isQueued
            accounts[name] = other
            read(account.unread, by: account)
            other.total?.unread += other.unread
            return other
        }
        let account = Account(isReader: reader, of: total(of: name, isReader: reader))
        accounts[name] = account
        if accounts.count >= nextSweep { sweep() }
        return account
    }

    private func total(of name: String, isReader: Bool) -> Account {
        let sharers = isReader ? Sharers.readers(user(name)) : .strangers
        if let total = totals[sharers] { return total }
        let total = Account(isReader: isReader, of: nil)
        totals[sharers] = total
        return total
    }

    /// The unread bytes after deducting the assumed reading since.
    private func drain(_ account: Account, _ rate: Int) -> Int {
        let now = EventLoop.uptime
        let seconds = (now - account.drained).seconds
        let read = Int(seconds * Double(rate))
        guard read > 0 else { return account.unread }
        account.drained = now
        account.unread = max(0, account.unread - read)
        return account.unread
    }

    private func read(_ bytes: Int, by account: Account) {
        account.unread = max(0, account.unread - bytes)
        guard let total = account.total else { return }
        total.unread = max(0, total.unread - bytes)
    }

    /// The program has left the bus, which drops what was sent to it and no longer waits for it.
    func forget(_ name: String) {
        guard let account = accounts.removeValue(forKey: name) else { return }
        read(account.unread, by: account)
        release(account)
    }

    // MARK: Asking

    /// Every D-Bus library answers a Ping by itself, after the messages before it: the answer
    /// proves that all of those have been read.
    func ask(_ name: String) {
        guard let account = accounts[name], account.asked == nil, !account.isQueued else { return }
        let limit = PingLimit(isReader: account.isReader, user: user(name))
        let limits = account.isReader ? Limits.reader : .stranger
        let present = pings.lazy.filter { $0.key.isReader == limit.isReader }
            .reduce(0) { $0 + $1.value }
        guard present < limits.pings, pings[limit] ?? 0 < limits.pingsPerUser else {
            account.isQueued = true
            queue.append(name)
            return
        }
        let counted = account.unread
        let peer = BusPeer(
            destination: name, path: "/", interface: "org.freedesktop.DBus.Peer")
        let began = EventLoop.uptime
        do throws(SystemError) {
            try connection.call(peer, "Ping", timeout: patience) { [weak self] answer in
                guard let self else { return }
                let time = EventLoop.uptime - began
                guard !isStopped(answer, after: time) else { return onStopped(name) }
                answered(name, answer, counted)
            }
            account.asked = limit
            pings[limit, default: 0] += 1
        } catch { return }
    }

    /// A Ping of that program, if any, is no longer pending: another one may be sent.
    private func release(_ account: Account) {
        guard let limit = account.asked else { return }
        account.asked = nil
        pings[limit, default: 0] -= 1
        if pings[limit] == 0 { pings[limit] = nil }
        let waiting = queue
        queue = []
        for name in waiting {
            accounts[name]?.isQueued = false
            ask(name)
        }
    }

    /// It is connected and has not read for long: the bus still waits for its answer, and the Ping
    /// stays pending until it leaves.
    private func isStopped(
        _ answer: Result<BusMessage, BusError>, after time: TimeSpan
    ) -> Bool {
        guard case .failure(let error) = answer else { return false }
        return error.name == BusError.noReply && time >= patience
    }

    private func answered(
        _ name: String, _ answer: Result<BusMessage, BusError>, _ counted: Int
    ) {
        // It may have left.
        guard let account = accounts[name] else { return }
        release(account)
        switch answer {
        case .failure(let error)
        where [BusError.noReply, BusError.serviceUnknown, BusError.nameHasNoOwner]
            .contains(error.name):
            forget(name)
        case .failure(let error) where error.name == BusError.limitsExceeded:
            // From the bus: it allows no more calls now. The next message is another chance.
            break
        case .success, .failure:
            // Any other error comes from a program that has read, or a bus that never lets us ask.
            read(counted, by: account)
            if account.unread == 0 { forget(name) }
            onRead(name)
        }
    }

    /// Forgets the programs that have left while nobody watched them.
    private func sweep() {
        guard !isSweeping else { return }
        let known = Array(accounts.keys)
        do throws(SystemError) {
            try connection.call(.bus, "ListNames") { [weak self] answer in
                guard let self else { return }
                isSweeping = false
                let values = try? answer.get().values()
                if let names = values?.first?.asStrings {
                    let present = Set(names)
                    for name in known where !present.contains(name) { forget(name) }
                }
                nextSweep = max(Self.firstSweep, accounts.count * 2)
            }
            isSweeping = true
        } catch { return }
    }
}
