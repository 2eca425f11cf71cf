import Geofence1
import Systemd
import Time

/// How much of what was sent to each program on the bus it is not known to have read. The bus keeps
/// that, and counts it against us: with 127 MiB of it (max_incoming_bytes, dbus-daemon(1)) it stops
/// reading from us, and what we say to the others waits in our memory.
///
/// A program that waits for each answer before it goes on may never answer a Ping; it is taken to have
/// read at a low rate, which is not enough to fill the bus in minutes.
@MainActor
final class Accounts {
    @MainActor
    private final class Account {
        var unread = 0
        /// Until when it has been taken to read.
        var drained = EventLoop.uptime
        /// A Ping is under way that tells that so much of it has been read.
        var isAsked = false
        /// It waits for one of the few Pings that may be under way.
        var isQueued = false
        let isReader: Bool
        /// That of all who share a limit with it; nil in that itself.
        let total: Account?

        init(isReader: Bool, of total: Account?) {
            self.isReader = isReader
            self.total = total
        }
    }

    /// Who share a limit: all strangers, and the programs of one user who may read. What one user
    /// leaves unread is no other's fault.
    private enum Sharers: Hashable {
        case strangers
        case readers(UInt32?)
    }

    /// The Pings that are under way.
    private struct Pings {
        var all = 0
        var users: [UInt32?: Int] = [:]
    }

    /// What one program may have unread before its calls are refused, bytes; and all together who
    /// share the limit.
    struct Limits {
        var one: Int
        var all: Int
        /// dbus-daemon takes 2 KiB of us for as much of each other connection, and signals come after
        /// the answers before them. Where all together have more than `unread`, calls are refused
        /// while more than `refuse` bytes are on the way to the bus, and beyond `drop` not answered.
        var ahead: (unread: Int, refuse: Int, drop: Int)
        /// What is taken to have been read without a Ping, bytes a second; of one and of all.
        var rate: (one: Int, all: Int)
        /// Pings under way, of all and of one user; dbus-daemon lets a connection wait for 128
        /// answers, consumers and polkit included (max_replies_per_connection).
        var pings: Int
        var pingsPerUser: Int

        /// Who may do nothing but ask what everybody may.
        static let stranger = Limits(
            one: 64 << 10, all: 8 << 20, ahead: (32 << 10, 8 << 10, 24 << 10),
            rate: (2 << 10, 32 << 10),
            pings: 12, pingsPerUser: 4)
        /// Who may read events, fences or the position.
        static let reader = Limits(
            one: 4 << 20, all: 24 << 20, ahead: (2 << 20, 512 << 10, 1 << 20),
            rate: (32 << 10, 128 << 10),
            pings: 24,
            pingsPerUser: 24)
    }

    private let connection: BusConnection
    private var accounts: [String: Account] = [:]
    private var totals: [Sharers: Account] = [:]
    private var pings: [Bool: Pings] = [:]
    private var queue: [String] = []
    private var nextSweep = Accounts.firstSweep
    private var isSweeping = false
    /// What the program of that name may, as far as that is known.
    var isReader: (String) -> Bool = { _ in false }
    var user: (String) -> UInt32? = { _ in nil }
    /// It has read some of what it was sent.
    var onRead: (String) -> Void = { _ in }
    /// It has not read for an hour.
    var onStopped: (String) -> Void = { _ in }

    /// Programs that are remembered before the bus is asked who of them is still there. A bus has
    /// 2048 connections (max_completed_connections).
    private static let firstSweep = 512
    private static let patience = TimeSpan.seconds(3600)

    init(_ connection: BusConnection) { self.connection = connection }

    /// Unread of everybody from which on calls are not answered at all, bytes. Until then they are
    /// answered, if only with a refusal: dbus-daemon searches all calls without an answer at each
    /// new one, and is slow for everybody when there are thousands.
    private static let silence = 64 << 20

