extension String {
    /// How many characters have to be added, removed, replaced or exchanged with their neighbours to make
    /// the other text of this one (optimal string alignment).
    /// - Parameter limit: above it nil is returned.
    package func editDistance(to other: String, atMost limit: Int) -> Int? {
        let (first, second) = (Array(self), Array(other))
        guard abs(first.count - second.count) <= limit else { return nil }
        var beforeLast: [Int] = []
        var last = Array(0...second.count)
        for row in first.indices {
            var next = [row + 1]
            for column in second.indices {
                let isSame = first[row] == second[column]
                var least = Swift.min(
                    last[column] + (isSame ? 0 : 1), last[column + 1] + 1, next[column] + 1)
                if row > 0, column > 0, first[row] == second[column - 1],
                    first[row - 1] == second[column]
                {
                    least = Swift.min(least, beforeLast[column - 1] + 1)
                }
                next.append(least)
            }
            guard (next.min() ?? 0) <= limit else { return nil }
            (beforeLast, last) = (last, next)
        }
        return last[second.count] <= limit ? last[second.count] : nil
    }
}
