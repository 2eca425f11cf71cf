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
        Er wordt nu niet gewaarschuwd voor lage bruggen. Let op de borden.
        Er wordt weer gewaarschuwd voor lage bruggen.
        De hoogte van het voertuig is niet ingesteld. Aangenomen wordt {value}.
        Bevestig de hoogte van het voertuig: {value}.
        Vooruit
        Geen uitweg meer
        Zo klinkt een waarschuwing.
        Zo klinkt een dringende waarschuwing.
        Volgen
        Het voertuig volgen (F)
        Hele rit
        De hele rit (0)
        Inzoomen
        Uitzoomen
        Nacht
        Kleuren voor de nacht (N)
        Lijsten
        Lijsten (L)
        Kaart. Alles daarop staat ook in de lijsten.
        Sluiten
        Legenda
        binnen
        buiten
        onbekend
        onzeker
        buiten, in het venster
        nu niet bewaakt
        limiet die het voertuig overschrijdt, of kan overschrijden
        limiet waaraan het voldoet
        metazone
        voertuig en zijn fout
        positie die niet telde
        Nu binnen
        Vooruit
        Gebeurtenissen
        Alle zones hier
        Waaruit deze pagina bestaat
        hier
        positie verloren
        positie bekend
        geen posities
        positie {n} van {total}
        Geen zone.
        venster {n} van {total}
        geen uitweg
        laatste uitweg over {distance}
        laatste uitweg voorbij
        {n} van {total}
        Geen gebeurtenis.
        en nog {n}
        Gebeurtenis {n} van zone {id}
        Gebeurtenis {n}
        Zone {id}
        het voertuig past
        het voertuig past niet
        niet vergeleken met het voertuig: een waarde is onbekend
        gebeurtenissen: {n}
        Afstand tot de zone in de tijd, met teken.
        Bakens
        Limiet: hoogte {limit}
        Limiet: breedte {limit}
        Limiet: lengte {limit}
        Limiet: gewicht {limit}
        Limiet: aslast {limit}
        Cirkel van {size}
        Veelhoek
        Corridor, {size} breed
        laatste uitweg
        wacht op de kaart
        {n} zones hier: zoom in om ze te zien
        Live van geofenced {version}. De weg blijft 15 minuten in deze pagina en nergens anders.
        De kaart is getekend met Leaflet, BSD-licentie.
        {span} geleden
        de kaart antwoordt niet
        geofenced draait niet
        geofenced draait niet sinds {time}
        geofenced is gestopt, {time}
        geofenced antwoordt niet
        geparkeerd, de ontvanger rust
        geen positie
        beperkt: {list}
        heeft het adres nodig dat geofencectl map toonde
        de kaart is beëindigd
        geen verbinding met de kaart
        na {span}
        Binnengereden: {name}
        Verlaten: {name}
        Verbleven in: {name}
        Al binnen: {name}
        Positie verloren
        Positie terug
        Vooruit: {name}
        Dringend: {name}
        Niet meer vooruit: {name}
        Bakens verloren
        Bakens terug
        Te snel: {name}
        Niet meer te snel: {name}
        Niet gestopt: {name}
        Te lang: {name}
        Bijna bij: {name}
        Niet meer onderweg: {name}
        De rit is voorbij
        Positie vastgelegd
        Gebeurtenissen zijn verloren
        Het voertuig wordt weggesleept
        Positie twijfelachtig
        Positie weer betrouwbaar
        Zones zijn verloren
        Er ontbreekt geen zone meer
        {n} km/h
        {n} mph
        Te snel. De limiet is {speed}.
        Zo klinken andere meldingen.
        {n} s
        {n} min
        {n} u
        Vorige gebeurtenis (K)
        Volgende gebeurtenis (J)
        Tijd van de rit
        Vloot
        Nu
        Kaart
        Dag
        Weergaven
        Voertuig, chauffeur of plaats
        Voertuigen: {n} · gehoord: {heard}
        Nu binnen
        Voertuigen: {n} · plaatsen: {places}
        Binnen: {n}
        vrij: {span}
        sinds {time}
        {span} erover
        nog {span}
        geen chauffeur
        Vraagt aandacht
        Niets vraagt aandacht.
        Blind: zones ontbreken
        Blind: geen posities
        Blind: geofenced draait niet
        Blind: geofenced is gestopt
        Hoogte niet ingesteld
        Positie twijfelachtig
        Stil
        Niet verbonden
        Achter: gebeurtenissen wachten in het voertuig
        Gebeurtenissen ontbreken
        Binnen zonder chauffeur
        Beperkt
        Op meer plaatsen dan getoond
        alle {n}
        nog {n} plaatsen
        Niemand is ergens binnen.
        Niets gevonden.
        Geen verbinding sinds {time}
        U mag deze vloot niet zien.
        De database antwoordt niet.
        Er wordt nu te veel tegelijk gevraagd.
        Dat is te veel voor één antwoord.
        Elke regel is een gebeurtenis uit het logboek van het voertuig. De tijden zijn die van deze browser.
        door geen positie gezien
        per plaats
        per voertuig
        per chauffeur
        Totaal
        Verblijven: {n} · samen: {span}
        nog daar
        Dag ervoor
        Dag erna
        Afdrukken
        Alleen de eerste {n} worden getoond; CSV heeft alle.
        Er zijn te veel verblijven voor één bestand: zoek een voertuig, chauffeur of plaats.
        Geen verblijven op deze dag.
        Wat het voertuig heeft vastgelegd
        ontvangen {time}
        afgeleid
        Een moment …
        {n} d
        Hele vloot
        Kaart: pijltoetsen verplaatsen haar, + en − zoomen
        Op geen plaats
        Onderweg: laatst bekende positie
        Onderweg: geen positie verzonden
        Binnen, maar het gebied is niet bekend
        Nog niet bekend waar ze zijn
        Niemand binnen
        Andere plaatsen die niet getekend zijn: {n}
        Deze pagina heeft het hele adres nodig, zoals het werd getoond.
        geen ontvanger
        gebeurtenissen kunnen niet worden opgeslagen
        zones kunnen niet worden gelezen
        opgeslagen gegevens zijn mogelijk beschadigd
        zones zijn verloren gegaan
        het logboek van gebeurtenissen is zijn einde kwijt
        kopieën van de zones ontbreken
        sommige opgeslagen gegevens zijn beschadigd
        gebeurtenissen zijn verloren gegaan
        gebeurtenissen worden niet opgehaald
        bestanden met zones ontbreken
        een bestand met zones wordt geweigerd
        geen positie sinds de start
        de stand van het contact is onbekend
        de positie is twijfelachtig
        de ontvangst wordt gestoord
        de antenne is defect
        heel veel zones hier
        te veel zones hier: sommige vallen weg
        het journaal neemt geen gebeurtenissen aan
        de bus neemt geen gebeurtenissen aan
        de console neemt geen gebeurtenissen aan
        de toestand kan niet worden opgeslagen
        meermaals vastgelopen
        gegevens van het voertuig kunnen verloren gaan
        de voertuighoogte is niet ingesteld
        de voertuighoogte is niet bevestigd
        bakens worden niet gehoord
        zeker
        door het traject
        bestendig
        bij het begin
        na een herstart
        na een sprong
        de zone is gewijzigd
        de zone is verwijderd
        afgeslagen
        gepasseerd
        het voertuig is gewijzigd
        positie verloren
        gehoord
        stil
        aangekoppeld
        met de hand
        volgens haar tijden
        de zone is verlopen
        laat vernomen
        afgeleid
        zonder melding
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
        één kilometer per uur|{n} kilometer per uur
        één mijl per uur|{n} mijl per uur
        """,
        form: { n in n != 1 ? 1 : 0 })
}
