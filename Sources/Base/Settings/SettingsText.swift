/// The table as text: the file the package ships, and the list of keys in the manual.
extension SettingsTable {
    /// A file that is shipped: all comments, each key with its default, after a comment of its own.
    package func shippedFile(_ header: String) -> String {
        var text = header
        for (index, key) in keys.enumerated() {
            if index == 0 || keys[index - 1].section != key.section {
                text += "\n[\(key.section)]\n"
            }
            for line in wrap(key.summary + (range(of: key).map { " \($0)." } ?? ""), columns: 96) {
                text += "# \(line)\n"
            }
            text += "#\(key.name)=\(defaultText(of: key))\n"
        }
        return text
    }

    /// The sections and keys as mdoc, for the manual page.
    package var manual: String {
        var text = ""
        for (index, key) in keys.enumerated() {
            if index == 0 || keys[index - 1].section != key.section {
                text +=
                    "\(index == 0 ? "" : ".El\n").Ss [\(key.section)] section\n.Bl -tag -width Ds\n"
            }
            text += ".It Ic \(key.name) Ns = Ns Ar \(key.kind.name.replacingSpaces)\n"
            // Every sentence begins a new line (mandoc's style); no summary has a backslash, and
            // none of its lines begins with a full stop.
            let sentences = sentences(of: key.summary).flatMap { wrap($0, columns: 78) }
            let standard = defaultText(of: key)
            let what = standard.isEmpty ? "it is not set by default." : "the default is"
            let limits = range(of: key).map { "\($0); \(what)" } ?? what.capitalizedSentence
            text += (sentences + [limits]).joined(separator: "\n") + "\n"
            if !standard.isEmpty { text += ".Ql \(standard) .\n" }
        }
        return text + ".El\n"
    }

    private func range(of key: SettingKey<Root>) -> String? {
        key.kind.bounds.map { "From \($0.lower) to \($0.upper)" }
    }

    private func sentences(of text: String) -> [String] {
        var sentences = [""]
        for word in text.split(separator: " ") {
            let last = sentences.count - 1
            sentences[last] += (sentences[last].isEmpty ? "" : " ") + word
            if word.hasSuffix(".") { sentences.append("") }
        }
        return sentences.filter { !$0.isEmpty }
    }

    private func wrap(_ text: String, columns: Int) -> [String] {
        var lines = [""]
        for word in text.split(separator: " ") {
            let last = lines.count - 1
            if lines[last].isEmpty {
                lines[last] += word
            } else if lines[last].count + word.count < columns {
                lines[last] += " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}

extension String {
    /// With a capital at the beginning.
    fileprivate var capitalizedSentence: String { prefix(1).uppercased() + dropFirst() }

    /// One argument of an mdoc macro.
    fileprivate var replacingSpaces: String {
        split(separator: " ").joined(separator: "\\ ")
    }
}