    /// Whether a call of that program is dealt with.
    func admission(of name: String) -> BusAdmission {
        let account = accounts[name]
        let reader = account?.isReader ?? isReader(name)
        let limits = reader ? Limits.reader : .stranger
        let unread = account.map { drain($0, limits.rate.one) } ?? 0
        let all = drain(total(of: name, isReader: reader), limits.rate.all)
        if totals.values.reduce(0, { $0 + $1.unread }) >= Self.silence { return .drop }
        // Not those of the trusted who read: what one of them leaves unread is no fault of theirs.
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

    /// Why a call of that program that was kept is not dealt with now; nil where it is.
    func refusal(of name: String) -> BusError? {
        switch admission(of: name) {
        case .pass, .taken: nil
        case .refuse(let error): error
        case .drop: Self.unread
        }
    }

    /// Whether something large may be sent to that program now.
    func hasRoom(_ name: String) -> Bool {
        guard let account = accounts[name] else { return true }
        let limits = account.isReader ? Limits.reader : .stranger
        return drain(account, limits.rate.one) < limits.one / 4
    }

    /// Something was sent to that program, this many bytes.
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
            // It has been let in, or is no longer: what it has not read goes along.
            let other = Account(isReader: reader, of: total(of: name, isReader: reader))
            other.unread = account.unread
            other.isAsked = account.isAsked
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

    /// What is left once time has been taken into account.
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

    private func forget(_ name: String) {
        guard let account = accounts.removeValue(forKey: name) else { return }
        read(account.unread, by: account)
    }

    // MARK: Asking

    /// Every D-Bus library answers a Ping by itself, after what came before it: the answer says
    /// that all of that has been read.
    func ask(_ name: String) {
        guard let account = accounts[name], !account.isAsked, !account.isQueued else { return }
        let (isReader, user) = (account.isReader, user(name))
        let limits = isReader ? Limits.reader : .stranger
        let present = pings[isReader] ?? Pings()
        guard present.all < limits.pings, present.users[user] ?? 0 < limits.pingsPerUser else {
            account.isQueued = true
            queue.append(name)
            return
        }
        let counted = account.unread
        let peer = BusPeer(
            destination: name, path: "/", interface: "org.freedesktop.DBus.Peer")
        let began = EventLoop.uptime
        do throws(SystemError) {
            try connection.call(peer, "Ping", timeout: Self.patience) { [weak self] answer in
                guard let self else { return }
                let time = EventLoop.uptime - began
                guard !isStopped(answer, after: time) else { return onStopped(name) }
                pings[isReader, default: Pings()].all -= 1
                pings[isReader, default: Pings()].users[user, default: 0] -= 1
                if pings[isReader]?.users[user] == 0 { pings[isReader]?.users[user] = nil }
                answered(name, answer, counted)
            }
            account.isAsked = true
            pings[isReader, default: Pings()].all += 1
            pings[isReader, default: Pings()].users[user, default: 0] += 1
        } catch { return }
    }

    /// It is there and has not read for long: the bus still waits for its answer, the Ping stays
    /// under way.
    private func isStopped(
        _ answer: Result<BusMessage, BusError>, after time: TimeSpan
    ) -> Bool {
        guard case .failure(let error) = answer else { return false }
        return error.name == BusError.noReply && time >= Self.patience
    }

    private func answered(
        _ name: String, _ answer: Result<BusMessage, BusError>, _ counted: Int
    ) {
        guard let account = accounts[name] else { return }
        account.isAsked = false
        switch answer {
        case .failure(let error)
        where [BusError.noReply, BusError.serviceUnknown, BusError.nameHasNoOwner]
            .contains(error.name):
            forget(name)
        case .failure(let error) where error.name == BusError.limitsExceeded:
            // Of the bus: it does not let us ask now. Whatever comes next is another chance.
            break
        case .success, .failure:
            // Another error comes from a program that has read, or a bus that never lets us ask.
            read(counted, by: account)
            if account.unread == 0 { forget(name) }
            onRead(name)
        }
        let waiting = queue
        queue = []
        for name in waiting {
            accounts[name]?.isQueued = false
            ask(name)
        }
    }

    /// Forgets the programs that have left.
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
