# fish completion for geofencectl(1)
# SPDX-License-Identifier: Apache-2.0
# Verbs and options are asked of the program, so that they are always those it has.

function __geofencectl_verb
    set -l words (commandline -opc)[2..]
    while set -q words[1]
        switch $words[1]
            case --bus
                set -e words[1]
            case '-*'
            case '*'
                echo $words[1]
                return
        end
        set -e words[1]
    end
end

function __geofencectl_words
    set -l verb (__geofencectl_verb)
    set -l help (command geofencectl $verb --help 2>/dev/null)
    string replace -rf '^  (--[a-z-]+)\S*.*?  +(.*)$' '$1\t$2' -- $help
    test -n "$verb"
    or string replace -rf '^  ([a-z]+).*?  +(.*)$' '$1\t$2' -- $help
end

function __geofencectl_takes_no_file
    not string match -qr 'FILE|TRACK' -- (command geofencectl (__geofencectl_verb) --help 2>/dev/null)[1]
end

complete -c geofencectl -n __geofencectl_takes_no_file -f
complete -c geofencectl -a '(__geofencectl_words)'
