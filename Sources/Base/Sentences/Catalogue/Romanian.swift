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
        Momentan nu există avertizări despre poduri joase. Urmăriți indicatoarele.
        Există din nou avertizări despre poduri joase.
        Înălțimea vehiculului nu este setată. Se presupune {value}.
        Vă rugăm confirmați înălțimea vehiculului: {value}.
        În față
        Nu mai există ieșire
        Așa sună un avertisment.
        Așa sună o alertă urgentă.
        Urmărește
        Urmărește vehiculul (F)
        Tot drumul
        Tot drumul (0)
        Mărește
        Micșorează
        Noapte
        Culori pentru noapte (N)
        Liste
        Liste (L)
        Hartă. Tot ce arată este și în liste.
        Închide
        Legendă
        înăuntru
        afară
        necunoscut
        nesigur
        afară, în fereastră
        nesupravegheat acum
        limită pe care vehiculul o depășește sau o poate depăși
        limită pe care o respectă
        metazonă
        vehiculul și eroarea lui
        poziție care nu a contat
        Acum înăuntru
        În față
        Evenimente
        Toate zonele de aici
        Din ce este făcută pagina
        aici
        poziție pierdută
        poziție cunoscută
        nicio poziție
        poziția {n} din {total}
        Nicio zonă.
        fereastră {n} din {total}
        nicio ieșire
        ultima ieșire peste {distance}
        ultima ieșire depășită
        {n} din {total}
        Niciun eveniment.
        și încă {n}
        Evenimentul {n} al zonei {id}
        Evenimentul {n}
        Zona {id}
        vehiculul încape
        vehiculul nu încape
        necomparat cu vehiculul: lipsește o valoare
        evenimente: {n}
        Distanța cu semn până la zonă în timp.
        Balize
        Limită: înălțime {limit}
        Limită: lățime {limit}
        Limită: lungime {limit}
        Limită: greutate {limit}
        Limită: sarcină pe osie {limit}
        Cerc de {size}
        Poligon
        Coridor, lat de {size}
        ultima ieșire
        așteaptă harta
        zone aici: {n}, măriți ca să le vedeți
        În direct de la geofenced {version}. Drumul rămâne 15 minute în această pagină și nicăieri altundeva.
        Harta este desenată cu Leaflet, licență BSD.
        acum {span}
        harta nu răspunde
        geofenced nu rulează
        geofenced nu rulează din {time}
        geofenced a fost oprit, {time}
        geofenced nu răspunde
        parcat, receptorul se odihnește
        nicio poziție
        limitat: {list}
        are nevoie de adresa arătată de geofencectl map
        harta s-a încheiat
        nicio conexiune la hartă
        după {span}
        Intrare: {name}
        Ieșire: {name}
        Staționare: {name}
        Deja înăuntru: {name}
        Poziție pierdută
        Poziție regăsită
        În față: {name}
        Urgent: {name}
        Nu mai este în față: {name}
        Balize pierdute
        Balize regăsite
        Prea repede: {name}
        Nu mai este prea repede: {name}
        Nu a oprit: {name}
        Prea mult timp: {name}
        Sosire în curând: {name}
        Nu mai vine: {name}
        Cursa s-a încheiat
        Poziție înregistrată
        S-au pierdut evenimente
        Vehiculul este tractat
        Poziție îndoielnică
        Poziție din nou de încredere
        S-au pierdut zone
        Nu mai lipsește nicio zonă
        {n} km/h
        {n} mph
        Prea repede. Limita este de {speed}.
        Așa sună celelalte mesaje.
        {n} s
        {n} min
        {n} h
        Evenimentul anterior (K)
        Evenimentul următor (J)
        Timpul cursei
        Flotă
        Acum
        Hartă
        Zi
        Vederi
        Vehicul, șofer sau loc
        Vehicule: {n} · auzite: {heard}
        Acum înăuntru
        Vehicule: {n} · locuri: {places}
        Înăuntru: {n}
        gratuit: {span}
        din {time}
        {span} peste
        rămân {span}
        fără șofer
        De verificat
        Nimic de verificat.
        Orb: zone pierdute
        Orb: fără poziții
        Orb: geofenced nu rulează
        Orb: geofenced a fost oprit
        Înălțime nesetată
        Poziție îndoielnică
        Tăcut
        Neconectat
        În urmă: evenimente așteaptă în vehicul
        Lipsesc evenimente
        Înăuntru fără șofer
        Degradat
        În mai multe locuri decât sunt afișate
        toate {n}
        încă {n} locuri
        Nimeni nu este înăuntru.
        Nu s-a găsit nimic.
        Fără conexiune din {time}
        Nu aveți voie să vedeți această flotă.
        Baza de date nu răspunde.
        În acest moment sunt prea multe cereri deodată.
        Este prea mult pentru un singur răspuns.
        Fiecare rând este un eveniment din jurnalul vehiculului. Orele sunt ale acestui browser.
        nevăzut de nicio poziție
        după loc
        după vehicul
        după șofer
        Total
        Staționări: {n} · în total: {span}
        încă acolo
        Ziua dinainte
        Ziua următoare
        Tipărire
        Sunt afișate doar primele {n}; CSV le are pe toate.
        Sunt prea multe staționări pentru un fișier: căutați un vehicul, un șofer sau un loc.
        Nicio staționare în această zi.
        Ce a înregistrat vehiculul
        primit {time}
        dedus
        O clipă …
        {n} z
        Toată flota
        Hartă: săgețile o mută, + și − schimbă scara
        În niciun loc
        Pe drum: ultima poziție cunoscută
        Pe drum: nu a fost trimisă nicio poziție
        Înăuntru, dar zona nu este cunoscută
        Încă nu se știe unde sunt
        Nimeni înăuntru
        Alte locuri care nu sunt desenate: {n}
        Această pagină are nevoie de adresa întreagă, așa cum a fost afișată.
        fără receptor
        evenimentele nu pot fi salvate
        zonele nu pot fi citite
        datele salvate pot fi deteriorate
        s-au pierdut zone
        jurnalul de evenimente și-a pierdut sfârșitul
        lipsesc copiile zonelor
        unele date salvate sunt deteriorate
        s-au pierdut evenimente
        evenimentele nu sunt preluate
        lipsesc fișiere cu zone
        un fișier cu zone este refuzat
        nicio poziție de la pornire
        starea contactului nu este cunoscută
        poziția este îndoielnică
        recepția este bruiată
        antena este defectă
        foarte multe zone aici
        prea multe zone aici: unele sunt omise
        jurnalul nu acceptă evenimente
        magistrala nu acceptă evenimente
        consola nu acceptă evenimente
        starea nu poate fi salvată
        s-a blocat de mai multe ori
        datele vehiculului se pot pierde
        înălțimea vehiculului nu este setată
        înălțimea vehiculului nu este confirmată
        balizele nu se aud
        sigur
        după traseu
        stabil
        la început
        după o repornire
        după un salt
        zona a fost modificată
        zona a fost eliminată
        a virat
        depășit
        vehiculul a fost modificat
        poziție pierdută
        auzită
        tăcută
        cuplată
        manual
        după program
        zona a expirat
        aflat târziu
        dedus
        fără anunț
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
        un kilometru pe oră|{n} kilometri pe oră|{n} de kilometri pe oră
        o milă pe oră|{n} mile pe oră|{n} de mile pe oră
        """,
        form: { n in n == 1 ? 0 : n == 0 || (n % 100 > 0 && n % 100 < 20) ? 1 : 2 })
}
