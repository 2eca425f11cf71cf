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
        Obecnie nie ma ostrzeżeń o niskich wiaduktach. Proszę patrzeć na znaki.
        Znów są ostrzeżenia o niskich wiaduktach.
        Wysokość pojazdu nie jest ustawiona. Przyjęto {value}.
        Proszę potwierdzić wysokość pojazdu: {value}.
        Przed tobą
        Nie ma już zjazdu
        Tak brzmi ostrzeżenie.
        Tak brzmi pilne ostrzeżenie.
        Śledź
        Śledź pojazd (F)
        Cała trasa
        Cała trasa (0)
        Powiększ
        Pomniejsz
        Noc
        Kolory na noc (N)
        Listy
        Listy (L)
        Mapa. Wszystko, co pokazuje, jest też na listach.
        Zamknij
        Legenda
        wewnątrz
        na zewnątrz
        nieznane
        niepewne
        na zewnątrz, w oknie
        teraz nienadzorowana
        limit, który pojazd przekracza lub może przekraczać
        limit, w którym się mieści
        metastrefa
        pojazd i jego błąd
        pozycja, która się nie liczy
        Teraz wewnątrz
        Przed tobą
        Zdarzenia
        Wszystkie strefy tutaj
        Z czego składa się ta strona
        tutaj
        pozycja utracona
        pozycja znana
        brak pozycji
        pozycja {n} z {total}
        Brak strefy.
        okno {n} z {total}
        brak zjazdu
        ostatni zjazd za {distance}
        ostatni zjazd minięty
        {n} z {total}
        Brak zdarzeń.
        i jeszcze {n}
        Zdarzenie {n} strefy {id}
        Zdarzenie {n}
        Strefa {id}
        pojazd się mieści
        pojazd się nie mieści
        nie porównano z pojazdem: brak wartości
        zdarzenia: {n}
        Odległość od strefy w czasie, ze znakiem.
        Nadajniki
        Limit: wysokość {limit}
        Limit: szerokość {limit}
        Limit: długość {limit}
        Limit: masa {limit}
        Limit: nacisk osi {limit}
        Okrąg {size}
        Wielokąt
        Korytarz, szerokość {size}
        ostatni zjazd
        czeka na mapę
        strefy tutaj: {n}, przybliż, aby je zobaczyć
        Na żywo z geofenced {version}. Trasa pozostaje 15 minut na tej stronie i nigdzie indziej.
        Mapę rysuje Leaflet, licencja BSD.
        {span} temu
        mapa nie odpowiada
        geofenced nie działa
        geofenced nie działa od {time}
        geofenced został zatrzymany, {time}
        geofenced nie odpowiada
        zaparkowany, odbiornik odpoczywa
        brak pozycji
        ograniczone: {list}
        potrzebny jest adres, który pokazało geofencectl map
        mapa zakończyła działanie
        brak połączenia z mapą
        po {span}
        Wjazd: {name}
        Wyjazd: {name}
        Postój: {name}
        Już wewnątrz: {name}
        Pozycja utracona
        Pozycja odzyskana
        Przed tobą: {name}
        Pilne: {name}
        Już nie na trasie: {name}
        Nadajniki utracone
        Nadajniki odzyskane
        Za szybko: {name}
        Już nie za szybko: {name}
        Brak zatrzymania: {name}
        Za długo: {name}
        Wkrótce na miejscu: {name}
        Już nie w drodze: {name}
        Przejazd zakończony
        Pozycja zapisana
        Utracono zdarzenia
        Pojazd jest holowany
        Pozycja wątpliwa
        Pozycja znów wiarygodna
        Utracono strefy
        Nie brakuje już żadnej strefy
        {n} km/h
        {n} mph
        Za szybko. Ograniczenie: {speed}.
        Tak brzmią inne komunikaty.
        {n} s
        {n} min
        {n} godz.
        Poprzednie zdarzenie (K)
        Następne zdarzenie (J)
        Czas jazdy
        Flota
        Teraz
        Mapa
        Dzień
        Widoki
        Pojazd, kierowca lub miejsce
        Pojazdy: {n} · słyszane: {heard}
        Teraz wewnątrz
        Pojazdy: {n} · miejsca: {places}
        Wewnątrz: {n}
        bezpłatnie: {span}
        od {time}
        {span} ponad
        pozostało {span}
        brak kierowcy
        Do sprawdzenia
        Nic do sprawdzenia.
        Ślepy: brak stref
        Ślepy: brak pozycji
        Ślepy: geofenced nie działa
        Ślepy: geofenced został zatrzymany
        Wysokość nieustawiona
        Pozycja wątpliwa
        Milczy
        Brak połączenia
        Zaległości: zdarzenia czekają w pojeździe
        Brakuje zdarzeń
        Wewnątrz bez kierowcy
        Ograniczone działanie
        W większej liczbie miejsc, niż pokazano
        wszystkie {n}
        jeszcze miejsc: {n}
        Nikogo nie ma wewnątrz.
        Nic nie znaleziono.
        Brak połączenia od {time}
        Nie możesz widzieć tej floty.
        Baza danych nie odpowiada.
        W tej chwili jest zbyt wiele zapytań naraz.
        To za dużo na jedną odpowiedź.
        Każdy wiersz to zdarzenie z dziennika pojazdu. Godziny według tej przeglądarki.
        niewidziane przez żadną pozycję
        według miejsca
        według pojazdu
        według kierowcy
        Razem
        Pobyty: {n} · łącznie: {span}
        nadal tam
        Dzień wcześniej
        Dzień później
        Drukuj
        Pokazano tylko pierwsze {n}; CSV ma wszystkie.
        Pobytów jest za dużo na jeden plik: wyszukaj pojazd, kierowcę lub miejsce.
        Brak pobytów tego dnia.
        Co zapisał pojazd
        odebrano {time}
        wywnioskowane
        Chwileczkę …
        {n} d
        Cała flota
        Mapa: strzałki ją przesuwają, + i − zmieniają skalę
        W żadnym miejscu
        W drodze: ostatnia znana pozycja
        W drodze: nie wysłano pozycji
        Wewnątrz, ale obszar nie jest znany
        Jeszcze nie wiadomo, gdzie są
        Nikogo wewnątrz
        Inne miejsca, których nie narysowano: {n}
        Ta strona potrzebuje całego adresu, tak jak go wypisano.
        brak odbiornika
        nie można zapisać zdarzeń
        nie można odczytać stref
        zapisane dane mogą być uszkodzone
        utracono strefy
        dziennik zdarzeń utracił swój koniec
        brakuje kopii stref
        część zapisanych danych jest uszkodzona
        utracono zdarzenia
        zdarzenia nie są odbierane
        brakuje plików stref
        plik stref jest odrzucany
        brak pozycji od uruchomienia
        stan zapłonu jest nieznany
        pozycja jest wątpliwa
        odbiór jest zagłuszany
        antena jest uszkodzona
        bardzo wiele stref tutaj
        za dużo stref tutaj: część pominięto
        dziennik nie przyjmuje zdarzeń
        magistrala nie przyjmuje zdarzeń
        konsola nie przyjmuje zdarzeń
        nie można zapisać stanu
        kilkakrotna awaria
        dane pojazdu mogą przepaść
        nie ustawiono wysokości pojazdu
        wysokość pojazdu nie jest potwierdzona
        nie słychać nadajników
        pewne
        z przebiegu drogi
        ustalone
        na początku
        po ponownym starcie
        po skoku
        strefa zmieniona
        strefa usunięta
        skręcono
        minięte
        pojazd zmieniony
        utracono pozycję
        usłyszano
        zamilkł
        podpięto
        ręcznie
        według godzin
        strefa wygasła
        poznano późno
        wywnioskowane
        bez komunikatu
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
        {n} kilometr na godzinę|{n} kilometry na godzinę|{n} kilometrów na godzinę
        {n} mila na godzinę|{n} mile na godzinę|{n} mil na godzinę
        """,
        form: { n in n == 1 ? 0 : n % 10 >= 2 && n % 10 <= 4 && (n % 100 < 12 || n % 100 > 14) ? 1 : 2 })
}
