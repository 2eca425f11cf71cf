import CPQ
import Glibc
package import Systemd

// Unsafe: owns the connection and finishes it once; a result is read, or lent for a call, and cleared
// before the function that got it returns; parameters are copies of ours that are freed after the call.

/// Why a statement or a connection failed.
package struct DatabaseError: Error, Hashable, Sendable, CustomStringConvertible {
    /// SQLSTATE, five characters; empty if the connection was lost.
    package var state: String
    /// What the server, or libpq, says.
    package var message: String

    package init(state: String, message: String) {
        self.state = state
        self.message = message
    }

    /// Classes 22, 23 and 54 (a limit of the program, such as the size of an entry of an index):
    /// an error in the data, which will occur again. But numbers that are used up
    /// (2200H, sequence_generator_limit_exceeded) are no error of who came last.
    package var isAboutData: Bool {
        state != "2200H" && ["22", "23", "54"].contains { state.hasPrefix($0) }
    }

    /// No such schema, relation, column or function (3F000, 42P01, 42703, 42883). The names in our statements
    /// are constant: the schema of the database is of another version, or is not made yet.
    package var isAboutSchema: Bool { ["3F000", "42P01", "42703", "42883"].contains(state) }

    /// A lock was not to be had in time (55P03, lock_not_available).
    package var isAboutLock: Bool { state == "55P03" }

    package var description: String {
        guard !state.isEmpty else { return message }
        var advice = ""
        if isAboutSchema {
            advice =
                ": the schema is not that of this program, run geofenced-ingest setup"
                + " (and setup --report-over for reports over shards)"
        } else if isAboutLock {
            advice =
                ": another session has used that for long, such as pg_dump or one that is idle in a "
                + "transaction; nothing was changed, try again"
        }
        return "\(message) (\(state))\(advice)"
    }
}

/// The answer to a statement, all as text.
package struct Rows: Hashable, Sendable {
    /// Names of the columns.
    package var columns: [String]
    /// By row, then by column; nil is NULL.
    package var values: [[String?]]
}

/// A row of an answer as it comes, for as long as the call that lends it.
@safe package struct LentRow {
    private let result: OpaquePointer

    fileprivate init(_ result: OpaquePointer) { unsafe self.result = unsafe result }

    /// As text; nil is NULL.
    package var cells: [String?] {
        unsafe (0..<PQnfields(result)).map { column in
            guard unsafe PQgetisnull(result, 0, column) == 0 else { return nil }
            return unsafe String(cString: PQgetvalue(result, 0, column))
        }
    }

    /// The bytes of the first cell; none where it is NULL.
    package var bytes: [UInt8] {
        unsafe [UInt8](
            UnsafeRawBufferPointer(
                start: PQgetvalue(result, 0, 0), count: Int(PQgetlength(result, 0, 0))))
    }
}

