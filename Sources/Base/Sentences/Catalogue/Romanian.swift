// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by .ci/check-languages --write, from po/ro.po.

extension Translation {
    static let romanian = Translation(
        texts: """
        ,
        {n} m
        {n} km
        {n} mile
        {n} yarzi
        {n} picioare
        {n} t
        {n} tone americane
        peste {distance}
        {n} tone
        {n} tone americane
        peste {n} kilometri
        peste {n} mile
        Pod jos {limit}
        Loc îngust {limit}
        Limită de lungime {limit}
        Limită de greutate {limit}
        Limită pe osie {limit}
        Pod jos, înălțime necunoscută
        Loc îngust, lățime necunoscută
        Limită de lungime necunoscută
        Limită de greutate necunoscută
        Limită pe osie necunoscută
        {hazard} {within}.
        {hazard}, {within}.
        {hazard} aici.
        {hazard}: nu mai este în față.
        Nu mai există ieșire înainte.
        Ultima ieșire {within}
        Ultima ieșire {within} la stânga
        Ultima ieșire {within} la dreapta
        Ultima ieșire {within} înainte
        Ultima ieșire {within} înapoi
        {way}, {road}
        Aveți înălțimea {value}.
        Aveți lățimea {value}.
        Aveți lungimea {value}.
        Aveți greutatea {value}.
        Sarcina pe osie este {value}.
        Înălțimea nu este setată, se presupune {value}.
        Valabil: {condition}.
        În față: {name}.
        {name}: nu mai este în față.
        S-au pierdut locuri supravegheate. Pot lipsi poduri joase.
        Înălțimea vehiculului nu este setată. Se presupune {value}.
        Vă rugăm confirmați înălțimea vehiculului: {value}.
        În față
        Nu mai există ieșire
        Așa sună un avertisment.
        Așa sună o alertă urgentă.
        """,
        counted: """
        un metru|{n} metri|{n} de metri
        un metru și {cm}|{n} metri și {cm}|{n} de metri și {cm}
        un picior|{n} picioare|{n} de picioare
        un picior și {inches}|{n} picioare și {inches}|{n} de picioare și {inches}
        o tonă|{n} tone|{n} de tone
        o tonă americană|{n} tone americane|{n} de tone americane
        peste un metru|peste {n} metri|peste {n} de metri
        peste un kilometru|peste {n} kilometri|peste {n} de kilometri
        peste o milă|peste {n} mile|peste {n} de mile
        peste un yard|peste {n} yarzi|peste {n} de yarzi
        peste un picior|peste {n} picioare|peste {n} de picioare
        Și încă unul.|Și încă {n}.|Și încă {n}.
        """,
        form: { n in n == 1 ? 0 : n == 0 || (n % 100 > 0 && n % 100 < 20) ? 1 : 2 })
}
