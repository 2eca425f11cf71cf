// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by .ci/check-languages --write, from po/geofenced.pot.

/// A sentence, or a part of one, in English.
package enum Sentence: Int, CaseIterable, Sendable {
    /// “.” – Between whole and tenths, as in 1.5.
    case decimalPoint
    /// “{n} m” – Written: 3.80 m.
    case metres
    /// “{n} km” – Written: 1.2 km.
    case kilometres
    /// “{n} miles” – Written: 0.7 miles.
    case miles
    /// “{n} yards” – Written: 150 yards.
    case yards
    /// “{n} ft” – Written, a distance: 500 ft.
    case feet
    /// “{n} t” – Written: 7.5 t, of 1000 kg.
    case tonnes
    /// “{n} US tons” – Written: 8.2 US tons, of 2000 lb.
    case tons
    /// “in {distance}” – Written: how far ahead something is, as in: Low bridge 3.80 m in 1.2 km.
    case within
    /// “{n} tonnes” – A weight with a decimal: 7.5 tonnes.
    case spokenTonnesTenths
    /// “{n} tons” – The same with a decimal.
    case spokenTonsTenths
    /// “in {n} kilometres” – With a decimal: in 1.2 kilometres.
    case withinKilometresTenths
    /// “in {n} miles” – With a decimal: in 0.7 miles.
    case withinMilesTenths
    /// “Low bridge {limit}” – A limit of height: mostly a bridge, or a tunnel.
    case lowBridge
    /// “Narrow place {limit}” – A limit of width.
    case narrowPlace
    /// “Length limit {limit}”
    case lengthLimit
    /// “Weight limit {limit}”
    case weightLimit
    /// “Axle load limit {limit}”
    case axleLoadLimit
    /// “Low bridge, clearance unknown” – Nobody knows how high.
    case lowBridgeUnknown
    /// “Narrow place, width unknown”
    case narrowPlaceUnknown
    /// “Length limit, unknown”
    case lengthLimitUnknown
    /// “Weight limit, unknown”
    case weightLimitUnknown
    /// “Axle load limit, unknown”
    case axleLoadLimitUnknown
    /// “{hazard} {within}.” – {hazard} is one of those above, {within} how far: Low bridge 3 metres 80 in 300 metres.
    case ahead
    /// “{hazard}, {within}.” – The same of one whose limit is unknown: Low bridge, clearance unknown, in 300 metres.
    case aheadUnknown
    /// “{hazard} here.” – The vehicle is there already.
    case here
    /// “{hazard} is no longer ahead.” – The end of a warning. Written only.
    case passed
    /// “No way out before it.” – The hazard can no longer be avoided by turning off.
    case noWayOut
    /// “Last way out {within}” – The last junction at which the driver can still avoid the hazard. A full stop, or the road, follows.
    case wayOut
    /// “Last way out {within}, left”
    case wayOutLeft
    /// “Last way out {within}, right”
    case wayOutRight
    /// “Last way out {within}, straight ahead” – The way to the hazard turns off; the way out goes straight on.
    case wayOutAhead
    /// “Last way out {within}, sharply back” – The way out is a turn of nearly 180 degrees.
    case wayOutBack
    /// “{way}, {road}” – {way} is one of the five above, {road} the name of the road to turn into. A full stop follows.
    case wayOutRoad
    /// “You are {value} tall.” – Of the vehicle, with its load.
    case yourHeight
    /// “You are {value} wide.”
    case yourWidth
    /// “You are {value} long.”
    case yourLength
    /// “You weigh {value}.”
    case yourWeight
    /// “Your axle load is {value}.”
    case yourAxleLoad
    /// “Your height is not set, taken as {value}.” – Nobody has told the program how high the vehicle is.
    case heightAssumed
    /// “Applies: {condition}.” – When the limit applies, as the data write it: Mo-Fr 07:00-19:00.
    case applies
    /// “Ahead: {name}.” – {name} is a hazard of which nothing else is known.
    case somethingAhead
    /// “{name} is no longer ahead.”
    case somethingPassed
    /// “Fences have been lost. Low bridges may not be known.” – The program has lost places that it was to watch, low bridges perhaps among them.
    case fencesLost
    /// “There are no warnings of low bridges at present. Watch the signs.” – Said once when nothing watches any more: no positions come, or the program is gone. The driver is to look himself.
    case notWatched
    /// “There are warnings of low bridges again.” – The end of the one before, said only after it.
    case watchedAgain
    /// “The height of the vehicle is not set. {value} is assumed.”
    case heightNotSet
    /// “Please confirm the height of the vehicle: {value}.”
    case confirmHeight
    /// “Ahead” – Title of a notification about something that can still be avoided.
    case titleAhead
    /// “No way out” – Title of a notification about something that cannot.
    case titleNoWayOut
    /// “This is how an advisory sounds.” – Of geofenced-alert --try. A warning as it would be said follows.
    case trialAdvisory
    /// “This is how an urgent warning sounds.”
    case trialUrgent
    /// “Follow” – A button of the map: the map moves with the vehicle.
    case pageFollow
    /// “Follow the vehicle (F)” – Keys in brackets stay as they are.
    case pageFollowTitle
    /// “Whole drive” – A button.
    case pageWhole
    /// “The whole drive (0)”
    case pageWholeTitle
    /// “Zoom in”
    case pageNearer
    /// “Zoom out”
    case pageFarther
    /// “Night” – A button: colours for the night.
    case pageNight
    /// “Colours for the night (N)”
    case pageNightTitle
    /// “Lists” – A button.
    case pageLists
    /// “Lists (L)”
    case pageListsTitle
    /// “Map. Everything on it is in the lists, too.” – Read by screen readers.
    case pageMapLabel
    /// “Close” – A button.
    case pageClose
    /// “Legend”
    case pageLegend
    /// “inside” – The vehicle is inside of a fence.
    case pagePresenceInside
    /// “outside”
    case pagePresenceOutside
    /// “unknown” – Whether the vehicle is inside is not known.
    case pagePresenceUnknown
    /// “uncertain”
    case pageUncertain
    /// “outside, in the window” – Of a fence among those that are watched now.
    case pageLegendOutside
    /// “not looked at now” – Of a fence that is too far away to be watched.
    case pageNotLookedAt
    /// “limit that the vehicle breaks, or may break” – A limit of height, say.
    case pageLegendBreaks
    /// “limit that it fits”
    case pageLegendFits
    /// “metafence” – The circle within which the watched fences are enough. Keep the word if there is none.
    case pageMetafence
    /// “vehicle and its error”
    case pageLegendVehicle
    /// “fix that did not count” – A position of the receiver.
    case pageLegendRefused
    /// “Inside now” – Heading: fences that the vehicle is inside of.
    case pageInsideNow
    /// “Ahead” – Heading: what is ahead of the vehicle.
    case pageAheadList
    /// “Events” – Heading.
    case pageEvents
    /// “All fences here” – Heading: a fence is a place that is watched.
    case pageAllFences
    /// “What this page is made of” – Heading.
    case pageMade
    /// “here” – Instead of a distance.
    case pageHereWord
    /// “position lost”
    case pagePositionLost
    /// “position known”
    case pagePositionKnown
    /// “no positions”
    case pageNoPositions
    /// “fix {n} of {total}” – The number of a position, of all.
    case pageFixOf
    /// “No fence.” – An empty list.
    case pageNoFence
    /// “window {n} of {total}” – How many fences are watched, of all.
    case pageWindowOf
    /// “no way out”
    case pageWayNone
    /// “last way out in {distance}”
    case pageWayIn
    /// “past the last way out”
    case pageWayPast
    /// “{n} of {total}”
    case pageCountOf
    /// “No event.” – An empty list.
    case pageNoEvent
    /// “and {n} more” – Rows that a list does not have.
    case pageAndMore
    /// “Event {n} of fence {id}”
    case pageEventOfFence
    /// “Event {n}”
    case pageEventNumber
    /// “Fence {id}”
    case pageFenceId
    /// “the vehicle fits”
    case pageFitFits
    /// “the vehicle does not fit”
    case pageFitBreaks
    /// “not compared with the vehicle: a number is not known”
    case pageFitUnknown
    /// “events: {n}”
    case pageEventCount
    /// “Signed distance to the fence over time.” – Read by screen readers.
    case pagePlot
    /// “Beacons” – Radio beacons, by which a trailer is known.
    case pageBeacons
    /// “Limit: height {limit}”
    case pageLimitHeight
    /// “Limit: width {limit}”
    case pageLimitWidth
    /// “Limit: length {limit}”
    case pageLimitLength
    /// “Limit: weight {limit}”
    case pageLimitWeight
    /// “Limit: axle load {limit}”
    case pageLimitAxleLoad
    /// “Circle of {size}” – The shape of a fence.
    case pageCircle
    /// “Polygon”
    case pagePolygon
    /// “Corridor, {size} wide”
    case pageCorridor
    /// “last way out” – On the map, at a junction.
    case pageWayOutLabel
    /// “waiting for the map”
    case pageWaiting
    /// “{n} fences here: zoom in to see each of them”
    case pageZoomIn
    /// “Live from geofenced {version}. The way is kept in this page for 15 minutes and nowhere else.”
    case pageLiveFrom
    /// “The map is drawn with Leaflet, BSD licence.”
    case pageLeaflet
    /// “{span} ago” – {span} is 5 s, or 1 min 20 s.
    case pageAgo
    /// “the map does not answer”
    case pageMapSilent
    /// “geofenced is not running”
    case pageDaemonAbsent
    /// “geofenced has not been running since {time}” – It has failed; nobody stopped it.
    case pageDaemonGone
    /// “geofenced was stopped, {time}” – By a person.
    case pageDaemonStopped
    /// “geofenced does not answer”
    case pageDaemonSilent
    /// “parked, the receiver rests” – The receiver sleeps while the vehicle is parked.
    case pageResting
    /// “no fix” – No position comes.
    case pageNoFix
    /// “degraded: {list}” – {list} is of English words.
    case pageDegraded
    /// “needs the address that geofencectl map has shown” – geofencectl map is a command.
    case pageNeedsAddress
    /// “the map has ended”
    case pageMapEnded
    /// “no connection to the map”
    case pageNoConnection
    /// “after {span}” – How long a stay lasted.
    case pageAfter
    /// “Entered {name}” – {name} is that of a fence.
    case kindEnter
    /// “Left {name}”
    case kindExit
    /// “Stayed in {name}”
    case kindDwell
    /// “Found inside {name}” – The vehicle was inside when the program began.
    case kindInitial
    /// “Position lost”
    case kindPositionLost
    /// “Position regained”
    case kindPositionRegained
    /// “Ahead: {name}”
    case kindAdvisory
    /// “Urgent: {name}”
    case kindUrgent
    /// “No longer ahead: {name}”
    case kindClear
    /// “Beacons lost”
    case kindBeaconsLost
    /// “Beacons regained”
    case kindBeaconsRegained
    /// “Too fast in {name}”
    case kindOverspeed
    /// “No longer too fast in {name}”
    case kindOverspeedEnd
    /// “Did not stop in {name}”
    case kindNoStop
    /// “Too long in {name}”
    case kindOverstay
    /// “Soon at {name}”
    case kindArriving
    /// “No longer on the way to {name}”
    case kindArrivingOver
    /// “The trip is over”
    case kindTrip
    /// “Position recorded”
    case kindPosition
    /// “Events are lost”
    case kindLogLost
    /// “The vehicle is towed”
    case kindTowed
    /// “Position doubtful”
    case kindPositionDoubtful
    /// “Position trusted again”
    case kindPositionTrusted
    /// “Fences are lost”
    case kindFencesLost
    /// “No fences are missed any more”
    case kindFencesBack
    /// “{n} km/h” – A speed, written.
    case kmh
    /// “{n} mph” – A speed, written.
    case mph
    /// “Too fast. The limit is {speed}.” – Faster than a fence allows. {speed} is one of those above.
    case tooFast
    /// “This is how other messages sound.” – Of geofenced-alert --try, of what is no warning of a hazard.
    case trialNotice
    /// “{n} s” – A span of time, written.
    case pageSeconds
    /// “{n} min”
    case pageMinutes
    /// “{n} h”
    case pageHours
    /// “Previous event (K)” – Keys in brackets stay as they are.
    case pagePrevious
    /// “Next event (J)”
    case pageNext
    /// “Time of the drive” – Read by screen readers: a bar along which one goes through the drive.
    case pageTime
    /// “Fleet”
    case boardTitle
    /// “Now” – A view of the page.
    case boardNow
    /// “Map” – A view of the page.
    case boardMap
    /// “Day” – A view of the page.
    case boardDay
    /// “Views” – Read by screen readers: the list of views.
    case boardViews
    /// “Vehicle, driver or place” – In the field of the search.
    case boardSearch
    /// “Vehicles: {n} · heard: {heard}” – Heard: those that have sent something lately.
    case boardHeard
    /// “Inside now”
    case boardInsideNow
    /// “Vehicles: {n} · places: {places}”
    case boardAt
    /// “Inside: {n}”
    case boardInside
    /// “free: {span}” – How long a stay is free of charge.
    case boardFree
    /// “since {time}”
    case boardSince
    /// “{span} over” – Beyond the time that is free.
    case boardOver
    /// “{span} left” – Of the time that is free.
    case boardLeft
    /// “no driver”
    case boardNoDriver
    /// “Needs a look”
    case boardNeedsLook
    /// “Nothing needs a look.”
    case boardFine
    /// “Blind: fences are lost” – Fences that the vehicle should watch are not there.
    case boardBlind
    /// “Blind: no positions” – No positions come from the receiver.
    case boardNoReception
    /// “Blind: geofenced does not run” – The program of a vehicle does not run; its connection to the office does. Before vehicles.
    case boardNoDaemon
    /// “Blind: geofenced was stopped” – Somebody has stopped the program of a vehicle. Before vehicles.
    case boardStopped
    /// “Height not set”
    case boardHeight
    /// “Position doubtful”
    case boardDoubtful
    /// “Silent”
    case boardSilent
    /// “Not connected”
    case boardOffline
    /// “Behind: events wait on the vehicle”
    case boardBehind
    /// “Events are missing”
    case boardMissing
    /// “Inside without a driver”
    case boardDriverless
    /// “Degraded” – Something else is wrong in the vehicle.
    case boardDegraded
    /// “In more places than are shown” – Before vehicles, each with a number of places: only its newest ones are shown.
    case boardLeftOut
    /// “all {n}”
    case boardAll
    /// “{n} more places”
    case boardMore
    /// “Nobody is inside anywhere.”
    case boardNobody
    /// “Nothing is found.”
    case boardNotFound
    /// “No connection since {time}”
    case boardNoConnection
    /// “You may not see this fleet.”
    case boardRefused
    /// “The database does not answer.”
    case boardNoDatabase
    /// “Too much is asked at once right now.”
    case boardBusy
    /// “That is too much for one answer.”
    case boardTooMuch
    /// “Every line is an event of a vehicle’s own log. Times are of this browser.” – At the foot of the page.
    case boardTimes
    /// “not seen by a fix” – What ≈ before a time means.
    case boardUnseen
    /// “by place”
    case boardByPlace
    /// “by vehicle”
    case boardByVehicle
    /// “by driver”
    case boardByDriver
    /// “Total” – Above a column.
    case boardTotal
    /// “Stays: {n} · together: {span}”
    case boardStays
    /// “still there”
    case boardStillThere
    /// “Day before”
    case boardPreviousDay
    /// “Day after”
    case boardNextDay
    /// “Print”
    case boardPrint
    /// “Only the first {n} are shown; CSV has all of them.” – CSV is the name of a format.
    case boardFirst
    /// “There are too many stays for a file: look for a vehicle, driver or place.” – Instead of a CSV file.
    case boardFileTooLong
    /// “No stays on this day.”
    case boardNoStays
    /// “What the vehicle has logged” – Above the events of one stay.
    case boardEvidence
    /// “received {time}” – When the office got it.
    case boardReceived
    /// “inferred” – Concluded, without having been seen.
    case boardInferred
    /// “One moment …”
    case boardLoading
    /// “{n} d” – A span of time, written.
    case boardDays
    /// “Whole fleet” – A button: the map shows all of it.
    case boardWholeFleet
    /// “Map: arrow keys move it, + and − zoom” – Read by screen readers.
    case boardMapKeys
    /// “Not at a place” – Above the vehicles that are at no place.
    case boardNotInside
    /// “On the way: last known position” – Of vehicles in the map.
    case boardOnWay
    /// “On the way: no position was sent” – Of vehicles that are not in the map.
    case boardNoPosition
    /// “Inside, but the area is not known” – Of vehicles that are not in the map.
    case boardNoArea
    /// “Nothing is known yet of where they are” – Of vehicles that are not in the map.
    case boardNothingKnown
    /// “Nobody inside” – Of a place in the map.
    case boardEmptyPlace
    /// “Places that are not drawn: {n}” – Of places in the map.
    case boardNotDrawn
    /// “This page needs the whole address, as it was printed.” – The page was opened without a part of its address.
    case boardNeedsAddress
    /// “no receiver” – What is wrong in the vehicle, after "degraded: "; so are those that begin with trouble.
    case pageTroubleSource
    /// “events cannot be stored”
    case pageTroubleStoreUnwritable
    /// “fences cannot be read”
    case pageTroubleStoreUnreadable
    /// “stored data may be damaged”
    case pageTroubleStoreSuspect
    /// “fences have been lost”
    case pageTroubleFencesLost
    /// “the event log has lost its end”
    case pageTroubleLogLost
    /// “copies of the fences are missing”
    case pageTroubleCopiesMissing
    /// “some stored data are damaged”
    case pageTroubleUnreadableRecords
    /// “the time zone of fences is unknown”
    case pageTroubleTimezoneUnknown
    /// “events have been lost”
    case pageTroubleEventsLost
    /// “events are not being fetched”
    case pageTroubleConsumerBehind
    /// “files of fences are missing”
    case pageTroubleFenceFiles
    /// “a file of fences is refused”
    case pageTroubleFenceFileRefused
    /// “no position since the start”
    case pageTroubleNoFix
    /// “the ignition is not known”
    case pageTroubleIgnition
    /// “the position is doubtful”
    case pageTroublePositionDoubtful
    /// “reception is being jammed”
    case pageTroubleJammed
    /// “the antenna is faulty”
    case pageTroubleAntenna
    /// “the receiver gives no time”
    case pageTroubleNoReceiverTime
    /// “very many fences here”
    case pageTroubleWindowGrew
    /// “too many fences here: some are left out”
    case pageTroubleWindowFull
    /// “the journal does not take events”
    case pageTroubleJournal
    /// “the bus does not take events” – The D-Bus of the machine.
    case pageTroubleBus
    /// “the console does not take events”
    case pageTroubleConsole
    /// “its memory cannot be stored”
    case pageTroubleMemory
    /// “it has crashed several times”
    case pageTroubleCrashLoop
    /// “what was set of the vehicle may be lost”
    case pageTroubleVehicleFile
    /// “the height of the vehicle is not set”
    case pageTroubleVehicleUnset
    /// “the height of the vehicle is not confirmed”
    case pageTroubleHeightNotConfirmed
    /// “beacons are not heard”
    case pageTroubleBeacons
    /// “certain” – Why an event was told; so are those that begin with reason. The fix alone says it.
    case pageReasonCertain
    /// “path” – The line between two fixes says it.
    case pageReasonPath
    /// “settled” – Many fixes agree.
    case pageReasonSettled
    /// “initial” – Found so at the first fix.
    case pageReasonInitial
    /// “restart”
    case pageReasonRestart
    /// “jump” – Of the position.
    case pageReasonJump
    /// “fence changed”
    case pageReasonFenceChanged
    /// “fence removed”
    case pageReasonFenceRemoved
    /// “turned off” – The vehicle has taken another road.
    case pageReasonTurnedOff
    /// “passed”
    case pageReasonPassed
    /// “vehicle changed”
    case pageReasonVehicleChanged
    /// “position lost”
    case pageReasonPositionLost
    /// “sighted” – Of a radio beacon.
    case pageReasonSighted
    /// “silent” – Of a radio beacon.
    case pageReasonSilent
    /// “coupled” – A trailer.
    case pageReasonCoupled
    /// “manual”
    case pageReasonManual
    /// “schedule” – The hours of the fence began or ended.
    case pageReasonSchedule
    /// “expired”
    case pageReasonExpired
    /// “late” – Learnt later.
    case pageReasonLate
    /// “inferred” – No fix lies between.
    case pageInferred
    /// “silent” – The fence asks for silence.
    case pageSilent
}

