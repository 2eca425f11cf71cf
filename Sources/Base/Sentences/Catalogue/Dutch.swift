// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by .ci/check-languages --write, from po/nl.po.

extension Translation {
    static let dutch = Translation(
        texts: """
        ,
        {n} m
        {n} km
        {n} mijl
        {n} yard
        {n} voet
        {n} t
        {n} Amerikaanse ton
        over {distance}
        {n} ton
        {n} Amerikaanse ton
        over {n} kilometer
        over {n} mijl
        Lage brug {limit}
        Wegversmalling {limit}
        Lengtebeperking {limit}
        Gewichtsbeperking {limit}
        Aslastbeperking {limit}
        Lage brug, hoogte onbekend
        Wegversmalling, breedte onbekend
        Lengtebeperking, onbekend
        Gewichtsbeperking, onbekend
        Aslastbeperking, onbekend
        {hazard} {within}.
        {hazard}, {within}.
        {hazard} hier.
        {hazard}: niet meer vooruit.
        Geen uitweg meer ervoor.
        Laatste uitweg {within}
        Laatste uitweg {within} links
        Laatste uitweg {within} rechts
        Laatste uitweg {within} rechtdoor
        Laatste uitweg {within} scherp terug
        {way}, {road}
        U bent {value} hoog.
        U bent {value} breed.
        U bent {value} lang.
        U weegt {value}.
        Uw aslast is {value}.
        Uw hoogte is niet ingesteld, aangenomen {value}.
        Geldt: {condition}.
        Vooruit: {name}.
        {name}: niet meer vooruit.
        Bewaakte plaatsen zijn verloren gegaan. Lage bruggen kunnen ontbreken.
        De hoogte van het voertuig is niet ingesteld. Aangenomen wordt {value}.
        Bevestig de hoogte van het voertuig: {value}.
        Vooruit
        Geen uitweg meer
        Zo klinkt een waarschuwing.
        Zo klinkt een dringende waarschuwing.
        """,
        counted: """
        één meter|{n} meter
        één meter {cm}|{n} meter {cm}
        één voet|{n} voet
        één voet {inches}|{n} voet {inches}
        één ton|{n} ton
        één Amerikaanse ton|{n} Amerikaanse ton
        over één meter|over {n} meter
        over één kilometer|over {n} kilometer
        over één mijl|over {n} mijl
        over één yard|over {n} yard
        over één voet|over {n} voet
        En nog één.|En nog {n}.
        """,
        form: { n in n != 1 ? 1 : 0 })
}
