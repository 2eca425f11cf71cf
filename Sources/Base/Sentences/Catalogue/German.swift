// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by .ci/check-languages --write, from po/de.po.

extension Translation {
    static let german = Translation(
        texts: """
        ,
        {n} m
        {n} km
        {n} Meilen
        {n} Yards
        {n} Fuß
        {n} t
        {n} US-Tonnen
        in {distance}
        {n} Tonnen
        {n} US-Tonnen
        in {n} Kilometern
        in {n} Meilen
        Niedrige Brücke {limit}
        Engstelle {limit}
        Längenbeschränkung {limit}
        Gewichtsbeschränkung {limit}
        Achslastbeschränkung {limit}
        Niedrige Brücke, Höhe unbekannt
        Engstelle, Breite unbekannt
        Längenbeschränkung, unbekannt
        Gewichtsbeschränkung, unbekannt
        Achslastbeschränkung, unbekannt
        {hazard} {within}.
        {hazard}, {within}.
        {hazard} hier.
        {hazard}: nicht mehr voraus.
        Kein Ausweg mehr davor.
        Letzter Ausweg {within}
        Letzter Ausweg {within} links
        Letzter Ausweg {within} rechts
        Letzter Ausweg {within} geradeaus
        Letzter Ausweg {within} scharf zurück
        {way}, {road}
        Sie sind {value} hoch.
        Sie sind {value} breit.
        Sie sind {value} lang.
        Sie wiegen {value}.
        Ihre Achslast ist {value}.
        Ihre Höhe ist nicht eingestellt, angenommen {value}.
        Gilt: {condition}.
        Voraus: {name}.
        {name}: nicht mehr voraus.
        Überwachte Orte sind verloren gegangen. Niedrige Brücken sind vielleicht nicht bekannt.
        Die Höhe des Fahrzeugs ist nicht eingestellt. Angenommen wird {value}.
        Bitte bestätigen Sie die Höhe des Fahrzeugs: {value}.
        Voraus
        Kein Ausweg mehr
        So klingt ein Hinweis.
        So klingt eine dringende Warnung.
        """,
        counted: """
        ein Meter|{n} Meter
        ein Meter {cm}|{n} Meter {cm}
        ein Fuß|{n} Fuß
        ein Fuß {inches}|{n} Fuß {inches}
        eine Tonne|{n} Tonnen
        eine US-Tonne|{n} US-Tonnen
        in einem Meter|in {n} Metern
        in einem Kilometer|in {n} Kilometern
        in einer Meile|in {n} Meilen
        in einem Yard|in {n} Yards
        in einem Fuß|in {n} Fuß
        Und ein weiteres Hindernis.|Und {n} weitere.
        """,
        form: { n in n != 1 ? 1 : 0 })
}
