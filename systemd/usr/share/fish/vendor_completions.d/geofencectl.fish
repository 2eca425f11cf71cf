# fish completion for geofencectl(1)
# SPDX-License-Identifier: Apache-2.0
# Made of the verbs in Sources/Tool/geofencectl: GOLDEN=1 .ci/test --filter CompletionTests

# The words before the cursor that are neither options nor their values.
function __geofencectl_words
    set -l is_value no
    for word in (commandline -opc)[2..]
        if test $is_value = yes
            set is_value no
        else if contains -- $word --bus --output --config --state-dir --measure --status-dir --origin --prefix --circle --geojson --beacon --radius --width --sightings --min-rssi --group --title --description --dwell --meta --id-property --title-property --format --since --last --map --fence --kind --after --before --place --by --fences --beacons --can --window --vehicle-height --set --plot --height --length --weight --axle-load --profile --for --port --name
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
        case fences
            geofencectl list --prefix "$word" 2>/dev/null | head -n 500 | cut -f1
        case origins
            echo bus; geofencectl list 2>/dev/null | head -n 500 | cut -f4 | grep / | sort -u
        case beacons
            geofencectl beacon list 2>/dev/null | cut -f1
        case consumers
            geofencectl consumer list 2>/dev/null | cut -f1
        case sources
            geofencectl sync 2>/dev/null | cut -f1
    end
end

