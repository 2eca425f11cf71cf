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
        Na nízké mosty teď nic neupozorňuje. Sledujte značky.
        Na nízké mosty se opět upozorňuje.
        Výška vozidla není nastavena. Předpokládá se {value}.
        Potvrďte prosím výšku vozidla: {value}.
        Před vámi
        Už není kam odbočit
        Takto zní upozornění.
        Takto zní naléhavé varování.
        Sledovat
        Sledovat vozidlo (F)
        Celá jízda
        Celá jízda (0)
        Přiblížit
        Oddálit
        Noc
        Barvy pro noc (N)
        Seznamy
        Seznamy (L)
        Mapa. Vše, co ukazuje, je i v seznamech.
        Zavřít
        Legenda
        uvnitř
        venku
        neznámo
        nejisté
        venku, v okně
        nyní nesledováno
        omezení, které vozidlo překračuje nebo může překračovat
        omezení, které splňuje
        metazóna
        vozidlo a jeho chyba
        poloha, která se nepočítá
        Nyní uvnitř
        Před vámi
        Události
        Všechny zóny zde
        Z čeho je tato stránka
        zde
        poloha ztracena
        poloha známa
        žádné polohy
        poloha {n} z {total}
        Žádná zóna.
        okno {n} z {total}
        není kam odbočit
        poslední odbočka za {distance}
        poslední odbočka minuta
        {n} z {total}
        Žádná událost.
        a ještě {n}
        Událost {n} zóny {id}
        Událost {n}
        Zóna {id}
        vozidlo projede
        vozidlo neprojede
        nesrovnáno s vozidlem: hodnota není známa
        události: {n}
        Vzdálenost od zóny v čase, se znaménkem.
        Majáky
        Omezení: výška {limit}
        Omezení: šířka {limit}
        Omezení: délka {limit}
        Omezení: hmotnost {limit}
        Omezení: zatížení nápravy {limit}
        Kruh {size}
        Mnohoúhelník
        Koridor, šířka {size}
        poslední odbočka
        čeká na mapu
        zóny zde: {n}, přibližte, abyste je viděli
        Živě z geofenced {version}. Cesta zůstává 15 minut na této stránce a nikde jinde.
        Mapu kreslí Leaflet, licence BSD.
        před {span}
        mapa neodpovídá
        geofenced neběží
        geofenced neběží od {time}
        geofenced byl zastaven, {time}
        geofenced neodpovídá
        zaparkováno, přijímač odpočívá
        žádná poloha
        omezeno: {list}
        je třeba adresa, kterou ukázal geofencectl map
        mapa skončila
        žádné spojení s mapou
        po {span}
        Vjezd: {name}
        Výjezd: {name}
        Pobyt: {name}
        Již uvnitř: {name}
        Poloha ztracena
        Poloha obnovena
        Před vámi: {name}
        Naléhavé: {name}
        Už není před vámi: {name}
        Majáky ztraceny
        Majáky obnoveny
        Příliš rychle: {name}
        Už ne příliš rychle: {name}
        Nezastaveno: {name}
        Příliš dlouho: {name}
        Brzy na místě: {name}
        Už nemíří sem: {name}
        Jízda skončila
        Poloha zaznamenána
        Události se ztratily
        Vozidlo je odtahováno
        Poloha pochybná
        Poloha opět důvěryhodná
        Zóny se ztratily
        Žádná zóna už nechybí
        {n} km/h
        {n} mph
        Příliš rychle. Omezení: {speed}.
        Takto znějí ostatní hlášení.
        {n} s
        {n} min
        {n} h
        Předchozí událost (K)
        Další událost (J)
        Čas jízdy
        Vozový park
        Nyní
        Mapa
        Den
        Pohledy
        Vozidlo, řidič nebo místo
        Vozidla: {n} · slyšená: {heard}
        Nyní uvnitř
        Vozidla: {n} · místa: {places}
        Uvnitř: {n}
        zdarma: {span}
        od {time}
        {span} navíc
        zbývá {span}
        bez řidiče
        K prohlédnutí
        Nic k prohlédnutí.
        Slepé: zóny chybějí
        Slepé: žádné polohy
        Slepé: geofenced neběží
        Slepé: geofenced byl zastaven
        Výška nenastavena
        Poloha pochybná
        Mlčí
        Nepřipojeno
        Pozadu: události čekají ve vozidle
        Události chybějí
        Uvnitř bez řidiče
        Omezený provoz
        Na více místech, než je zobrazeno
        všech {n}
        dalších míst: {n}
        Nikdo není uvnitř.
        Nic nenalezeno.
        Bez spojení od {time}
        Tento vozový park nesmíte vidět.
        Databáze neodpovídá.
        Právě teď je příliš mnoho dotazů najednou.
        To je na jednu odpověď příliš mnoho.
        Každý řádek je událost ze záznamu vozidla. Časy jsou podle tohoto prohlížeče.
        nespatřeno žádnou polohou
        podle místa
        podle vozidla
        podle řidiče
        Celkem
        Pobyty: {n} · celkem: {span}
        stále tam
        Předchozí den
        Následující den
        Tisk
        Zobrazeno jen prvních {n}; CSV má všechny.
        Na jeden soubor je pobytů příliš mnoho: hledejte vozidlo, řidiče nebo místo.
        Tento den žádné pobyty.
        Co vozidlo zaznamenalo
        přijato {time}
        odvozeno
        Okamžik …
        {n} d
        Celá flotila
        Mapa: šipky ji posouvají, + a − mění měřítko
        Na žádném místě
        Na cestě: poslední známá poloha
        Na cestě: poloha nebyla odeslána
        Uvnitř, ale plocha není známa
        Zatím není známo, kde jsou
        Nikdo uvnitř
        Další místa, která nejsou nakreslena: {n}
        Tato stránka potřebuje celou adresu, jak byla vypsána.
        žádný přijímač
        události nelze uložit
        zóny nelze přečíst
        uložená data mohou být poškozena
        zóny byly ztraceny
        protokol událostí ztratil svůj konec
        chybí kopie zón
        některá uložená data jsou poškozena
        události byly ztraceny
        události nejsou odebírány
        chybí soubory zón
        soubor zón je odmítnut
        od spuštění žádná poloha
        stav zapalování není znám
        poloha je pochybná
        příjem je rušen
        anténa má závadu
        velmi mnoho zón zde
        příliš mnoho zón zde: některé chybí
        žurnál nepřijímá události
        sběrnice nepřijímá události
        konzole nepřijímá události
        stav nelze uložit
        opakovaně havarovalo
        údaje o vozidle se mohou ztratit
        výška vozidla není nastavena
        výška vozidla není potvrzena
        majáky nejsou slyšet
        jisté
        podle cesty
        ustálené
        na začátku
        po restartu
        po skoku
        zóna změněna
        zóna odstraněna
        odbočeno
        projeto
        vozidlo změněno
        poloha ztracena
        zachyceno
        ztichlo
        připojeno
        ručně
        podle časů
        zóna vypršela
        zjištěno pozdě
        odvozeno
        bez hlášení
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
        {n} kilometr za hodinu|{n} kilometry za hodinu|{n} kilometrů za hodinu
        {n} míle za hodinu|{n} míle za hodinu|{n} mil za hodinu
        """,
        form: { n in n == 1 ? 0 : n >= 2 && n <= 4 ? 1 : 2 })
}
