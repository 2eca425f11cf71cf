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
        De momento não há avisos de pontes baixas. Esteja atento aos sinais.
        Há novamente avisos de pontes baixas.
        A altura do veículo não está definida. Assume-se {value}.
        Confirme a altura do veículo, por favor: {value}.
        À frente
        Sem saída
        É assim que soa um aviso.
        É assim que soa um alerta urgente.
        Seguir
        Seguir o veículo (F)
        Toda a viagem
        Toda a viagem (0)
        Ampliar
        Reduzir
        Noite
        Cores para a noite (N)
        Listas
        Listas (L)
        Mapa. Tudo o que mostra está também nas listas.
        Fechar
        Legenda
        dentro
        fora
        desconhecido
        incerto
        fora, na janela
        não vigiado agora
        limite que o veículo excede, ou pode exceder
        limite que cumpre
        metazona
        veículo e o seu erro
        posição que não contou
        Dentro agora
        À frente
        Eventos
        Todas as zonas aqui
        De que é feita esta página
        aqui
        posição perdida
        posição conhecida
        sem posições
        posição {n} de {total}
        Nenhuma zona.
        janela {n} de {total}
        sem saída
        última saída a {distance}
        última saída passada
        {n} de {total}
        Nenhum evento.
        e mais {n}
        Evento {n} da zona {id}
        Evento {n}
        Zona {id}
        o veículo cabe
        o veículo não cabe
        não comparado com o veículo: falta um valor
        eventos: {n}
        Distância com sinal à zona ao longo do tempo.
        Balizas
        Limite: altura {limit}
        Limite: largura {limit}
        Limite: comprimento {limit}
        Limite: peso {limit}
        Limite: carga por eixo {limit}
        Círculo de {size}
        Polígono
        Corredor, {size} de largura
        última saída
        à espera do mapa
        {n} zonas aqui: amplie para as ver
        Em direto de geofenced {version}. O caminho fica 15 minutos nesta página e em mais lado nenhum.
        Mapa desenhado com Leaflet, licença BSD.
        há {span}
        o mapa não responde
        geofenced não está em execução
        geofenced não está em execução desde {time}
        geofenced foi parado, {time}
        geofenced não responde
        estacionado, o recetor descansa
        sem posição
        limitado: {list}
        precisa do endereço que geofencectl map mostrou
        o mapa terminou
        sem ligação ao mapa
        após {span}
        Entrada: {name}
        Saída: {name}
        Estadia: {name}
        Já dentro: {name}
        Posição perdida
        Posição recuperada
        À frente: {name}
        Urgente: {name}
        Já não está à frente: {name}
        Balizas perdidas
        Balizas recuperadas
        Demasiado rápido: {name}
        Já não demasiado rápido: {name}
        Não parou: {name}
        Demasiado tempo: {name}
        A chegar: {name}
        Já não a caminho: {name}
        A viagem terminou
        Posição registada
        Perderam-se eventos
        O veículo está a ser rebocado
        Posição duvidosa
        Posição de novo fiável
        Perderam-se zonas
        Já não falta nenhuma zona
        {n} km/h
        {n} mph
        Demasiado rápido. O limite é de {speed}.
        É assim que soam as outras mensagens.
        {n} s
        {n} min
        {n} h
        Evento anterior (K)
        Evento seguinte (J)
        Tempo da viagem
        Frota
        Agora
        Mapa
        Dia
        Vistas
        Veículo, motorista ou local
        Veículos: {n} · ouvidos: {heard}
        Agora dentro
        Veículos: {n} · locais: {places}
        Dentro: {n}
        livre: {span}
        desde {time}
        {span} a mais
        restam {span}
        sem motorista
        A verificar
        Nada a verificar.
        Cego: faltam zonas
        Cego: sem posições
        Cego: o geofenced não está a funcionar
        Cego: o geofenced foi parado
        Altura não definida
        Posição duvidosa
        Em silêncio
        Sem ligação
        Com atraso: eventos esperam no veículo
        Faltam eventos
        Dentro sem motorista
        Degradado
        Em mais locais do que os mostrados
        todos os {n}
        mais {n} locais
        Ninguém está dentro.
        Nada foi encontrado.
        Sem ligação desde {time}
        Não pode ver esta frota.
        A base de dados não responde.
        Neste momento há demasiados pedidos ao mesmo tempo.
        É demasiado para uma só resposta.
        Cada linha é um evento do registo do veículo. As horas são as deste navegador.
        não visto por nenhuma posição
        por local
        por veículo
        por motorista
        Total
        Estadias: {n} · no total: {span}
        ainda lá
        Dia anterior
        Dia seguinte
        Imprimir
        Só se mostram os primeiros {n}; CSV tem todos.
        Há estadias a mais para um ficheiro: procure um veículo, um motorista ou um local.
        Nenhuma estadia nesse dia.
        O que o veículo registou
        recebido {time}
        deduzido
        Um momento …
        {n} d
        Toda a frota
        Mapa: as setas movem-no, + e − mudam a escala
        Em nenhum local
        A caminho: última posição conhecida
        A caminho: nenhuma posição enviada
        Dentro, mas a área não é conhecida
        Ainda não se sabe onde estão
        Ninguém dentro
        Outros locais não desenhados: {n}
        Esta página precisa do endereço completo, tal como foi mostrado.
        sem recetor
        os eventos não podem ser guardados
        as zonas não podem ser lidas
        os dados guardados podem estar danificados
        perderam-se zonas
        o registo de eventos perdeu o seu fim
        faltam cópias das zonas
        alguns dados guardados estão danificados
        perderam-se eventos
        os eventos não estão a ser recolhidos
        faltam ficheiros de zonas
        um ficheiro de zonas é recusado
        sem posição desde o início
        não se conhece o estado da ignição
        a posição é duvidosa
        a receção está a sofrer interferências
        a antena tem uma avaria
        muitíssimas zonas aqui
        zonas a mais aqui: algumas ficam de fora
        o diário não aceita eventos
        o barramento não aceita eventos
        a consola não aceita eventos
        o estado não pode ser guardado
        falhou várias vezes
        os dados do veículo podem perder-se
        a altura do veículo não está definida
        a altura do veículo não está confirmada
        as balizas não são ouvidas
        certo
        pelo percurso
        estável
        no início
        após um reinício
        após um salto
        a zona foi alterada
        a zona foi removida
        saiu da estrada
        passado
        o veículo foi alterado
        posição perdida
        ouvida
        em silêncio
        engatado
        à mão
        pelo seu horário
        a zona expirou
        sabido tarde
        deduzido
        sem aviso
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
        um quilómetro por hora|{n} quilómetros por hora
        uma milha por hora|{n} milhas por hora
        """,
        form: { n in n != 1 ? 1 : 0 })
}
