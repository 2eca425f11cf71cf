// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by .ci/check-languages --write, from po/pt.po.

extension Translation {
    static let portuguese = Translation(
        texts: """
        ,
        {n} m
        {n} km
        {n} milhas
        {n} jardas
        {n} pés
        {n} t
        {n} toneladas americanas
        a {distance}
        {n} toneladas
        {n} toneladas americanas
        a {n} quilómetros
        a {n} milhas
        Ponte baixa {limit}
        Passagem estreita {limit}
        Limite de comprimento {limit}
        Limite de peso {limit}
        Limite por eixo {limit}
        Ponte baixa, altura desconhecida
        Passagem estreita, largura desconhecida
        Limite de comprimento desconhecido
        Limite de peso desconhecido
        Limite por eixo desconhecido
        {hazard} {within}.
        {hazard}, {within}.
        {hazard} aqui.
        {hazard}: já não está à frente.
        Já não há saída antes.
        Última saída {within}
        Última saída {within} à esquerda
        Última saída {within} à direita
        Última saída {within} em frente
        Última saída {within} para trás
        {way}, {road}
        A sua altura é {value}.
        A sua largura é {value}.
        O seu comprimento é {value}.
        O seu peso é {value}.
        A sua carga por eixo é {value}.
        A sua altura não está definida, assume-se {value}.
        Válido: {condition}.
        À frente: {name}.
        {name}: já não está à frente.
        Perderam-se locais vigiados. Podem faltar pontes baixas.
        A altura do veículo não está definida. Assume-se {value}.
        Confirme a altura do veículo, por favor: {value}.
        À frente
        Sem saída
        É assim que soa um aviso.
        É assim que soa um alerta urgente.
        """,
        counted: """
        um metro|{n} metros
        um metro e {cm}|{n} metros e {cm}
        um pé|{n} pés
        um pé e {inches}|{n} pés e {inches}
        uma tonelada|{n} toneladas
        uma tonelada americana|{n} toneladas americanas
        a um metro|a {n} metros
        a um quilómetro|a {n} quilómetros
        a uma milha|a {n} milhas
        a uma jarda|a {n} jardas
        a um pé|a {n} pés
        E mais um.|E mais {n}.
        """,
        form: { n in n != 1 ? 1 : 0 })
}
