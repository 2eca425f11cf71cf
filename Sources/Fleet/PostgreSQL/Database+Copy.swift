import CPQ

// Unsafe: a row of libpq is copied and freed before anything else is called; bytes of ours are sent with
// their count.

extension Database {
    /// Hands over what `COPY … TO STDOUT` gives, each row with its line feed.
    /// - Throws: ``DatabaseError``, and what `row` throws: then the rest is not asked for.
    package func copyOut(_ sql: String, row: ([UInt8]) throws -> Void) throws {
        try beginCopy(sql, PGRES_COPY_OUT)
        var failure: (any Error)?
        var bytes: UnsafeMutablePointer<CChar>?
        while case let count = unsafe PQgetCopyData(connection, &bytes, 0), count > 0 {
            let line = unsafe [UInt8](UnsafeRawBufferPointer(start: bytes, count: Int(count)))
            unsafe PQfreemem(bytes)
            guard failure == nil else { continue }
            do { try row(line) } catch {
                failure = error
                cancel()
            }
        }
        do throws(DatabaseError) { try endCopy() } catch { throw failure ?? error }
        if let failure { throw failure }
    }

    /// Sends to `COPY … FROM STDIN` what `next` gives until that is nil, whole rows or not.
    /// - Throws: ``DatabaseError``, and what `next` throws: then nothing is stored.
    package func copyIn(_ sql: String, next: () throws -> [UInt8]?) throws {
        try beginCopy(sql, PGRES_COPY_IN)
        var failure: (any Error)?
        do {
            while let bytes = try next() {
                let isSent = unsafe bytes.withUnsafeBytes { bytes in
                    unsafe PQputCopyData(
                        connection, bytes.assumingMemoryBound(to: CChar.self).baseAddress,
                        Int32(bytes.count))
                }
                guard isSent == 1 else { break }
            }
        } catch { failure = error }
        unsafe PQputCopyEnd(connection, failure == nil ? nil : "not whole")
        do throws(DatabaseError) { try endCopy() } catch { throw failure ?? error }
    }

    private func beginCopy(_ sql: String, _ wanted: ExecStatusType) throws(DatabaseError) {
        let result = unsafe PQexec(connection, sql)
        guard unsafe PQresultStatus(result) == wanted else {
            _ = try unsafe rows(of: result)
            throw DatabaseError(state: "", message: "no COPY")
        }
        unsafe PQclear(result)
    }

    /// Takes what is said at the end, which is an error if it was one.
    private func endCopy() throws(DatabaseError) {
        var failure: DatabaseError?
        while let result = unsafe PQgetResult(connection) {
            // PG_DIAG_CONTEXT: which line it was.
            let line = unsafe PQresultErrorField(result, 0x57).map { unsafe Self.line($0) }
            do throws(DatabaseError) { _ = try unsafe rows(of: result) } catch {
                failure = error
                if let line, !line.isEmpty { failure?.message += ": \(line)" }
            }
        }
        if let failure { throw failure }
    }

    private func cancel() {
        guard let handle = unsafe PQgetCancel(connection) else { return }
        defer { unsafe PQfreeCancel(handle) }
        var why = [CChar](repeating: 0, count: 256)
        unsafe PQcancel(handle, &why, Int32(why.count))
    }
}
