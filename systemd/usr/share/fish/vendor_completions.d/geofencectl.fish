# fish completion for geofencectl(1)
# SPDX-License-Identifier: Apache-2.0

set -l verbs status doctor list show add remove import export window events report watch replay check \
    accept-loss backup restore consumer vehicle beacon sync map ignition

# Ids of the first fences; a catalogue may hold a million.
function __geofencectl_ids
    geofencectl list 2>/dev/null | head -n 500 | cut -f1
end

# Named origins of the first fences.
function __geofencectl_origins
    echo bus
    geofencectl list 2>/dev/null | head -n 500 | cut -f4 | grep / | sort -u
end

complete -c geofencectl -f
complete -c geofencectl -l bus -x -a 'system session' -d 'the bus of the daemon'
complete -c geofencectl -l json -d 'one JSON object per line'
complete -c geofencectl -l help -d 'show help'
complete -c geofencectl -l version -d 'show the version'

set -l none "not __fish_seen_subcommand_from $verbs"
complete -c geofencectl -n $none -a status -d 'how the daemon is doing'
complete -c geofencectl -n $none -a doctor -d 'why nothing happens, step by step'
complete -c geofencectl -n $none -a list -d 'all fences, or those of one origin'
complete -c geofencectl -n $none -a show -d 'one fence, and whether we are inside of it'
complete -c geofencectl -n $none -a add -d 'adds a fence, or replaces the one with that id'
complete -c geofencectl -n $none -a remove -d 'removes fences, or all of one origin'
complete -c geofencectl -n $none -a import -d 'adds the fences of a file, all or none'
complete -c geofencectl -n $none -a export -d 'all fences as a file'
complete -c geofencectl -n $none -a window -d 'the regions monitored now'
complete -c geofencectl -n $none -a events -d 'the event log'
complete -c geofencectl -n $none -a report -d 'the stays at places, from the event log'
complete -c geofencectl -n $none -a watch -d 'a live screen'
complete -c geofencectl -n $none -a replay -d 'what the daemon would say on a recorded drive'
complete -c geofencectl -n $none -a check -d 'is this fence file good?'
complete -c geofencectl -n $none -a accept-loss -d 'stops missing fences that were lost'
complete -c geofencectl -n $none -a backup -d 'a copy of fences, events and numbers'
complete -c geofencectl -n $none -a restore -d 'as a backup has them'
complete -c geofencectl -n $none -a consumer -d 'the programs that are brought every event'
complete -c geofencectl -n $none -a beacon -d 'beacon fences, and the beacons that are near'
complete -c geofencectl -n $none -a vehicle -d 'the height, width and weight of the vehicle'
complete -c geofencectl -n $none -a sync -d 'the sources of fences on the network'
complete -c geofencectl -n $none -a map -d 'the drive that is under way, in a browser of this machine'
complete -c geofencectl -n $none -a ignition -d 'sets the state of the ignition'

set -l seen __fish_seen_subcommand_from
complete -c geofencectl -n "$seen consumer; and not $seen list remove" -a 'list remove'
complete -c geofencectl -n "$seen ignition; and not $seen on off" -a 'on off'
complete -c geofencectl -n "$seen consumer; and $seen remove" \
    -a '(geofencectl consumer list 2>/dev/null | cut -f1)'
complete -c geofencectl -n "$seen beacon; and not $seen list here gone auto range status" \
    -a 'list here gone auto range status'
complete -c geofencectl -n "$seen beacon; and $seen here gone auto" \
    -a '(geofencectl beacon list 2>/dev/null | cut -f1)'
complete -c geofencectl -n "$seen beacon" -l for -x -d 'how long the statement holds, such as 8h'
complete -c geofencectl -n "not $seen consumer; and $seen show remove" -a '(__geofencectl_ids)'
complete -c geofencectl -n "$seen import replay check" -F
complete -c geofencectl -n "$seen backup restore" -x -a '(__fish_complete_directories)'
complete -c geofencectl -n "$seen backup restore doctor" -l state-dir -x -a '(__fish_complete_directories)' \
    -d 'the state directory of the daemon'
complete -c geofencectl -n "$seen import replay check add" -l radius -x -d 'radius in metres'

complete -c geofencectl -n "$seen add" -l circle -x -d 'LAT,LON,RADIUS'
complete -c geofencectl -n "$seen add" -l geojson -r -F -d 'any area'
complete -c geofencectl -n "$seen add" -l beacon -x -d 'UUID/MAJOR/MINOR, or NAMESPACE/INSTANCE'
complete -c geofencectl -n "$seen add" -l sightings -x -d 'for beacons: how many open a stay'
complete -c geofencectl -n "$seen add" -l min-rssi -x -d 'for beacons: how strong one must be, dBm'
complete -c geofencectl -n "$seen add" -l companion -d 'for beacons: they travel with the vehicle'
complete -c geofencectl -n "$seen add" -l group -x -d 'for companions: only one of a group is inside'
complete -c geofencectl -n "$seen add" -l width -x -d 'full width of a LineString'
complete -c geofencectl -n "$seen add" -l title -x -d 'its name for people'
complete -c geofencectl -n "$seen add" -l description -x -d 'what it is'
complete -c geofencectl -n "$seen add" -l dwell -x -d 'tell a stay that has lasted this long'
complete -c geofencectl -n "$seen add" -l no-entry -d 'do not announce enter and initial'
complete -c geofencectl -n "$seen add" -l no-exit -d 'do not announce exit'
complete -c geofencectl -n "$seen add" -l initial-enter -d 'found inside: say enter'
complete -c geofencectl -n "$seen add" -l meta -x -d 'KEY=VALUE, comes back on every event'

