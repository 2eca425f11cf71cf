// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by .ci/check-languages --write, from po/geofenced.pot.

extension Translation {
    static let english = Translation(
        texts: """
        .
        {n} m
        {n} km
        {n} miles
        {n} yards
        {n} ft
        {n} t
        {n} US tons
        in {distance}
        {n} tonnes
        {n} tons
        in {n} kilometres
        in {n} miles
        Low bridge {limit}
        Narrow place {limit}
        Length limit {limit}
        Weight limit {limit}
        Axle load limit {limit}
        Low bridge, clearance unknown
        Narrow place, width unknown
        Length limit, unknown
        Weight limit, unknown
        Axle load limit, unknown
        {hazard} {within}.
        {hazard}, {within}.
        {hazard} here.
        {hazard} is no longer ahead.
        No way out before it.
        Last way out {within}
        Last way out {within}, left
        Last way out {within}, right
        Last way out {within}, straight ahead
        Last way out {within}, sharply back
        {way}, {road}
        You are {value} tall.
        You are {value} wide.
        You are {value} long.
        You weigh {value}.
        Your axle load is {value}.
        Your height is not set, taken as {value}.
        Applies: {condition}.
        Ahead: {name}.
        {name} is no longer ahead.
        Fences have been lost. Low bridges may not be known.
        There are no warnings of low bridges at present. Watch the signs.
        There are warnings of low bridges again.
        The height of the vehicle is not set. {value} is assumed.
        Please confirm the height of the vehicle: {value}.
        Ahead
        No way out
        This is how an advisory sounds.
        This is how an urgent warning sounds.
        Follow
        Follow the vehicle (F)
        Whole drive
        The whole drive (0)
        Zoom in
        Zoom out
        Night
        Colours for the night (N)
        Lists
        Lists (L)
        Map. Everything on it is in the lists, too.
        Close
        Legend
        inside
        outside
        unknown
        uncertain
        outside, in the window
        not looked at now
        limit that the vehicle breaks, or may break
        limit that it fits
        metafence
        vehicle and its error
        fix that did not count
        Inside now
        Ahead
        Events
        All fences here
        What this page is made of
        here
        position lost
        position known
        no positions
        fix {n} of {total}
        No fence.
        window {n} of {total}
        no way out
        last way out in {distance}
        past the last way out
        {n} of {total}
        No event.
        and {n} more
        Event {n} of fence {id}
        Event {n}
        Fence {id}
        the vehicle fits
        the vehicle does not fit
        not compared with the vehicle: a number is not known
        events: {n}
        Signed distance to the fence over time.
        Beacons
        Limit: height {limit}
        Limit: width {limit}
        Limit: length {limit}
        Limit: weight {limit}
        Limit: axle load {limit}
        Circle of {size}
        Polygon
        Corridor, {size} wide
        last way out
        waiting for the map
        {n} fences here: zoom in to see each of them
        Live from geofenced {version}. The way is kept in this page for 15 minutes and nowhere else.
        The map is drawn with Leaflet, BSD licence.
        {span} ago
        the map does not answer
        geofenced is not running
        geofenced has not been running since {time}
        geofenced was stopped, {time}
        geofenced does not answer
        parked, the receiver rests
        no fix
        degraded: {list}
        needs the address that geofencectl map has shown
        the map has ended
        no connection to the map
        after {span}
        Entered {name}
        Left {name}
        Stayed in {name}
        Found inside {name}
        Position lost
        Position regained
        Ahead: {name}
        Urgent: {name}
        No longer ahead: {name}
        Beacons lost
        Beacons regained
        Too fast in {name}
        No longer too fast in {name}
        Did not stop in {name}
        Too long in {name}
        Soon at {name}
        No longer on the way to {name}
        The trip is over
        Position recorded
        Events are lost
        The vehicle is towed
        Position doubtful
        Position trusted again
        Fences are lost
        No fences are missed any more
        {n} km/h
        {n} mph
        Too fast. The limit is {speed}.
        This is how other messages sound.
        {n} s
        {n} min
        {n} h
        Previous event (K)
        Next event (J)
        Time of the drive
        Fleet
        Now
        Map
        Day
        Views
        Vehicle, driver or place
        Vehicles: {n} · heard: {heard}
        Inside now
        Vehicles: {n} · places: {places}
        Inside: {n}
        free: {span}
        since {time}
        {span} over
        {span} left
        no driver
        Needs a look
        Nothing needs a look.
        Blind: fences are lost
        Blind: no positions
        Blind: geofenced does not run
        Blind: geofenced was stopped
        Height not set
        Position doubtful
        Silent
        Not connected
        Behind: events wait on the vehicle
        Events are missing
        Inside without a driver
        Degraded
        In more places than are shown
        all {n}
        {n} more places
        Nobody is inside anywhere.
        Nothing is found.
        No connection since {time}
        You may not see this fleet.
        The database does not answer.
        Too much is asked at once right now.
        That is too much for one answer.
        Every line is an event of a vehicle’s own log. Times are of this browser.
        not seen by a fix
        by place
        by vehicle
        by driver
        Total
        Stays: {n} · together: {span}
        still there
        Day before
        Day after
        Print
        Only the first {n} are shown; CSV has all of them.
        There are too many stays for a file: look for a vehicle, driver or place.
        No stays on this day.
        What the vehicle has logged
        received {time}
        inferred
        One moment …
        {n} d
        Whole fleet
        Map: arrow keys move it, + and − zoom
        Not at a place
        On the way: last known position
        On the way: no position was sent
        Inside, but the area is not known
        Nothing is known yet of where they are
        Nobody inside
        Places that are not drawn: {n}
        This page needs the whole address, as it was printed.
        no receiver
        events cannot be stored
        fences cannot be read
        stored data may be damaged
        fences have been lost
        the event log has lost its end
        copies of the fences are missing
        some stored data are damaged
        events have been lost
        events are not being fetched
        files of fences are missing
        a file of fences is refused
        no position since the start
        the ignition is not known
        the position is doubtful
        reception is being jammed
        the antenna is faulty
        very many fences here
        too many fences here: some are left out
        the journal does not take events
        the bus does not take events
        the console does not take events
        its memory cannot be stored
        it has crashed several times
        what was set of the vehicle may be lost
        the height of the vehicle is not set
        the height of the vehicle is not confirmed
        beacons are not heard
        certain
        path
        settled
        initial
        restart
        jump
        fence changed
        fence removed
        turned off
        passed
        vehicle changed
        position lost
        sighted
        silent
        coupled
        manual
        schedule
        expired
        late
        inferred
        silent
        """,
        counted: """
        {n} metre|{n} metres
        {n} metre {cm}|{n} metres {cm}
        {n} foot|{n} feet
        {n} foot {inches}|{n} feet {inches}
        {n} tonne|{n} tonnes
        {n} ton|{n} tons
        in {n} metre|in {n} metres
        in {n} kilometre|in {n} kilometres
        in {n} mile|in {n} miles
        in {n} yard|in {n} yards
        in {n} foot|in {n} feet
        And {n} more.|And {n} more.
        {n} kilometre per hour|{n} kilometres per hour
        {n} mile per hour|{n} miles per hour
        """,
        form: { n in n != 1 ? 1 : 0 })
}
