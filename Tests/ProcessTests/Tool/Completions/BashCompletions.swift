import geofencectl

/// Tables by verb and option, and one function that looks there.
enum BashCompletions {
    static var text: String {
        """
        # bash completion for geofencectl(1)
        \(ShellCompletions.head)

        __geofencectl_list() {
            case $1 in
        \(lists)
            esac
        }

        # usage: __geofencectl_reply WHAT [WORD]…
        __geofencectl_reply() {
            case $1 in
                words) COMPREPLY=($(compgen -W "${*:2}" -- "$cur")) ;;
                prefixes)
                    COMPREPLY=($(compgen -W "${*:2}" -- "$cur"))
                    compopt -o nospace
                    ;;
                files | directories)
                    compopt -o filenames
                    COMPREPLY=($(compgen -${1:0:1} -- "$cur"))
                    ;;
                list)
                    COMPREPLY=($(compgen -W "${*:3}" -- "$cur"))
                    # Not by compgen -W, which would run what a name says.
                    while IFS= read -r item; do
                        [[ $item == "$cur"* ]] && COMPREPLY+=("$(printf %q "$item")")
                    done < <(__geofencectl_list "$2")
                    ;;
            esac
        }

        _geofencectl() {
            local verbs=\(Verb.all.map(\.name).joined(separator: " ").quoted)
            local common=\(written(Verb.commonOptions).quoted)
            local -A options=(
        \(options)
            )
            # Of options that take a value, what it is; of some it depends on the verb.
            local -A values=(
        \(values)
            )
            # By the verb, or by the verb and the first operand.
            local -A operands=(
        \(operands)
            )
            local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
            # bash takes --option=value for three words.
            [[ $prev == = ]] && prev=${COMP_WORDS[COMP_CWORD - 2]}
            [[ $cur == = ]] && cur=
            local words=() bus=() word item i
            COMPREPLY=()
            for ((i = 1; i < COMP_CWORD; i++)); do
                word=${COMP_WORDS[i]}
                if [[ -n ${values[$word]} ]]; then
                    [[ ${COMP_WORDS[++i]} == = ]] && ((i++))
                    [[ $word == --bus ]] && bus=(--bus "${COMP_WORDS[i]}")
                elif [[ $word != -* ]]; then
                    words+=("$word")
                fi
            done
            local verb=${words[0]:-none}
            if [[ -n ${values[$prev]} ]]; then
                __geofencectl_reply ${values["$verb $prev"]:-${values[$prev]}}
            elif [[ $cur == -* ]]; then
                __geofencectl_reply words ${options[$verb]} $common
            elif [[ $verb == none ]]; then
                __geofencectl_reply words $verbs
            else
                __geofencectl_reply ${operands["$verb ${words[1]}"]:-${operands[$verb]}}
            fi
        }

        complete -F _geofencectl geofencectl

        """
    }

    private static var lists: String {
        Completion.List.allCases.map {
            "        \($0)) geofencectl \"${bus[@]}\" \($0.pipeline(word: #""$cur""#)) ;;"
        }.joined(separator: "\n")
    }

    private static var options: String {
        Verb.all.map { row([$0.name], written($0.options)) }.joined(separator: "\n")
    }

    private static var values: String {
        var usual: [String: Completion] = [:]
        var rows: [String] = []
        for option in Verb.commonOptions + Verb.all.flatMap(\.options)
        where option.value != nil && usual[option.name] == nil {
            usual[option.name] = option.completion
            rows.append(row(["--\(option.name)"], what(option.completion)))
        }
        for verb in Verb.all {
            for option in verb.options where option.value != nil {
                guard usual[option.name] != option.completion else { continue }
                rows.append(row([verb.name, "--\(option.name)"], what(option.completion)))
            }
        }
        return rows.joined(separator: "\n")
    }

    private static var operands: String {
        Verb.all.flatMap { verb in
            [row([verb.name], what(verb.completion))]
                + verb.nouns.map { row([verb.name, $0.name], what($0.then ?? .nothing)) }
        }.joined(separator: "\n")
    }

    private static func row(_ key: [String], _ value: String) -> String {
        "        [\(key.count > 1 ? "\"\(key.joined(separator: " "))\"" : key[0])]=\(value.quoted)"
    }

    private static func what(_ completion: Completion) -> String {
        switch completion {
        case .nothing: "nothing"
        case .words(let words): (["words"] + words).joined(separator: " ")
        case .prefixes(let words): (["prefixes"] + words).joined(separator: " ")
        case .files: "files"
        case .directories: "directories"
        case .list(let list): (["list", list.rawValue] + list.words).joined(separator: " ")
        case .nouns(let nouns, let list):
            ((list.map { ["list", $0.rawValue] } ?? ["words"]) + nouns.map(\.name))
                .joined(separator: " ")
        }
    }

    private static func written(_ options: [OptionRule]) -> String {
        options.map { "--\($0.name)" }.joined(separator: " ")
    }
}
