/// The table as text: the file the package ships, and the list of keys in the manual.
extension SettingsTable {
    /// etc/geofenced/geofenced.conf: all comments, each key with its default.
    package static var shippedFile: String {
        var text = """
            # The configuration of geofenced, see geofenced.conf(5).
            #
            # The lines below show the built-in defaults. To change one, write it without the # under
            # its [Section] in a separate file, /etc/geofenced/geofenced.conf.d/NAME.conf, so that an
            # update of the package can replace this file. Those files are read in the order of their
            # names; the last one that sets a key wins, and an empty value restores the default.
            # Check with: geofenced --check

            """
        for (index, key) in keys.enumerated() {
            if index == 0 || keys[index - 1].section != key.section {
                text += "\n[\(key.section)]\n"
            }
            for line in wrap(key.summary + (range(of: key).map { " \($0)." } ?? ""), columns: 96) {
                text += "# \(line)\n"
            }
            text += "#\(key.name)=\(key.defaultText)\n"
        }
        return text
    }

    /// The sections and keys as mdoc, for geofenced.conf(5).
    package static var manual: String {
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
            let standard = key.defaultText
            let what = standard.isEmpty ? "it is not set by default." : "the default is"
            let limits = range(of: key).map { "\($0); \(what)" } ?? what.capitalizedSentence
            text += (sentences + [limits]).joined(separator: "\n") + "\n"
            if !standard.isEmpty { text += ".Ql \(standard) .\n" }
        }
        return text + ".El\n"
    }

    private static func range(of key: SettingKey) -> String? {
        key.kind.bounds.map { "From \($0.lower) to \($0.upper)" }
    }

    private static func sentences(of text: String) -> [String] {
        var sentences = [""]
        for word in text.split(separator: " ") {
            let last = sentences.count - 1
            sentences[last] += (sentences[last].isEmpty ? "" : " ") + word
            if word.hasSuffix(".") { sentences.append("") }
        }
        return sentences.filter { !$0.isEmpty }
    }

    private static func wrap(_ text: String, columns: Int) -> [String] {
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