complete -c geofencectl -n "$seen import replay check" -l id-property -x -d 'the property that is the id'
complete -c geofencectl -n "$seen map" -l port -x -d 'which port, instead of any that is free'
complete -c geofencectl -n "$seen sync" -l accept -d 'take the set that is held'
complete -c geofencectl -n "$seen sync doctor" -l status-dir -x -a '(__fish_complete_directories)' \
    -d 'where geofenced-sync writes'
complete -c geofencectl -n "$seen sync; and not $seen pause" -a pause -d 'look no more until asked'
complete -c geofencectl -n "$seen sync; and not $seen list" -x -a '(geofencectl sync 2>/dev/null | cut -f1)'
complete -c geofencectl -n "$seen import sync" -l dry-run -d 'say what would change, and change nothing'
complete -c geofencectl -n "$seen list remove import" -l origin -x -a '(__geofencectl_origins)' \
    -d 'whose fences'
complete -c geofencectl -n "$seen import" -l replace -d 'remove fences the file does not have'
complete -c geofencectl -n "$seen export" -l format -x -a 'geojson seq csv' -d format

complete -c geofencectl -n "$seen events" -l since -x -d 'only events after this number'
complete -c geofencectl -n "$seen events" -l last -x -d 'only the last of the log'
complete -c geofencectl -n "$seen events" -l follow -d 'wait for more'
complete -c geofencectl -n "$seen events" -l fence -x -a '(__geofencectl_ids)' -d 'only of this fence'
complete -c geofencectl -n "$seen events replay" -l kind -x -d 'only this kind' \
    -a 'enter exit dwell initial position-lost position-regained advisory urgent clear beacons-lost beacons-regained overspeed overspeed-end no-stop overstay towed position-doubtful position-trusted fences-lost fences-back'
complete -c geofencectl -n "$seen events replay" -l map -r -F -d 'a map as one HTML file'
complete -c geofencectl -n "$seen events replay" -l format -x -a 'geojson gpx kml' \
    -d 'for other programs'
complete -c geofencectl -n "$seen events replay" -l after -x -d 'at this time or after it'
complete -c geofencectl -n "$seen events replay" -l before -x -d 'before this time'

complete -c geofencectl -n "$seen report" -l since -x -d 'stays that ended at this time or after it'
complete -c geofencectl -n "$seen report" -l place -x -a '(__geofencectl_ids)' -d 'only at this fence'

complete -c geofencectl -n "$seen replay" -l fences -r -F -d fences
complete -c geofencectl -n "$seen replay" -l beacons -r -F -d 'beacons heard on the drive'
complete -c geofencectl -n "$seen replay" -l window -x -d 'regions watched at once'
complete -c geofencectl -n "$seen replay" -l parked -d 'the ignition is off all the time'
complete -c geofencectl -n "$seen replay" -l vehicle-height -x \
    -d 'height of the vehicle, trailer and load included'
complete -c geofencectl -n "$seen replay" -l fence -x -d 'only of this fence'
complete -c geofencectl -n "$seen replay doctor" -l config -r -F -d 'settings, as the daemon reads them'
complete -c geofencectl -n "$seen doctor" -l measure -x -d 'the error of a parked vehicle, such as for 1h'
complete -c geofencectl -n "$seen replay" -l set -x -d 'SECTION.KEY=VALUE'
complete -c geofencectl -n "$seen replay" -l fixes -d 'with --json, each fix too'
complete -c geofencectl -n "$seen replay" -l plot -x -d 'ID=FILE, distance over time as SVG'

complete -c geofencectl -n "$seen vehicle; and not $seen show set confirm" -a 'show set confirm'
complete -c geofencectl -n "$seen vehicle" -l height -x -d 'as it travels, such as 4.2m'
complete -c geofencectl -n "$seen vehicle" -l width -x -d 'mirrors included'
complete -c geofencectl -n "$seen vehicle" -l length -x -d 'of the whole combination'
complete -c geofencectl -n "$seen vehicle" -l weight -x -d 'such as 40t'
complete -c geofencectl -n "$seen vehicle" -l axle-load -x -d 'of the heaviest axle'
complete -c geofencectl -n "$seen vehicle" -l profile -x -d 'begin with this profile'
complete -c geofencectl -n "$seen vehicle" -l unconfirmed -d 'a program says so'
