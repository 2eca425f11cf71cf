// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by .ci/check-languages --write, from po/es.po.

extension Translation {
    static let spanish = Translation(
        texts: """
        ,
        {n} m
        {n} km
        {n} millas
        {n} yardas
        {n} pies
        {n} t
        {n} toneladas cortas
        a {distance}
        {n} toneladas
        {n} toneladas cortas
        a {n} kilómetros
        a {n} millas
        Puente bajo {limit}
        Paso estrecho {limit}
        Límite de longitud {limit}
        Límite de peso {limit}
        Límite por eje {limit}
        Puente bajo, altura desconocida
        Paso estrecho, ancho desconocido
        Límite de longitud desconocido
        Límite de peso desconocido
        Límite por eje desconocido
        {hazard} {within}.
        {hazard}, {within}.
        {hazard} aquí.
        {hazard}: ya no está delante.
        Ya no hay salida antes.
        Última salida {within}
        Última salida {within} a la izquierda
        Última salida {within} a la derecha
        Última salida {within} todo recto
        Última salida {within} hacia atrás
        {way}, {road}
        Su altura es {value}.
        Su anchura es {value}.
        Su longitud es {value}.
        Su peso es {value}.
        Su carga por eje es {value}.
        Su altura no está configurada, se supone {value}.
        Vigente: {condition}.
        Delante: {name}.
        {name}: ya no está delante.
        Se han perdido lugares vigilados. Puede que falten puentes bajos.
        La altura del vehículo no está configurada. Se supone {value}.
        Por favor, confirme la altura del vehículo: {value}.
        Delante
        Sin salida
        Así suena un aviso.
        Así suena una alerta urgente.
        """,
        counted: """
        un metro|{n} metros
        un metro {cm}|{n} metros {cm}
        un pie|{n} pies
        un pie {inches}|{n} pies {inches}
        una tonelada|{n} toneladas
        una tonelada corta|{n} toneladas cortas
        a un metro|a {n} metros
        a un kilómetro|a {n} kilómetros
        a una milla|a {n} millas
        a una yarda|a {n} yardas
        a un pie|a {n} pies
        Y uno más.|Y {n} más.
        """,
        form: { n in n != 1 ? 1 : 0 })
}
