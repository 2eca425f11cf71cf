// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by .ci/check-languages --write, from po/it.po.

extension Translation {
    static let italian = Translation(
        texts: """
        ,
        {n} m
        {n} km
        {n} miglia
        {n} iarde
        {n} piedi
        {n} t
        {n} tonnellate USA
        tra {distance}
        {n} tonnellate
        {n} tonnellate americane
        tra {n} chilometri
        tra {n} miglia
        Ponte basso {limit}
        Strettoia {limit}
        Limite di lunghezza {limit}
        Limite di peso {limit}
        Limite per asse {limit}
        Ponte basso, altezza sconosciuta
        Strettoia, larghezza sconosciuta
        Limite di lunghezza sconosciuto
        Limite di peso sconosciuto
        Limite per asse sconosciuto
        {hazard} {within}.
        {hazard}, {within}.
        {hazard} qui.
        {hazard}: non è più davanti.
        Nessuna uscita prima.
        Ultima uscita {within}
        Ultima uscita {within} a sinistra
        Ultima uscita {within} a destra
        Ultima uscita {within} dritto
        Ultima uscita {within} all'indietro
        {way}, {road}
        La sua altezza è {value}.
        La sua larghezza è {value}.
        La sua lunghezza è {value}.
        Il suo peso è {value}.
        Il suo carico per asse è {value}.
        La sua altezza non è impostata, si suppone {value}.
        Vale: {condition}.
        Davanti: {name}.
        {name}: non è più davanti.
        Luoghi sorvegliati sono andati persi. Ponti bassi potrebbero mancare.
        L'altezza del veicolo non è impostata. Si suppone {value}.
        Confermi l'altezza del veicolo, per favore: {value}.
        Davanti
        Nessuna uscita
        Così suona un avviso.
        Così suona un allarme urgente.
        """,
        counted: """
        un metro|{n} metri
        un metro e {cm}|{n} metri e {cm}
        un piede|{n} piedi
        un piede e {inches}|{n} piedi e {inches}
        una tonnellata|{n} tonnellate
        una tonnellata americana|{n} tonnellate americane
        tra un metro|tra {n} metri
        tra un chilometro|tra {n} chilometri
        tra un miglio|tra {n} miglia
        tra una iarda|tra {n} iarde
        tra un piede|tra {n} piedi
        E un altro.|E altri {n}.
        """,
        form: { n in n != 1 ? 1 : 0 })
}
