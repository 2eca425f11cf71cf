/// `1 fence`, `2 fences`, `0 entries`: a count with its noun, for people.
/// - Parameter plural: where it is not the noun with an s.
package func counted(
    _ count: some BinaryInteger, _ noun: String, _ plural: String? = nil
) -> String {
    count == 1 ? "1 \(noun)" : "\(count) \(plural ?? noun + "s")"
}
