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
        Aracın yüksekliği ayarlanmamış. {value} varsayılıyor.
        Lütfen aracın yüksekliğini onaylayın: {value}.
        Önünüzde
        Çıkış yok
        Bir uyarı böyle duyulur.
        Acil bir uyarı böyle duyulur.
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
        """,
        form: { _ in 0 })
}
