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
        Al momento i ponti bassi non vengono segnalati. Faccia attenzione ai cartelli.
        I ponti bassi vengono di nuovo segnalati.
        L'altezza del veicolo non è impostata. Si suppone {value}.
        Confermi l'altezza del veicolo, per favore: {value}.
        Davanti
        Nessuna uscita
        Così suona un avviso.
        Così suona un allarme urgente.
        Segui
        Segui il veicolo (F)
        Tutto il viaggio
        Tutto il viaggio (0)
        Ingrandisci
        Rimpicciolisci
        Notte
        Colori per la notte (N)
        Elenchi
        Elenchi (L)
        Mappa. Tutto ciò che mostra è anche negli elenchi.
        Chiudi
        Legenda
        dentro
        fuori
        sconosciuto
        incerto
        fuori, nella finestra
        ora non sorvegliato
        limite che il veicolo supera, o può superare
        limite che rispetta
        metazona
        veicolo e il suo errore
        posizione che non conta
        Dentro ora
        Davanti
        Eventi
        Tutte le zone qui
        Di cosa è fatta questa pagina
        qui
        posizione persa
        posizione nota
        nessuna posizione
        posizione {n} di {total}
        Nessuna zona.
        finestra {n} di {total}
        nessuna uscita
        ultima uscita tra {distance}
        ultima uscita superata
        {n} di {total}
        Nessun evento.
        e altri {n}
        Evento {n} della zona {id}
        Evento {n}
        Zona {id}
        il veicolo passa
        il veicolo non passa
        non confrontato con il veicolo: manca un valore
        eventi: {n}
        Distanza con segno dalla zona nel tempo.
        Radiofari
        Limite: altezza {limit}
        Limite: larghezza {limit}
        Limite: lunghezza {limit}
        Limite: peso {limit}
        Limite: carico per asse {limit}
        Cerchio di {size}
        Poligono
        Corridoio, largo {size}
        ultima uscita
        in attesa della mappa
        {n} zone qui: ingrandire per vederle
        In diretta da geofenced {version}. Il percorso resta 15 minuti in questa pagina e da nessun'altra parte.
        Mappa disegnata con Leaflet, licenza BSD.
        {span} fa
        la mappa non risponde
        geofenced non è in esecuzione
        geofenced non è in esecuzione da {time}
        geofenced è stato fermato, {time}
        geofenced non risponde
        parcheggiato, il ricevitore riposa
        nessuna posizione
        limitato: {list}
        serve l'indirizzo mostrato da geofencectl map
        la mappa è terminata
        nessuna connessione alla mappa
        dopo {span}
        Entrata: {name}
        Uscita: {name}
        Sosta: {name}
        Già dentro: {name}
        Posizione persa
        Posizione ritrovata
        Davanti: {name}
        Urgente: {name}
        Non più davanti: {name}
        Radiofari persi
        Radiofari ritrovati
        Troppo veloce: {name}
        Non più troppo veloce: {name}
        Non fermato: {name}
        Troppo a lungo: {name}
        In arrivo: {name}
        Non più in arrivo: {name}
        Il viaggio è terminato
        Posizione registrata
        Eventi persi
        Il veicolo viene rimorchiato
        Posizione dubbia
        Posizione di nuovo affidabile
        Zone perse
        Non manca più nessuna zona
        {n} km/h
        {n} mph
        Troppo veloce. Il limite è di {speed}.
        Così suonano gli altri messaggi.
        {n} s
        {n} min
        {n} h
        Evento precedente (K)
        Evento successivo (J)
        Tempo del viaggio
        Flotta
        Adesso
        Mappa
        Giorno
        Viste
        Veicolo, conducente o luogo
        Veicoli: {n} · sentiti: {heard}
        Ora dentro
        Veicoli: {n} · luoghi: {places}
        Dentro: {n}
        gratis: {span}
        dalle {time}
        {span} oltre
        restano {span}
        nessun conducente
        Da controllare
        Niente da controllare.
        Cieco: zone perse
        Cieco: nessuna posizione
        Cieco: geofenced non è in funzione
        Cieco: geofenced è stato fermato
        Altezza non impostata
        Posizione dubbia
        Muto
        Non connesso
        In ritardo: eventi in attesa sul veicolo
        Mancano eventi
        Dentro senza conducente
        Degradato
        In più luoghi di quelli mostrati
        tutti e {n}
        altri {n} luoghi
        Nessuno è dentro.
        Non si trova nulla.
        Nessuna connessione dalle {time}
        Non può vedere questa flotta.
        Il database non risponde.
        In questo momento ci sono troppe richieste insieme.
        È troppo per una sola risposta.
        Ogni riga è un evento del registro del veicolo. Gli orari sono quelli di questo browser.
        non visto da alcuna posizione
        per luogo
        per veicolo
        per conducente
        Totale
        Soste: {n} · in tutto: {span}
        ancora lì
        Giorno prima
        Giorno dopo
        Stampa
        Sono mostrati solo i primi {n}; CSV li ha tutti.
        Ci sono troppe soste per un file: cercare un veicolo, un conducente o un luogo.
        Nessuna sosta in questo giorno.
        Che cosa ha registrato il veicolo
        ricevuto {time}
        dedotto
        Un momento …
        {n} g
        Tutta la flotta
        Mappa: le frecce la spostano, + e − cambiano la scala
        In nessun luogo
        In viaggio: ultima posizione nota
        In viaggio: nessuna posizione inviata
        All’interno, ma l’area non è nota
        Non si sa ancora dove siano
        Nessuno all’interno
        Altri luoghi non disegnati: {n}
        Questa pagina ha bisogno dell’indirizzo intero, come è stato mostrato.
        nessun ricevitore
        gli eventi non possono essere salvati
        le zone non possono essere lette
        i dati salvati potrebbero essere danneggiati
        sono andate perse delle zone
        il registro degli eventi ha perso la sua fine
        mancano copie delle zone
        alcuni dati salvati sono danneggiati
        sono andati persi degli eventi
        gli eventi non vengono prelevati
        mancano file di zone
        un file di zone è rifiutato
        nessuna posizione dall’avvio
        lo stato dell’accensione non è noto
        la posizione è dubbia
        la ricezione è disturbata
        l'antenna è guasta
        moltissime zone qui
        troppe zone qui: alcune sono escluse
        il journal non accetta eventi
        il bus non accetta eventi
        la console non accetta eventi
        lo stato non può essere salvato
        si è interrotto più volte
        i dati del veicolo possono andare persi
        l'altezza del veicolo non è impostata
        l'altezza del veicolo non è confermata
        i beacon non vengono ricevuti
        certo
        dal percorso
        stabile
        all'inizio
        dopo un riavvio
        dopo un salto
        la zona è stata modificata
        la zona è stata rimossa
        ha svoltato
        superato
        il veicolo è stato modificato
        posizione persa
        ricevuto
        silenzioso
        agganciato
        a mano
        dai suoi orari
        la zona è scaduta
        saputo tardi
        dedotto
        senza avviso
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
        un chilometro all'ora|{n} chilometri all'ora
        un miglio all'ora|{n} miglia all'ora
        """,
        form: { n in n != 1 ? 1 : 0 })
}
