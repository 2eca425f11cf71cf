import geofencectl

/// A line for each verb, option and operand, under the condition of the words before it.
enum FishCompletions {
    static var text: String {
        """
        # fish completion for geofencectl(1)
        \(ShellCompletions.head)

        # The words before the cursor that are neither options nor their values.
        function __geofencectl_words
            set -l is_value no
            for word in (commandline -opc)[2..]
                if test $is_value = yes
                    set is_value no
                else if contains -- $word \(valued)
                    set is_value yes
                else if not string match -q -- '-*' $word
                    echo -- $word
                end
            end
        end

        # Whether these are all the words.
        function __geofencectl_are
            test "$argv" = "$(__geofencectl_words | string join ' ')"
        end

        # Whether the words begin with these.
        function __geofencectl_begin
            string match -q -- "$argv *" "$(__geofencectl_words | string join ' ') "
        end

        function __geofencectl_list
            # Of --option=value the value.
            set -l word (commandline -ct | string replace -r -- '^--[^=]*=' '' | string unescape)
            switch $argv[1]
        \(lists)
            end
        end

        complete -c geofencectl -f
        \(Verb.commonOptions.map { option(nil, $0) }.joined(separator: "\n"))
        \(Verb.all.map { complete("are", [], "-a \($0.name) -d \($0.summary.quotedForFish)") }
            .joined(separator: "\n"))
        \(Verb.all.flatMap(lines).joined(separator: "\n"))

        """
    }

    /// The options that take a value.
    private static var valued: String {
        var seen: [String] = []
        for option in Verb.commonOptions + Verb.all.flatMap(\.options)
        where option.value != nil && !seen.contains("--\(option.name)") {
            seen.append("--\(option.name)")
        }
        return seen.joined(separator: " ")
    }

    private static var lists: String {
        Completion.List.allCases.map { list in
            let words = list.words.map { "echo \($0); " }.joined()
            return
                "        case \(list)\n            \(words)geofencectl \(list.pipeline(word: #""$word""#))"
        }.joined(separator: "\n")
    }

    private static func lines(_ verb: Verb) -> [String] {
        var lines = verb.options.map { option(verb, $0) }
        if let what = offered(verb.completion) {
            let condition = verb.nouns.isEmpty ? "begin" : "are"
            lines.append(complete(condition, [verb.name], what))
        }
        for noun in verb.nouns {
            guard let what = noun.then.flatMap(offered) else { continue }
            lines.append(complete("begin", [verb.name, noun.name], what))
        }
        return lines
    }

    private static func option(_ verb: Verb?, _ option: OptionRule) -> String {
        var what = "-l \(option.name) -d \(option.summary.quotedForFish)"
        if option.value != nil {
            let offered = offered(option.completion) ?? ""
            what += (option.completion == .files ? " -r \(offered)" : " -x \(offered)")
        }
        guard let verb else { return "complete -c geofencectl \(what)".trimmed }
        return complete("begin", [verb.name], what)
    }

    private static func complete(_ condition: String, _ words: [String], _ what: String) -> String {
        let test = (["__geofencectl_\(condition)"] + words).joined(separator: " ")
        return "complete -c geofencectl -n '\(test)' \(what)".trimmed
    }

    private static func offered(_ completion: Completion) -> String? {
        switch completion {
        case .nothing: nil
        case .files: "-F"
        case .directories: "-a '(__fish_complete_directories)'"
        case .words(let words), .prefixes(let words): "-a '\(words.joined(separator: " "))'"
        case .list(let list): "-a '(__geofencectl_list \(list))'"
        case .nouns(let nouns, let list):
            "-a '\((nouns.map(\.name) + (list.map { ["(__geofencectl_list \($0))"] } ?? [])).joined(separator: " "))'"
        }
    }
}

extension String {
    fileprivate var quotedForFish: String {
        "'\(split(separator: "'", omittingEmptySubsequences: false).joined(separator: "\\'"))'"
    }

    fileprivate var trimmed: String { hasSuffix(" ") ? String(dropLast()) : self }
}
