// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by .ci/check-languages --write, from po/cs.po.

extension Translation {
    static let czech = Translation(
        texts: """
        ,
        {n} m
        {n} km
        {n} míle
        {n} yardů
        {n} stop
        {n} t
        {n} amerických tun
        za {distance}
        {n} tuny
        {n} americké tuny
        za {n} kilometru
        za {n} míle
        Nízký most {limit}
        Zúžení {limit}
        Omezení délky {limit}
        Omezení hmotnosti {limit}
        Omezení zatížení nápravy {limit}
        Nízký most, výška neznámá
        Zúžení, šířka neznámá
        Omezení délky, neznámé
        Omezení hmotnosti, neznámé
        Omezení zatížení nápravy, neznámé
        {hazard} {within}.
        {hazard}, {within}.
        {hazard} zde.
        {hazard}: už není před vámi.
        Předtím už není kam odbočit.
        Poslední odbočka {within}
        Poslední odbočka {within} vlevo
        Poslední odbočka {within} vpravo
        Poslední odbočka {within} rovně
        Poslední odbočka {within} ostře zpět
        {way}, {road}
        Výška vozidla {value}.
        Šířka vozidla {value}.
        Délka vozidla {value}.
        Hmotnost vozidla {value}.
        Zatížení nápravy {value}.
        Výška není nastavena, předpokládá se {value}.
        Platí: {condition}.
        Před vámi: {name}.
        {name}: už není před vámi.
        Sledovaná místa se ztratila. Nízké mosty mohou chybět.
        Výška vozidla není nastavena. Předpokládá se {value}.
        Potvrďte prosím výšku vozidla: {value}.
        Před vámi
        Už není kam odbočit
        Takto zní upozornění.
        Takto zní naléhavé varování.
        """,
        counted: """
        jeden metr|{n} metry|{n} metrů
        jeden metr {cm}|{n} metry {cm}|{n} metrů {cm}
        jedna stopa|{n} stopy|{n} stop
        jedna stopa {inches}|{n} stopy {inches}|{n} stop {inches}
        jedna tuna|{n} tuny|{n} tun
        jedna americká tuna|{n} americké tuny|{n} amerických tun
        za jeden metr|za {n} metry|za {n} metrů
        za kilometr|za {n} kilometry|za {n} kilometrů
        za míli|za {n} míle|za {n} mil
        za jeden yard|za {n} yardy|za {n} yardů
        za jednu stopu|za {n} stopy|za {n} stop
        A ještě jedno.|A ještě {n}.|A ještě {n}.
        """,
        form: { n in n == 1 ? 0 : n >= 2 && n <= 4 ? 1 : 2 })
}
