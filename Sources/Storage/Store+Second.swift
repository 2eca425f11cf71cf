import Model

// A log that has lost its end, and what outlives it.
extension Store {
    /// How things stand has changed since ``keepSecond()``.
    package var isSecondBehind: Bool { log.isSecondBehind || isMarkBehind }

    /// Writes how things stand once more beside the log, which that outlives. Durable; not more than once a
    /// minute, and at an orderly stop.
    /// - Throws: ``StoreError``; then the former is there.
    package func keepSecond() throws {
        if isMarkBehind, let usedMark { mark?.keep(usedMark) }
        if log.isSecondBehind { try log.keepSecond() }
    }

    /// What the mark of use is to say; nil while there is nothing to miss.
    var usedMark: UseMark.Content? {
        guard absence == nil, log.isEndSettled, !log.id.isEmpty else { return nil }
        let hasFences = catalogue.manifest.hasFencesOfNoFile
        guard hasFences || log.lastSeq > 0 else { return nil }
        return UseMark.Content(log: log.id, hasFences: hasFences)
    }

    /// That fences are gone by now waits for an orderly stop.
    private var isMarkBehind: Bool {
        guard let mark else { return false }
        if let content = mark.content, content.log == log.id, content.hasFences { return false }
        return usedMark.map { mark.isBehind($0) } ?? false
    }
}
