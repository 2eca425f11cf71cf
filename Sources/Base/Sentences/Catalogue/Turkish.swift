// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by .ci/check-languages --write, from po/tr.po.

extension Translation {
    static let turkish = Translation(
        texts: """
        ,
        {n} m
        {n} km
        {n} mil
        {n} yarda
        {n} fit
        {n} t
        {n} ABD tonu
        {distance} sonra
        {n} ton
        {n} Amerikan tonu
        {n} kilometre sonra
        {n} mil sonra
        Alçak köprü {limit}
        Dar geçit {limit}
        Uzunluk sınırı {limit}
        Ağırlık sınırı {limit}
        Dingil yükü sınırı {limit}
        Alçak köprü, yüksekliği bilinmiyor
        Dar geçit, genişliği bilinmiyor
        Uzunluk sınırı, bilinmiyor
        Ağırlık sınırı, bilinmiyor
        Dingil yükü sınırı, bilinmiyor
        {hazard}, {within}.
        {hazard}, {within}.
        {hazard}, burada.
        {hazard}: artık önünüzde değil.
        Ondan önce çıkış yok.
        Son çıkış {within}
        Son çıkış {within} solda
        Son çıkış {within} sağda
        Son çıkış {within} düz
        Son çıkış {within} geriye
        {way}, {road}
        Yüksekliğiniz {value}.
        Genişliğiniz {value}.
        Uzunluğunuz {value}.
        Ağırlığınız {value}.
        Dingil yükünüz {value}.
        Yüksekliğiniz ayarlanmamış, {value} varsayılıyor.
        Geçerli: {condition}.
        Önünüzde: {name}.
        {name}: artık önünüzde değil.
        İzlenen yerler kayboldu. Alçak köprüler eksik olabilir.
        Şu anda alçak köprüler için uyarı verilmiyor. Levhalara dikkat edin.
        Alçak köprüler için yeniden uyarı veriliyor.
        Aracın yüksekliği ayarlanmamış. {value} varsayılıyor.
        Lütfen aracın yüksekliğini onaylayın: {value}.
        Önünüzde
        Çıkış yok
        Bir uyarı böyle duyulur.
        Acil bir uyarı böyle duyulur.
        İzle
        Aracı izle (F)
        Tüm yol
        Tüm yol (0)
        Yakınlaştır
        Uzaklaştır
        Gece
        Gece renkleri (N)
        Listeler
        Listeler (L)
        Harita. Üzerindeki her şey listelerde de vardır.
        Kapat
        Açıklamalar
        içeride
        dışarıda
        bilinmiyor
        belirsiz
        dışarıda, pencerede
        şu anda izlenmiyor
        aracın aştığı veya aşabileceği sınır
        uyduğu sınır
        üst bölge
        araç ve hatası
        sayılmayan konum
        Şimdi içeride
        Önünüzde
        Olaylar
        Buradaki tüm bölgeler
        Bu sayfa nelerden oluşur
        burada
        konum kayıp
        konum biliniyor
        konum yok
        konum {n} / {total}
        Bölge yok.
        pencere {n} / {total}
        çıkış yok
        son çıkış {distance} sonra
        son çıkış geçildi
        {n} / {total}
        Olay yok.
        ve {n} tane daha
        {id} bölgesinin {n} numaralı olayı
        Olay {n}
        Bölge {id}
        araç sığıyor
        araç sığmıyor
        araçla karşılaştırılmadı: bir değer bilinmiyor
        olaylar: {n}
        Zaman içinde bölgeye işaretli uzaklık.
        Vericiler
        Sınır: yükseklik {limit}
        Sınır: genişlik {limit}
        Sınır: uzunluk {limit}
        Sınır: ağırlık {limit}
        Sınır: dingil yükü {limit}
        Daire {size}
        Çokgen
        Koridor, {size} genişlik
        son çıkış
        harita bekleniyor
        burada {n} bölge var: görmek için yaklaştırın
        geofenced {version} canlı. Yol bu sayfada 15 dakika tutulur, başka hiçbir yerde tutulmaz.
        Harita Leaflet ile çizilir, BSD lisansı.
        {span} önce
        harita yanıt vermiyor
        geofenced çalışmıyor
        geofenced çalışmıyor, başlangıç: {time}
        geofenced durduruldu, {time}
        geofenced yanıt vermiyor
        park edildi, alıcı dinleniyor
        konum yok
        kısıtlı: {list}
        geofencectl map komutunun gösterdiği adres gerekli
        harita sona erdi
        haritaya bağlantı yok
        {span} sonra
        Giriş: {name}
        Çıkış: {name}
        Kalış: {name}
        Zaten içeride: {name}
        Konum kayıp
        Konum yeniden var
        Önünüzde: {name}
        Acil: {name}
        Artık önünüzde değil: {name}
        Vericiler kayıp
        Vericiler yeniden var
        Çok hızlı: {name}
        Artık çok hızlı değil: {name}
        Durmadı: {name}
        Çok uzun: {name}
        Varmak üzere: {name}
        Artık yolda değil: {name}
        Yolculuk bitti
        Konum kaydedildi
        Olaylar kayboldu
        Araç çekiliyor
        Konum şüpheli
        Konum yeniden güvenilir
        Bölgeler kayboldu
        Artık eksik bölge yok
        {n} km/sa
        {n} mil/sa
        Çok hızlı. Sınır: {speed}.
        Diğer iletiler böyle duyulur.
        {n} sn
        {n} dk
        {n} sa
        Önceki olay (K)
        Sonraki olay (J)
        Sürüş zamanı
        Filo
        Şimdi
        Harita
        Gün
        Görünümler
        Araç, sürücü veya yer
        Araç: {n} · duyulan: {heard}
        Şimdi içeride
        Araç: {n} · yer: {places}
        İçeride: {n}
        ücretsiz: {span}
        {time} itibarıyla
        {span} fazla
        {span} kaldı
        sürücü yok
        Bakılacaklar
        Bakılacak bir şey yok.
        Kör: bölgeler kayıp
        Kör: konum yok
        Kör: geofenced çalışmıyor
        Kör: geofenced durduruldu
        Yükseklik girilmemiş
        Konum şüpheli
        Sessiz
        Bağlı değil
        Geride: olaylar araçta bekliyor
        Eksik olaylar var
        İçeride, sürücüsüz
        Kısıtlı
        Gösterilenden daha çok yerde
        tümü ({n})
        {n} yer daha
        Hiçbir yerde kimse yok.
        Hiçbir şey bulunamadı.
        {time} itibarıyla bağlantı yok
        Bu filoyu göremezsiniz.
        Veritabanı yanıt vermiyor.
        Şu anda aynı anda çok fazla şey soruluyor.
        Bu, tek bir yanıt için çok fazla.
        Her satır, aracın kendi kaydındaki bir olaydır. Saatler bu tarayıcınındır.
        hiçbir konumda görülmedi
        yere göre
        araca göre
        sürücüye göre
        Toplam
        Kalış: {n} · toplam: {span}
        hâlâ orada
        Önceki gün
        Sonraki gün
        Yazdır
        Yalnızca ilk {n} gösteriliyor; CSV hepsini içerir.
        Bir dosya için çok fazla kalış var: bir araç, sürücü veya yer arayın.
        Bu gün kalış yok.
        Aracın kaydettiği
        alındı {time}
        çıkarım
        Bir an …
        {n} g
        Tüm filo
        Harita: ok tuşları kaydırır, + ve − yakınlaştırır, uzaklaştırır
        Hiçbir yerde değil
        Yolda: bilinen son konum
        Yolda: konum gönderilmedi
        İçeride, ama alan bilinmiyor
        Nerede oldukları henüz bilinmiyor
        İçeride kimse yok
        Çizilmeyen diğer yerler: {n}
        Bu sayfa, yazdırıldığı gibi tam adrese gerek duyar.
        alıcı yok
        olaylar kaydedilemiyor
        bölgeler okunamıyor
        kayıtlı veriler bozulmuş olabilir
        bölgeler kayboldu
        olay günlüğü sonunu kaybetti
        bölgelerin kopyaları eksik
        bazı kayıtlı veriler bozuk
        olaylar kayboldu
        olaylar alınmıyor
        bölge dosyaları eksik
        bir bölge dosyası reddedildi
        başlangıçtan beri konum yok
        kontağın durumu bilinmiyor
        konum şüpheli
        alım bozuluyor
        anten arızalı
        burada çok fazla bölge var
        burada fazla bölge var: bazıları dışarıda kaldı
        günlük olayları almıyor
        veri yolu olayları almıyor
        konsol olayları almıyor
        durum kaydedilemiyor
        birkaç kez çöktü
        araç bilgileri kaybolabilir
        araç yüksekliği ayarlanmadı
        araç yüksekliği onaylanmadı
        işaretçiler duyulmuyor
        kesin
        güzergâhtan
        kararlı
        başlangıçta
        yeniden başlatma sonrası
        sıçrama sonrası
        bölge değiştirildi
        bölge kaldırıldı
        saptı
        geçildi
        araç değiştirildi
        konum kayboldu
        duyuldu
        sustu
        bağlandı
        elle
        saatlerine göre
        bölgenin süresi doldu
        geç öğrenildi
        çıkarım
        duyurusuz
        """,
        counted: """
        {n} metre
        {n} metre {cm}
        {n} fit
        {n} fit {inches}
        {n} ton
        {n} Amerikan tonu
        {n} metre sonra
        {n} kilometre sonra
        {n} mil sonra
        {n} yarda sonra
        {n} fit sonra
        Ve {n} tane daha.
        saatte {n} kilometre
        saatte {n} mil
        """,
        form: { _ in 0 })
}
