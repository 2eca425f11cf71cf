import JSON

extension JSONValue {
    /// Whether its arrays and objects are nested at most so deep.
    func isAtMost(deep levels: Int) -> Bool {
        switch self {
        case .null, .bool, .number, .string: true
        case .array(let elements):
            levels > 0 && elements.allSatisfy { $0.isAtMost(deep: levels - 1) }
        case .object(let members):
            levels > 0 && members.allSatisfy { $0.value.isAtMost(deep: levels - 1) }
        }
    }
}