/// One that depends on a whole number, `{n}`.
package enum Counted: Int, CaseIterable, Sendable {
    /// “{n} metres” – A height, width or length of whole metres.
    case spokenMetres
    /// “{n} metres {cm}” – The same with centimetres, always two digits: 3 metres 80, 4 metres 05.
    case spokenMetresCentimetres
    /// “{n} feet” – A height, width or length of whole feet.
    case spokenFeet
    /// “{n} feet {inches}” – The same with inches: 13 feet 6.
    case spokenFeetInches
    /// “{n} tonnes” – A weight.
    case spokenTonnes
    /// “{n} tons” – A weight in US tons.
    case spokenTons
    /// “in {n} metres” – How far ahead something is, as in: Low bridge 3 metres 80 in 300 metres.
    case withinMetres
    /// “in {n} kilometres”
    case withinKilometres
    /// “in {n} miles”
    case withinMiles
    /// “in {n} yards”
    case withinYards
    /// “in {n} feet”
    case withinFeet
    /// “And {n} more.” – Behind a warning: as many other hazards were announced with it.
    case more
    /// “{n} kilometres per hour” – A speed, spoken. It stands in the nominative: the limit is 80 kilometres per hour.
    case spokenKmh
    /// “{n} miles per hour” – A speed, spoken.
    case spokenMph
}