/// A connection to PostgreSQL, by libpq.
@MainActor
@safe package final class Database {
    nonisolated(unsafe) let connection: OpaquePointer
    private var source: IOSource?
    private var running: Running?
    /// Called from the loop after another session has notified a channel that this one listens to:
    /// once for all that came together.
    package var onNotification: @MainActor () -> Void = {}
    /// Called from the loop when the connection was lost while nothing was asked.
    package var onLoss: @MainActor () -> Void = {}

    /// A statement that was sent. Its result may be here before the server is ready for the next.
    private struct Running {
        let each: (@MainActor (LentRow) -> Void)?
        let reply: @MainActor (Result<Rows, DatabaseError>) -> Void
        var answer: Result<Rows, DatabaseError>?
    }

    /// Defaults for the connection: a server that has silently disappeared is noticed within a minute,
    /// instead of after the hours that TCP takes by itself.
    private static let standard = [
        ("client_encoding", "UTF8"), ("keepalives_idle", "30"),
        ("keepalives_interval", "10"), ("keepalives_count", "3"), ("tcp_user_timeout", "60000"),
    ]

    /// Connects and waits.
    /// - Parameters:
    ///   - address: a conninfo string, a URI or the name of a database, see ``ConnectionText``.
    ///   - patience: for that long at most, s, at least 2; unless the address says otherwise.
    package init(
        _ address: String, program: String, patience: Int = 10
    ) throws(DatabaseError) {
        // Of one key the last counts. libpq expands none: what it does not understand would become the
        // name of a database, which the server writes to its log.
        let options =
            Self.standard + [
                ("connect_timeout", "\(patience)"), ("fallback_application_name", program),
            ] + (try ConnectionText.options(of: address)).map { ($0.key, $0.value) }
        let made = unsafe Self.withTexts(options.map(\.0)) { keys in
            unsafe Self.withTexts(options.map(\.1)) { values in
                unsafe PQconnectdbParams(keys, values, 0)
            }
        }
        guard let made = unsafe made else {
            throw DatabaseError(state: "", message: "no memory for a connection")
        }
        guard unsafe PQstatus(made) == CONNECTION_OK else {
            let message = unsafe Self.line(PQerrorMessage(made))
            unsafe PQfinish(made)
            throw DatabaseError(state: "", message: message)
        }
        unsafe connection = unsafe made
        // Notices of the server are for people at a terminal.
        unsafe PQsetNoticeProcessor(made, { _, _ in }, nil)
    }

    deinit { unsafe PQfinish(connection) }

    /// Runs a statement and waits.
    package func run(_ sql: String, _ parameters: [String?] = []) throws(DatabaseError) -> Rows {
        let result = unsafe Self.withTexts(parameters) { texts in
            unsafe PQexecParams(
                connection, sql, Int32(parameters.count), nil, texts, nil, nil, 0)
        }
        return try unsafe rows(of: result)
    }

    /// Runs a statement with parameters in binary format, and waits.
    package func run(_ sql: String, binary parameters: [[UInt8]]) throws(DatabaseError) -> Rows {
        let result = unsafe Self.withBytes(parameters) { values, lengths, formats in
            unsafe PQexecParams(
                connection, sql, Int32(parameters.count), nil, values, lengths, formats, 0)
        }
        return try unsafe rows(of: result)
    }

    /// Runs several statements without parameters, and waits: all of them or none, unless they say
    /// otherwise.
    package func runAll(_ sql: String) throws(DatabaseError) {
        _ = try unsafe rows(of: PQexec(connection, sql))
    }

    /// From now on ``begin(_:_:reply:)`` may be called.
    package func attach(to loop: EventLoop) throws(SystemError) {
        unsafe PQsetnonblocking(connection, 1)
        source = try unsafe IOSource(
            loop, descriptor: PQsocket(connection), events: .readable
        ) { [weak self] _ in self?.advance() }
    }

    /// Begins a statement; `reply` is called from the loop. One at a time.
    /// - Parameters:
    ///   - isBinary: the cells of the answer are in binary format.
    ///   - each: gets each row as it comes, and the answer then has none.
    package func begin(
        _ sql: String, _ parameters: [String?], isBinary: Bool = false,
        each: (@MainActor (LentRow) -> Void)? = nil,
        reply: @escaping @MainActor (Result<Rows, DatabaseError>) -> Void
    ) throws(DatabaseError) {
        let isSent = unsafe Self.withTexts(parameters) { texts in
            unsafe PQsendQueryParams(
                connection, sql, Int32(parameters.count), nil, texts, nil, nil, isBinary ? 1 : 0)
        }
        if isSent == 1, each != nil { unsafe PQsetSingleRowMode(connection) }
        try follow(isSent, reply, each: each)
    }

    /// The same with parameters in binary format.
    package func begin(
        _ sql: String, binary parameters: [[UInt8]],
        reply: @escaping @MainActor (Result<Rows, DatabaseError>) -> Void
    ) throws(DatabaseError) {
        let isSent = unsafe Self.withBytes(parameters) { values, lengths, formats in
            unsafe PQsendQueryParams(
                connection, sql, Int32(parameters.count), nil, values, lengths, formats, 0)
        }
        try follow(isSent, reply)
    }

    private func follow(
        _ isSent: Int32, _ reply: @escaping @MainActor (Result<Rows, DatabaseError>) -> Void,
        each: (@MainActor (LentRow) -> Void)? = nil
    ) throws(DatabaseError) {
        precondition(running == nil, "a statement is running")
        guard isSent == 1 else { throw lost() }
        running = Running(each: each, reply: reply)
        advance()
    }

    /// Sends and reads what is possible; when the answer is whole, hands it over.
    private func advance() {
        guard unsafe PQconsumeInput(connection) == 1 else { return finish(.failure(lost())) }
        defer { if takeNotifications() { onNotification() } }
        let unsent = unsafe PQflush(connection)
        guard unsent >= 0 else { return finish(.failure(lost())) }
        do throws(SystemError) {
            try source?.wait(for: unsent > 0 ? [.readable, .writable] : .readable)
        } catch { return finish(.failure(lost())) }
        guard running != nil else {
            // Nothing was asked: the server has closed the connection, or says something.
            if unsafe PQstatus(connection) != CONNECTION_OK { finish(.failure(lost())) }
            return
        }
        while unsafe PQisBusy(connection) == 0 {
            guard let result = unsafe PQgetResult(connection) else {
                return finish(running?.answer ?? .failure(lost()))
            }
            if unsafe PQresultStatus(result) == PGRES_SINGLE_TUPLE {
                unsafe running?.each?(LentRow(result))
                unsafe PQclear(result)
                continue
            }
            do throws(DatabaseError) {
                let rows = try unsafe rows(of: result)
                if running?.answer == nil { running?.answer = .success(rows) }
            } catch { running?.answer = .failure(error) }
        }
    }

    private func finish(_ answer: Result<Rows, DatabaseError>) {
        if case .failure(let error) = answer, error.state.isEmpty { source = nil }
        guard let running else { return onLoss() }
        self.running = nil
        running.reply(answer)
    }

    /// Whether there were any.
    private func takeNotifications() -> Bool {
        var isNotified = false
        while let notification = unsafe PQnotifies(connection) {
            unsafe PQfreemem(notification)
            isNotified = true
        }
        return isNotified
    }

    private func lost() -> DatabaseError {
        unsafe DatabaseError(state: "", message: Self.line(PQerrorMessage(connection)))
    }

    func rows(of result: OpaquePointer?) throws(DatabaseError) -> Rows {
        guard let result = unsafe result else { throw lost() }
        defer { unsafe PQclear(result) }
        switch unsafe PQresultStatus(result) {
        case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: break
        default:
            // PG_DIAG_SQLSTATE, a character.
            let state = unsafe PQresultErrorField(result, 0x43).map { unsafe String(cString: $0) }
            throw unsafe DatabaseError(
                state: state ?? "", message: Self.line(PQresultErrorMessage(result)))
        }
        let columns = unsafe PQnfields(result)
        let names = (0..<columns).map { unsafe String(cString: PQfname(result, $0)) }
        let values = unsafe (0..<PQntuples(result)).map { row in
            (0..<columns).map { column -> String? in
                guard unsafe PQgetisnull(result, row, column) == 0 else { return nil }
                return unsafe String(cString: PQgetvalue(result, row, column))
            }
        }
        return Rows(columns: names, values: values)
    }

    /// The first line of a message, without `ERROR:`.
    static func line(_ text: UnsafePointer<CChar>?) -> String {
        guard let text = unsafe text else { return "no answer" }
        let line = unsafe String(cString: text).split(separator: "\n").first.map(String.init) ?? ""
        for prefix in ["ERROR:  ", "FATAL:  "] where line.hasPrefix(prefix) {
            return String(line.dropFirst(prefix.count))
        }
        return line
    }

    /// An array of C strings, which ends with a null pointer.
    private static func withTexts<Result>(
        _ texts: [String?], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
    ) -> Result {
        let copies = unsafe texts.map { text in unsafe text.flatMap { unsafe strdup($0) } }
        defer { unsafe copies.forEach { unsafe free($0) } }
        let pointers = unsafe copies.map { unsafe UnsafePointer($0) } + [nil]
        return unsafe pointers.withUnsafeBufferPointer { buffer in
            // It has at least the null pointer.
            unsafe body(buffer.baseAddress.unsafelyUnwrapped)
        }
    }

    /// The values of parameters in binary format, their lengths, and their formats.
    private static func withBytes<Result>(
        _ parameters: [[UInt8]],
        _ body: (
            UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<Int32>, UnsafePointer<Int32>
        ) -> Result
    ) -> Result {
        let lengths = parameters.map { Int32(clamping: $0.count) }
        let formats = parameters.map { _ in Int32(1) }
        var all: [UInt8] = []
        all.reserveCapacity(parameters.reduce(1) { $0 + $1.count })
        for parameter in parameters { all.append(contentsOf: parameter) }
        // Never empty.
        all.append(0)
        return unsafe all.withUnsafeBytes { bytes in
            var place = 0
            var pointers: [UnsafePointer<CChar>?] = unsafe []
            for parameter in parameters {
                unsafe pointers.append(
                    bytes.baseAddress.unsafelyUnwrapped.advanced(by: place)
                        .assumingMemoryBound(to: CChar.self))
                place += parameter.count
            }
            unsafe pointers.append(nil)
            return unsafe pointers.withUnsafeBufferPointer { pointers in
                unsafe (lengths + [0]).withUnsafeBufferPointer { lengths in
                    unsafe (formats + [1]).withUnsafeBufferPointer { formats in
                        // Each has at least one element.
                        unsafe body(
                            pointers.baseAddress.unsafelyUnwrapped,
                            lengths.baseAddress.unsafelyUnwrapped,
                            formats.baseAddress.unsafelyUnwrapped)
                    }
                }
            }
        }
    }
}
