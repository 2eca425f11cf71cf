/// The forms of a report.
package enum Report: String, CaseIterable, Sendable {
    case table
    case csv
    case json
    /// A page to print.
    case html

    /// The whole text, with a line break at its end.
    package func text(_ sheet: Sheet) -> String {
        switch self {
        case .table: sheet.table
        case .csv: sheet.csv
        case .json: sheet.json
        case .html: sheet.html
        }
    }
}
