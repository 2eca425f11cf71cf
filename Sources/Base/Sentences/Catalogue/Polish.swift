// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by .ci/check-languages --write, from po/pl.po.

extension Translation {
    static let polish = Translation(
        texts: """
        ,
        {n} m
        {n} km
        {n} mili
        {n} jardów
        {n} stóp
        {n} t
        {n} ton amerykańskich
        za {distance}
        {n} tony
        {n} tony amerykańskiej
        za {n} kilometra
        za {n} mili
        Niski wiadukt {limit}
        Zwężenie {limit}
        Limit długości {limit}
        Limit masy {limit}
        Limit na oś {limit}
        Niski wiadukt, wysokość nieznana
        Zwężenie, szerokość nieznana
        Limit długości, nieznany
        Limit masy, nieznany
        Limit na oś, nieznany
        {hazard} {within}.
        {hazard}, {within}.
        {hazard} tutaj.
        {hazard}: już nie na trasie.
        Wcześniej nie ma już zjazdu.
        Ostatni zjazd {within}
        Ostatni zjazd {within} w lewo
        Ostatni zjazd {within} w prawo
        Ostatni zjazd {within} prosto
        Ostatni zjazd {within} ostro do tyłu
        {way}, {road}
        Wysokość pojazdu {value}.
        Szerokość pojazdu {value}.
        Długość pojazdu {value}.
        Masa pojazdu {value}.
        Nacisk osi {value}.
        Wysokość nie jest ustawiona, przyjęto {value}.
        Obowiązuje: {condition}.
        Przed tobą: {name}.
        {name}: już nie na trasie.
        Utracono nadzorowane miejsca. Może brakować niskich wiaduktów.
        Wysokość pojazdu nie jest ustawiona. Przyjęto {value}.
        Proszę potwierdzić wysokość pojazdu: {value}.
        Przed tobą
        Nie ma już zjazdu
        Tak brzmi ostrzeżenie.
        Tak brzmi pilne ostrzeżenie.
        """,
        counted: """
        jeden metr|{n} metry|{n} metrów
        metr {cm}|{n} metry {cm}|{n} metrów {cm}
        jedna stopa|{n} stopy|{n} stóp
        jedna stopa {inches}|{n} stopy {inches}|{n} stóp {inches}
        jedna tona|{n} tony|{n} ton
        jedna tona amerykańska|{n} tony amerykańskie|{n} ton amerykańskich
        za jeden metr|za {n} metry|za {n} metrów
        za kilometr|za {n} kilometry|za {n} kilometrów
        za milę|za {n} mile|za {n} mil
        za jeden jard|za {n} jardy|za {n} jardów
        za jedną stopę|za {n} stopy|za {n} stóp
        I jeszcze jedno ostrzeżenie.|I jeszcze {n}.|I jeszcze {n}.
        """,
        form: { n in n == 1 ? 0 : n % 10 >= 2 && n % 10 <= 4 && (n % 100 < 12 || n % 100 > 14) ? 1 : 2 })
}
