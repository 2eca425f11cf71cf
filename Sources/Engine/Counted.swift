/// `1 fence`, `2 fences`, `0 fences`: a count with its noun, for people.
package func counted(_ count: some BinaryInteger, _ noun: String) -> String {
    count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
}
