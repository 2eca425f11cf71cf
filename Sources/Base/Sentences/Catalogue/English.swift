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
        The height of the vehicle is not set. {value} is assumed.
        Please confirm the height of the vehicle: {value}.
        Ahead
        No way out
        This is how an advisory sounds.
        This is how an urgent warning sounds.
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
        """,
        form: { n in n != 1 ? 1 : 0 })
}
