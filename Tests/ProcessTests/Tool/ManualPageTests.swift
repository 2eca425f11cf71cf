import Foundation
import Testing
import geofencectl

/// Compares geofencectl(1) with the existing verbs and options.
@Suite("geofencectl(1)") struct ManualPageTests {
    private let lines: [String]

    init() throws {
        let root = #filePath.components(separatedBy: "/Tests/")[0]
        lines = try String(contentsOfFile: "\(root)/docs/man/geofencectl.1", encoding: .utf8)
            .components(separatedBy: "\n")
    }

    @Test("every verb is there, with its operands", arguments: Verb.all.map(\.name))
    func verbs(_ name: String) throws {
        let verb = try #require(Verb.named(name))
        let items = lines.filter {
            $0 == ".It Cm \(name)" || $0.hasPrefix(".It Cm \(name) ")
        }
        #expect(!items.isEmpty)
        // Operands that are words stand on lines of their own.
        guard verb.operands.allSatisfy({ $0.isUppercase || $0 == "…" }) else { return }
        let operands =
            verb.operands.isEmpty
            ? "" : " Ar " + verb.operands.replacingOccurrences(of: "…", with: " ...")
        #expect(items == [".It Cm \(name)\(operands)"])
    }

    /// For every option, its verbs according to the page, and its value.
    private var options: [String: (value: String?, verbs: Set<String>)] {
        var options: [String: (value: String?, verbs: Set<String>)] = [:]
        for (line, next) in zip(lines, lines.dropFirst()) where line.hasPrefix(".It Fl -") {
            let words = line.dropFirst(".It Fl -".count).components(separatedBy: " Ar ")
            let value =
                words.dropFirst().isEmpty
                ? nil
                : words.dropFirst().joined(separator: "").replacingOccurrences(
                    of: " Ns = Ns", with: "=")
            var verbs: Set<String> = []
            if next.hasPrefix(".Pq Cm ") {
                verbs = Set(next.dropFirst(".Pq Cm ".count).components(separatedBy: " , "))
            }
            options[words[0]] = (value, verbs)
        }
        return options
    }

    @Test("every option is listed for the verbs that take it, with its value; and no other")
    func everyOption() {
        let page = options
        var names: Set<String> = []
        for verb in Verb.all {
            for option in verb.options {
                names.insert(option.name)
                let entry = page[option.name]
                #expect(
                    entry?.verbs.contains(verb.name) == true, "--\(option.name) of \(verb.name)")
                #expect(entry?.value == option.value, "--\(option.name)")
            }
        }
        for option in Verb.commonOptions {
            names.insert(option.name)
            #expect(page[option.name]?.value == option.value, "--\(option.name)")
        }
        #expect(Set(page.keys) == names)
        for (name, entry) in page {
            for verb in entry.verbs {
                #expect(
                    Verb.named(verb)?.options.contains { $0.name == name } == true,
                    "--\(name) of \(verb)")
            }
        }
    }
}