complete -c geofencectl -f
complete -c geofencectl -l bus -d 'system (the default), session, or a D-Bus address of the daemon\'s bus' -x -a 'system session'
complete -c geofencectl -l json -d 'one JSON object per line'
complete -c geofencectl -l help -d 'show this help'
complete -c geofencectl -l version -d 'show the version'
complete -c geofencectl -n '__geofencectl_are' -a status -d 'how the daemon is doing: source, fix, window, events'
complete -c geofencectl -n '__geofencectl_are' -a metrics -d 'how the daemon is doing, for Prometheus'
complete -c geofencectl -n '__geofencectl_are' -a doctor -d 'why nothing happens: from the antenna to the event, step by step'
complete -c geofencectl -n '__geofencectl_are' -a list -d 'all fences, or those of one origin'
complete -c geofencectl -n '__geofencectl_are' -a show -d 'one fence, and whether we are inside of it'
complete -c geofencectl -n '__geofencectl_are' -a add -d 'adds a fence, or replaces the one with that id'
complete -c geofencectl -n '__geofencectl_are' -a remove -d 'removes fences, or all of one origin'
complete -c geofencectl -n '__geofencectl_are' -a import -d 'adds the fences of a file, all or none'
complete -c geofencectl -n '__geofencectl_are' -a export -d 'all fences as a file'
complete -c geofencectl -n '__geofencectl_are' -a window -d 'the regions monitored now'
complete -c geofencectl -n '__geofencectl_are' -a events -d 'the event log'
complete -c geofencectl -n '__geofencectl_are' -a report -d 'the stays at places, or the trips, from the event log'
complete -c geofencectl -n '__geofencectl_are' -a watch -d 'a live screen: position, window, events'
complete -c geofencectl -n '__geofencectl_are' -a replay -d 'what the daemon would say on a recorded drive'
complete -c geofencectl -n '__geofencectl_are' -a check -d 'is this fence file good?'
complete -c geofencectl -n '__geofencectl_are' -a accept-loss -d 'stops missing fences, or events, that were lost'
complete -c geofencectl -n '__geofencectl_are' -a backup -d 'a copy of fences, events and numbers, for restore'
complete -c geofencectl -n '__geofencectl_are' -a restore -d 'fences, events and numbers as a backup has them'
complete -c geofencectl -n '__geofencectl_are' -a consumer -d 'the programs that are brought every event'
complete -c geofencectl -n '__geofencectl_are' -a vehicle -d 'the height, width and weight that hazards are judged with'
complete -c geofencectl -n '__geofencectl_are' -a beacon -d 'beacon fences, and the beacons that are near'
complete -c geofencectl -n '__geofencectl_are' -a sync -d 'the sources of fences on the network'
complete -c geofencectl -n '__geofencectl_are' -a map -d 'the drive that is under way, in a browser of this machine'
complete -c geofencectl -n '__geofencectl_are' -a ignition -d 'sets the state of the ignition'
complete -c geofencectl -n '__geofencectl_are' -a driver -d 'who drives, which the log records with every event'
complete -c geofencectl -n '__geofencectl_are' -a route -d 'the line that will be driven, and the hazards on it'
complete -c geofencectl -n '__geofencectl_begin metrics' -l output -d 'replace this file, instead of printing' -r -F
complete -c geofencectl -n '__geofencectl_begin doctor' -l config -d 'settings, as the daemon reads them' -r -F
complete -c geofencectl -n '__geofencectl_begin doctor' -l state-dir -d 'the daemon\'s state directory (/var/lib/geofenced)' -x -a '(__fish_complete_directories)'
complete -c geofencectl -n '__geofencectl_begin doctor' -l measure -d 'the error of a parked vehicle, such as for 1h' -x
complete -c geofencectl -n '__geofencectl_begin doctor' -l status-dir -d 'where geofenced-sync writes: /run/geofenced-sync' -x -a '(__fish_complete_directories)'
complete -c geofencectl -n '__geofencectl_begin list' -l origin -d 'only of bus, file:NAME, or a named origin such as source/depots' -x -a '(__geofencectl_list origins)'
complete -c geofencectl -n '__geofencectl_begin list' -l prefix -d 'only those whose ids begin with it' -x -a '(__geofencectl_list fences)'
complete -c geofencectl -n '__geofencectl_begin show' -a '(__geofencectl_list fences)'
complete -c geofencectl -n '__geofencectl_begin add' -l circle -d 'a circle, degrees and metres' -x
complete -c geofencectl -n '__geofencectl_begin add' -l geojson -d 'any area' -r -F
complete -c geofencectl -n '__geofencectl_begin add' -l beacon -d 'UUID[/MAJOR[/MINOR]], NAMESPACE[/INSTANCE]' -x
complete -c geofencectl -n '__geofencectl_begin add' -l radius -d 'radius of a Point, metres' -x
complete -c geofencectl -n '__geofencectl_begin add' -l width -d 'full width of a LineString, metres' -x
complete -c geofencectl -n '__geofencectl_begin add' -l sightings -d 'for beacons: how many open a stay, 1 to 10' -x
complete -c geofencectl -n '__geofencectl_begin add' -l min-rssi -d 'for beacons: how strong one must be' -x
complete -c geofencectl -n '__geofencectl_begin add' -l companion -d 'for beacons: they travel with the vehicle, as a trailer does'
complete -c geofencectl -n '__geofencectl_begin add' -l group -d 'for companions: only one of a group is inside' -x
complete -c geofencectl -n '__geofencectl_begin add' -l title -d 'its name for people' -x
complete -c geofencectl -n '__geofencectl_begin add' -l description -d 'what it is' -x
complete -c geofencectl -n '__geofencectl_begin add' -l dwell -d 'tell a stay that has lasted this long' -x
complete -c geofencectl -n '__geofencectl_begin add' -l no-entry -d 'do not announce enter and initial'
complete -c geofencectl -n '__geofencectl_begin add' -l no-exit -d 'do not announce exit'
complete -c geofencectl -n '__geofencectl_begin add' -l initial-enter -d 'found inside: say enter instead of initial'
complete -c geofencectl -n '__geofencectl_begin add' -l meta -d 'comes back on every event; JSON, or else text' -x
complete -c geofencectl -n '__geofencectl_begin add' -a '(__geofencectl_list fences)'
complete -c geofencectl -n '__geofencectl_begin remove' -l origin -d 'all of bus, or of a named origin such as source/depots' -x -a '(__geofencectl_list origins)'
complete -c geofencectl -n '__geofencectl_begin remove' -a '(__geofencectl_list fences)'
complete -c geofencectl -n '__geofencectl_begin import' -l radius -d 'radius of points that give none, metres' -x
complete -c geofencectl -n '__geofencectl_begin import' -l width -d 'full width of lines that give none, metres' -x
complete -c geofencectl -n '__geofencectl_begin import' -l id-property -d 'the property or column that is the id' -x
complete -c geofencectl -n '__geofencectl_begin import' -l title-property -d 'the property or column that is the title' -x
complete -c geofencectl -n '__geofencectl_begin import' -l origin -d 'whose fences they are: bus (the default), or a named origin' -x -a '(__geofencectl_list origins)'
complete -c geofencectl -n '__geofencectl_begin import' -l replace -d 'remove fences of this origin that the file does not have'
complete -c geofencectl -n '__geofencectl_begin import' -l allow-empty -d 'take a file without an entry, too'
complete -c geofencectl -n '__geofencectl_begin import' -l dry-run -d 'say what would change, and change nothing'
complete -c geofencectl -n '__geofencectl_begin import' -F
complete -c geofencectl -n '__geofencectl_begin export' -l format -d 'geojson, seq, csv, kml or gpx' -x -a 'geojson seq csv kml gpx'
complete -c geofencectl -n '__geofencectl_begin export' -l origin -d 'only the fences of this set' -x -a '(__geofencectl_list origins)'
complete -c geofencectl -n '__geofencectl_begin events' -l since -d 'only events after this number' -x
complete -c geofencectl -n '__geofencectl_begin events' -l last -d 'only the last N of the log' -x
complete -c geofencectl -n '__geofencectl_begin events' -l follow -d 'wait for more, until interrupted'
complete -c geofencectl -n '__geofencectl_begin events' -l map -d 'a map as one HTML file, which needs nothing else; 0600' -r -F
complete -c geofencectl -n '__geofencectl_begin events' -l format -d 'geojson, gpx or kml instead of lines, for other programs' -x -a 'geojson gpx kml'
complete -c geofencectl -n '__geofencectl_begin events' -l fence -d 'only of this fence' -x -a '(__geofencectl_list fences)'
complete -c geofencectl -n '__geofencectl_begin events' -l kind -d 'only enter, exit, dwell, initial, …' -x -a 'enter exit dwell initial position-lost position-regained advisory urgent clear beacons-lost beacons-regained overspeed overspeed-end no-stop overstay towed position-doubtful position-trusted fences-lost fences-back arriving arriving-over trip position log-lost'
complete -c geofencectl -n '__geofencectl_begin events' -l after -d 'only what happened at this time or after it' -x
complete -c geofencectl -n '__geofencectl_begin events' -l before -d 'only what happened before this time' -x
complete -c geofencectl -n '__geofencectl_begin report' -l since -d 'only what ended at this time or after it' -x
complete -c geofencectl -n '__geofencectl_begin report' -l place -d 'only this fence; trips from it or to it' -x -a '(__geofencectl_list fences)'
complete -c geofencectl -n '__geofencectl_begin report' -l by -d 'sums, by place, day, driver or jurisdiction; or each trip' -x -a 'place day driver jurisdiction trip'
complete -c geofencectl -n '__geofencectl_begin report' -l origin -d 'the set of areas of --by jurisdiction' -x -a '(__geofencectl_list origins)'
complete -c geofencectl -n '__geofencectl_begin report' -l format -d 'table, csv, json or html' -x -a 'table csv json html'
complete -c geofencectl -n '__geofencectl_begin watch' -l ascii -d 'nothing beyond ASCII, as where the locale is not UTF-8'
complete -c geofencectl -n '__geofencectl_begin replay' -l fences -d 'fences; a file with a bad entry fails whole' -r -F
complete -c geofencectl -n '__geofencectl_begin replay' -l radius -d 'radius of points that give none, metres' -x
complete -c geofencectl -n '__geofencectl_begin replay' -l width -d 'full width of lines that give none, metres' -x
complete -c geofencectl -n '__geofencectl_begin replay' -l id-property -d 'the property or column that is the id' -x
complete -c geofencectl -n '__geofencectl_begin replay' -l title-property -d 'the property or column that is the title' -x
complete -c geofencectl -n '__geofencectl_begin replay' -l beacons -d 'beacons heard on the drive: lines of JSON with t, address, rssi, data' -r -F
complete -c geofencectl -n '__geofencectl_begin replay' -l can -d 'the vehicle\'s network on the drive, as candump -L writes it' -r -F
complete -c geofencectl -n '__geofencectl_begin replay' -l window -d 'regions watched at once, the metafence included (20)' -x
complete -c geofencectl -n '__geofencectl_begin replay' -l vehicle-height -d 'height of the vehicle, for low bridges (4.20)' -x
complete -c geofencectl -n '__geofencectl_begin replay' -l parked -d 'the ignition is off all the time: reports towing'
complete -c geofencectl -n '__geofencectl_begin replay' -l config -d 'settings, as the daemon reads them' -r -F
complete -c geofencectl -n '__geofencectl_begin replay' -l set -d 'one setting, such as Crossing.SettleSec=20s' -x -a 'Fix. Crossing. Window. Vehicle.'
complete -c geofencectl -n '__geofencectl_begin replay' -l fixes -d 'with --json: also each fix, and why it did not count'
complete -c geofencectl -n '__geofencectl_begin replay' -l plot -d 'the distance to that fence over time, as SVG' -x
complete -c geofencectl -n '__geofencectl_begin replay' -l map -d 'a map as one HTML file, which needs nothing else; 0600' -r -F
complete -c geofencectl -n '__geofencectl_begin replay' -l format -d 'geojson, gpx or kml instead of lines, for other programs' -x -a 'geojson gpx kml'
complete -c geofencectl -n '__geofencectl_begin replay' -l fence -d 'only of this fence' -x -a '(__geofencectl_list fences)'
complete -c geofencectl -n '__geofencectl_begin replay' -l kind -d 'only enter, exit, dwell, initial, …' -x -a 'enter exit dwell initial position-lost position-regained advisory urgent clear beacons-lost beacons-regained overspeed overspeed-end no-stop overstay towed position-doubtful position-trusted fences-lost fences-back arriving arriving-over trip position log-lost'
complete -c geofencectl -n '__geofencectl_begin replay' -l after -d 'only what happened at this time or after it' -x
complete -c geofencectl -n '__geofencectl_begin replay' -l before -d 'only what happened before this time' -x
complete -c geofencectl -n '__geofencectl_begin replay' -F
complete -c geofencectl -n '__geofencectl_begin check' -l radius -d 'radius of points that give none, metres' -x
complete -c geofencectl -n '__geofencectl_begin check' -l width -d 'full width of lines that give none, metres' -x
complete -c geofencectl -n '__geofencectl_begin check' -l id-property -d 'the property or column that is the id' -x
complete -c geofencectl -n '__geofencectl_begin check' -l title-property -d 'the property or column that is the title' -x
complete -c geofencectl -n '__geofencectl_begin check' -F
complete -c geofencectl -n '__geofencectl_begin accept-loss' -l log -d 'the events that the log has lost, and no fences'
complete -c geofencectl -n '__geofencectl_begin accept-loss' -a '(__geofencectl_list origins)'
complete -c geofencectl -n '__geofencectl_begin backup' -l state-dir -d 'the daemon\'s state directory (/var/lib/geofenced)' -x -a '(__fish_complete_directories)'
complete -c geofencectl -n '__geofencectl_begin backup' -a '(__fish_complete_directories)'
complete -c geofencectl -n '__geofencectl_begin restore' -l state-dir -d 'the daemon\'s state directory (/var/lib/geofenced)' -x -a '(__fish_complete_directories)'
complete -c geofencectl -n '__geofencectl_begin restore' -a '(__fish_complete_directories)'
complete -c geofencectl -n '__geofencectl_are consumer' -a 'list remove'
complete -c geofencectl -n '__geofencectl_begin consumer remove' -a '(__geofencectl_list consumers)'
complete -c geofencectl -n '__geofencectl_begin vehicle' -l height -d 'as it travels, load and trailer included' -x
complete -c geofencectl -n '__geofencectl_begin vehicle' -l width -d 'mirrors included' -x
complete -c geofencectl -n '__geofencectl_begin vehicle' -l length -d 'of the whole combination' -x
complete -c geofencectl -n '__geofencectl_begin vehicle' -l weight -d 'of the whole combination' -x
complete -c geofencectl -n '__geofencectl_begin vehicle' -l axle-load -d 'of the heaviest axle' -x
complete -c geofencectl -n '__geofencectl_begin vehicle' -l profile -d 'begin with this profile of geofenced.conf; an empty one is none' -x
complete -c geofencectl -n '__geofencectl_begin vehicle' -l unconfirmed -d 'a program says so: the driver still has to confirm the height'
complete -c geofencectl -n '__geofencectl_are vehicle' -a 'show set confirm'
complete -c geofencectl -n '__geofencectl_begin beacon' -l for -d 'how long the statement holds, such as 8h or 90min' -x
complete -c geofencectl -n '__geofencectl_are beacon' -a 'list here gone auto range status'
complete -c geofencectl -n '__geofencectl_begin beacon here' -a '(__geofencectl_list beacons)'
complete -c geofencectl -n '__geofencectl_begin beacon gone' -a '(__geofencectl_list beacons)'
complete -c geofencectl -n '__geofencectl_begin beacon auto' -a '(__geofencectl_list beacons)'
complete -c geofencectl -n '__geofencectl_begin sync' -l accept -d 'take the set that is held'
complete -c geofencectl -n '__geofencectl_begin sync' -l dry-run -d 'say what would change, and change nothing'
complete -c geofencectl -n '__geofencectl_begin sync' -l status-dir -d 'where geofenced-sync writes: /run/geofenced-sync' -x -a '(__fish_complete_directories)'
complete -c geofencectl -n '__geofencectl_are sync' -a 'pause (__geofencectl_list sources)'
complete -c geofencectl -n '__geofencectl_begin sync pause' -a '(__geofencectl_list sources)'
complete -c geofencectl -n '__geofencectl_begin map' -l port -d 'which port, instead of any that is free' -x
complete -c geofencectl -n '__geofencectl_begin ignition' -a 'on off'
complete -c geofencectl -n '__geofencectl_are driver' -a 'show set clear forget'
complete -c geofencectl -n '__geofencectl_begin route' -l name -d 'what it is called; otherwise it has no name' -x
complete -c geofencectl -n '__geofencectl_begin route' -l keep -d 'go on with it after the next start of the machine'
complete -c geofencectl -n '__geofencectl_are route' -a 'show set clear'
complete -c geofencectl -n '__geofencectl_begin route set' -F
