import Bytes
package import PostgreSQL
import Time

/// What is asked of the database for one who looks, until it is answered or taken back.
@MainActor
package final class BoardQuestion {
    /// Why there is no answer.
    package enum Refusal: Error, Equatable {
        /// There is no such role, or it may not read as it.
        case denied
        /// There is no database.
        case absent
        /// More is asked than it can answer.
        case busy
        /// What the database says.
        case failed(DatabaseError)
    }

    /// What is asked.
    package struct Text {
        let sql: String
        var parameters: [String?] = []
        /// It may take long: of one role one at a time.
        var isLong = false
        /// Its cells come in binary format.
        var isBinary = false
        /// Gets the rows, of which the answer then has none.
        var each: (@MainActor (LentRow) -> Void)?
    }

    /// Whose rights it has; nil for those of the connection.
    let role: ExactText?
    let text: Text
    let asked: Uptime
    /// When it was sent to the database.
    var begun: Uptime?
    /// It was asked before, and a shard was lost meanwhile.
    var isRepeated = false
    private var reply: (@MainActor (Result<Rows, Refusal>) -> Void)?
    private let whenTakenBack: @MainActor (BoardQuestion) -> Void

    init(
        _ role: ExactText?, _ text: Text, at asked: Uptime,
        whenTakenBack: @escaping @MainActor (BoardQuestion) -> Void,
        reply: @escaping @MainActor (Result<Rows, Refusal>) -> Void
    ) {
        self.role = role
        self.text = text
        self.asked = asked
        self.whenTakenBack = whenTakenBack
        self.reply = reply
    }

    /// Nobody waits for it any more.
    var isOver: Bool { reply == nil }

    /// Nobody wants to know it any more.
    package func takeBack() {
        guard !isOver else { return }
        reply = nil
        whenTakenBack(self)
    }

    /// Answers it; only the first answer counts.
    func answer(_ result: Result<Rows, Refusal>) {
        let given = reply
        reply = nil
        given?(result)
    }

    /// It gives way to others.
    func giveWay() {
        guard !isOver else { return }
        answer(.failure(.busy))
        whenTakenBack(self)
    }

    /// A row of it, unless nobody wants to know.
    func take(_ row: LentRow) { if !isOver { text.each?(row) } }
}
