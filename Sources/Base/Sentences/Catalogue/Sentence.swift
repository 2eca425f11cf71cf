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
}
