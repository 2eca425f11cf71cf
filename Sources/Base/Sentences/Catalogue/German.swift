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
        Vor niedrigen Brücken wird zurzeit nicht gewarnt. Achten Sie auf die Schilder.
        Vor niedrigen Brücken wird wieder gewarnt.
        Die Höhe des Fahrzeugs ist nicht eingestellt. Angenommen wird {value}.
        Bitte bestätigen Sie die Höhe des Fahrzeugs: {value}.
        Voraus
        Kein Ausweg mehr
        So klingt ein Hinweis.
        So klingt eine dringende Warnung.
        Folgen
        Dem Fahrzeug folgen (F)
        Ganze Fahrt
        Die ganze Fahrt (0)
        Vergrößern
        Verkleinern
        Nacht
        Farben für die Nacht (N)
        Listen
        Listen (L)
        Karte. Alles darauf steht auch in den Listen.
        Schließen
        Legende
        innen
        außen
        unbekannt
        unsicher
        außen, im Fenster
        zurzeit nicht beobachtet
        Grenze, die das Fahrzeug verletzt oder verletzen kann
        Grenze, die es einhält
        Metafence
        Fahrzeug und sein Fehler
        Position, die nicht zählt
        Jetzt innen
        Voraus
        Ereignisse
        Alle Zäune hier
        Woraus diese Seite besteht
        hier
        Position verloren
        Position bekannt
        keine Positionen
        Position {n} von {total}
        Kein Zaun.
        Fenster {n} von {total}
        kein Ausweg
        letzter Ausweg in {distance}
        letzter Ausweg vorbei
        {n} von {total}
        Kein Ereignis.
        und {n} weitere
        Ereignis {n} von Zaun {id}
        Ereignis {n}
        Zaun {id}
        das Fahrzeug passt
        das Fahrzeug passt nicht
        nicht mit dem Fahrzeug verglichen: eine Zahl ist nicht bekannt
        Ereignisse: {n}
        Abstand zum Zaun über die Zeit, mit Vorzeichen.
        Funkbaken
        Grenze: Höhe {limit}
        Grenze: Breite {limit}
        Grenze: Länge {limit}
        Grenze: Gewicht {limit}
        Grenze: Achslast {limit}
        Kreis von {size}
        Vieleck
        Korridor, {size} breit
        letzter Ausweg
        wartet auf die Karte
        {n} Zäune hier: zum Ansehen vergrößern
        Live von geofenced {version}. Der Weg bleibt 15 Minuten in dieser Seite und nirgends sonst.
        Die Karte zeichnet Leaflet, BSD-Lizenz.
        vor {span}
        die Karte antwortet nicht
        geofenced läuft nicht
        geofenced läuft nicht seit {time}
        geofenced wurde angehalten, {time}
        geofenced antwortet nicht
        geparkt, der Empfänger ruht
        keine Position
        eingeschränkt: {list}
        braucht die Adresse, die geofencectl map gezeigt hat
        die Karte wurde beendet
        keine Verbindung zur Karte
        nach {span}
        Eingefahren: {name}
        Verlassen: {name}
        Aufgehalten in: {name}
        Schon innen: {name}
        Position verloren
        Position wieder da
        Voraus: {name}
        Dringend: {name}
        Nicht mehr voraus: {name}
        Funkbaken verloren
        Funkbaken wieder da
        Zu schnell: {name}
        Nicht mehr zu schnell: {name}
        Nicht gehalten: {name}
        Zu lange: {name}
        Gleich da: {name}
        Nicht mehr dorthin: {name}
        Die Fahrt ist zu Ende
        Position aufgezeichnet
        Ereignisse sind verloren
        Das Fahrzeug wird abgeschleppt
        Position zweifelhaft
        Position wieder glaubhaft
        Zäune sind verloren
        Kein Zaun fehlt mehr
        {n} km/h
        {n} mph
        Zu schnell. Erlaubt sind {speed}.
        So klingen andere Meldungen.
        {n} s
        {n} min
        {n} h
        Voriges Ereignis (K)
        Nächstes Ereignis (J)
        Zeit der Fahrt
        Flotte
        Jetzt
        Karte
        Tag
        Ansichten
        Fahrzeug, Fahrer oder Ort
        Fahrzeuge: {n} · gehört: {heard}
        Jetzt dort
        Fahrzeuge: {n} · Orte: {places}
        Dort: {n}
        frei: {span}
        seit {time}
        {span} darüber
        noch {span}
        kein Fahrer
        Bitte ansehen
        Alles in Ordnung.
        Blind: Zonen fehlen
        Blind: keine Positionen
        Blind: geofenced läuft nicht
        Blind: geofenced wurde angehalten
        Höhe nicht eingestellt
        Position zweifelhaft
        Stumm
        Nicht verbunden
        Im Rückstand: Ereignisse warten im Fahrzeug
        Ereignisse fehlen
        Dort ohne Fahrer
        Eingeschränkt
        An mehr Orten, als zu sehen sind
        alle {n}
        {n} weitere Orte
        Niemand ist an einem Ort.
        Nichts gefunden.
        Keine Verbindung seit {time}
        Sie dürfen diese Flotte nicht sehen.
        Die Datenbank antwortet nicht.
        Gerade wird zu viel auf einmal gefragt.
        Das ist zu viel für eine Antwort.
        Jede Zeile ist ein Ereignis aus dem Protokoll des Fahrzeugs. Die Zeiten sind die dieses Browsers.
        von keiner Position gesehen
        nach Ort
        nach Fahrzeug
        nach Fahrer
        Summe
        Aufenthalte: {n} · zusammen: {span}
        noch dort
        Tag davor
        Tag danach
        Drucken
        Nur die ersten {n} sind zu sehen; CSV hat alle.
        Für eine Datei sind es zu viele Aufenthalte: ein Fahrzeug, einen Fahrer oder einen Ort suchen.
        Keine Aufenthalte an diesem Tag.
        Was das Fahrzeug aufgezeichnet hat
        empfangen {time}
        gefolgert
        Einen Moment …
        {n} d
        Ganze Flotte
        Karte: Pfeiltasten bewegen sie, + und − ändern den Maßstab
        An keinem Ort
        Unterwegs: letzte bekannte Position
        Unterwegs: keine Position gesendet
        Dort, doch die Fläche ist nicht bekannt
        Noch ist nicht bekannt, wo sie sind
        Niemand dort
        Weitere Orte, die nicht gezeichnet sind: {n}
        Diese Seite braucht die ganze Adresse, wie sie ausgegeben wurde.
        kein Empfänger
        Ereignisse können nicht gespeichert werden
        Zonen können nicht gelesen werden
        gespeicherte Daten sind vielleicht beschädigt
        Zonen sind verloren gegangen
        das Ereignisprotokoll hat sein Ende verloren
        Kopien der Zonen fehlen
        einige gespeicherte Daten sind beschädigt
        Ereignisse sind verloren gegangen
        Ereignisse werden nicht abgeholt
        Dateien mit Zonen fehlen
        eine Datei mit Zonen wird abgelehnt
        seit dem Start keine Position
        die Zündung ist nicht bekannt
        die Position ist zweifelhaft
        der Empfang wird gestört
        die Antenne ist gestört
        sehr viele Zonen hier
        zu viele Zonen hier: manche fehlen
        das Journal nimmt keine Ereignisse an
        der Bus nimmt keine Ereignisse an
        die Konsole nimmt keine Ereignisse an
        der Zustand kann nicht gespeichert werden
        mehrmals abgestürzt
        Angaben zum Fahrzeug können verloren gehen
        die Fahrzeughöhe ist nicht eingestellt
        die Fahrzeughöhe ist nicht bestätigt
        Funkbaken werden nicht gehört
        sicher
        durch den Weg
        beständig
        zu Beginn
        nach einem Neustart
        nach einem Sprung
        die Zone wurde geändert
        die Zone wurde entfernt
        abgebogen
        vorbei
        das Fahrzeug wurde geändert
        Position verloren
        gehört
        verstummt
        angekuppelt
        von Hand
        nach ihren Zeiten
        die Zone ist abgelaufen
        spät erfahren
        erschlossen
        ohne Ansage
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
        ein Kilometer pro Stunde|{n} Kilometer pro Stunde
        eine Meile pro Stunde|{n} Meilen pro Stunde
        """,
        form: { n in n != 1 ? 1 : 0 })
}
