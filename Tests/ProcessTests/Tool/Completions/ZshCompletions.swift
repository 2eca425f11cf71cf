import geofencectl

/// `_arguments` of each verb.
enum ZshCompletions {
    static var text: String {
        """
        #compdef geofencectl
        \(ShellCompletions.head)

        # usage: _geofencectl_list LIST [WORD]…    what the tool lists, and more
        _geofencectl_list() {
            local -a bus found
            (( ${+opt_args[--bus]} )) && bus=(--bus $opt_args[--bus])
            case $1 in
        \(lists)
            esac
            shift
            compadd -a found
            compadd -- $@
        }

        _geofencectl() {
            local context state state_descr line
            local -A opt_args
            local -a common verbs rest
            common=(
        \(commons)
            )
            verbs=(
        \(verbs)
            )
            _arguments -C $common '1:verb:->verb' '*::argument:->arguments'
            case $state in
                verb) _describe verb verbs ;;
                arguments)
                    case $words[1] in
        \(arguments)
                    esac
                    ;;
            esac
        }

        _geofencectl "$@"

        """
    }

    private static var lists: String {
        // _call_program evaluates its arguments once more.
        Completion.List.allCases.map {
            let pipeline = $0.pipeline(word: "${(qq)${(Q)PREFIX}}")
            return
                "        \($0)) found=(${(f)\"$(_call_program \($0) geofencectl $bus \(pipeline))\"}) ;;"
        }.joined(separator: "\n")
    }

    private static var commons: String {
        Verb.commonOptions.map { option in
            // Nothing else is needed beside these two.
            let alone = ["help", "version"].contains(option.name) ? "(- *)" : ""
            return "        \((alone + specification(option)).quoted)"
        }.joined(separator: "\n")
    }

    private static var verbs: String {
        Verb.all.map { "        \("\($0.name):\($0.summary)".quoted)" }.joined(separator: "\n")
    }

    private static var arguments: String {
        Verb.all.map { verb in
            var specifications = verb.options.map(specification)
            if verb.count.upperBound > 0 {
                let first = verb.nouns.isEmpty && verb.count.upperBound > 1 ? "*" : "1"
                specifications.append("\(first):\(label(verb.operands)):\(action(verb.completion))")
            }
            var lines = ["            \(verb.name))"]
            let more = verb.nouns.filter { $0.then != nil }
            if !more.isEmpty {
                lines += ["                rest=()", "                case $words[2] in"]
                for noun in more {
                    let rest = "*:\(noun.name):\(noun.then.map { action($0) } ?? "")"
                    lines.append("                    \(noun.name)) rest=(\(rest.quoted)) ;;")
                }
                lines.append("                esac")
            }
            lines.append(
                (["                _arguments $common"] + specifications.map(\.quoted)
                    + (more.isEmpty ? [] : ["$rest"])).joined(
                        separator: " \\\n                    "))
            return (lines + ["                ;;"]).joined(separator: "\n")
        }.joined(separator: "\n")
    }

    private static func specification(_ option: OptionRule) -> String {
        var text = "\(option.repeats ? "*" : "")--\(option.name)"
        text += "\(option.value == nil ? "" : "=")[\(escaped(option.summary))]"
        guard let value = option.value else { return text }
        return text + ":\(label(value)):\(action(option.completion))"
    }

    /// A space in front: called as it is, without the options of compadd.
    private static func action(_ completion: Completion) -> String {
        switch completion {
        case .nothing: ""
        case .words(let words): "(\(words.joined(separator: " ")))"
        case .prefixes(let words): " compadd -S '' -- \(words.joined(separator: " "))"
        case .files: "_files"
        case .directories: "_files -/"
        case .list(let list):
            ([" _geofencectl_list", list.rawValue] + list.words).joined(separator: " ")
        case .nouns(let nouns, nil): "(\(nouns.map(\.name).joined(separator: " ")))"
        case .nouns(let nouns, let list?):
            ([" _geofencectl_list", list.rawValue] + nouns.map(\.name)).joined(separator: " ")
        }
    }

    private static func label(_ text: String) -> String { text.filter { !"[]:".contains($0) } }

    private static func escaped(_ text: String) -> String {
        text.map { "[]:".contains($0) ? "\\\($0)" : "\($0)" }.joined()
    }
}
