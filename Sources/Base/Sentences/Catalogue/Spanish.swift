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
        Por ahora no hay avisos de puentes bajos. Fíjese en las señales.
        Vuelve a haber avisos de puentes bajos.
        La altura del vehículo no está configurada. Se supone {value}.
        Por favor, confirme la altura del vehículo: {value}.
        Delante
        Sin salida
        Así suena un aviso.
        Así suena una alerta urgente.
        Seguir
        Seguir al vehículo (F)
        Todo el viaje
        Todo el viaje (0)
        Acercar
        Alejar
        Noche
        Colores para la noche (N)
        Listas
        Listas (L)
        Mapa. Todo lo que muestra está también en las listas.
        Cerrar
        Leyenda
        dentro
        fuera
        desconocido
        incierto
        fuera, en la ventana
        no vigilado ahora
        límite que el vehículo supera, o puede superar
        límite que cumple
        metazona
        vehículo y su error
        posición que no contó
        Dentro ahora
        Delante
        Eventos
        Todas las zonas aquí
        De qué está hecha esta página
        aquí
        posición perdida
        posición conocida
        sin posiciones
        posición {n} de {total}
        Ninguna zona.
        ventana {n} de {total}
        sin salida
        última salida a {distance}
        última salida pasada
        {n} de {total}
        Ningún evento.
        y {n} más
        Evento {n} de la zona {id}
        Evento {n}
        Zona {id}
        el vehículo cabe
        el vehículo no cabe
        no comparado con el vehículo: falta un valor
        eventos: {n}
        Distancia con signo a la zona en el tiempo.
        Balizas
        Límite: altura {limit}
        Límite: anchura {limit}
        Límite: longitud {limit}
        Límite: peso {limit}
        Límite: carga por eje {limit}
        Círculo de {size}
        Polígono
        Corredor, {size} de ancho
        última salida
        espera el mapa
        {n} zonas aquí: acerque para verlas
        En directo de geofenced {version}. El camino queda 15 minutos en esta página y en ningún otro sitio.
        Mapa dibujado con Leaflet, licencia BSD.
        hace {span}
        el mapa no responde
        geofenced no está en marcha
        geofenced no está en marcha desde {time}
        geofenced se detuvo, {time}
        geofenced no responde
        aparcado, el receptor descansa
        sin posición
        limitado: {list}
        necesita la dirección que mostró geofencectl map
        el mapa ha terminado
        sin conexión con el mapa
        tras {span}
        Entrada: {name}
        Salida: {name}
        Estancia: {name}
        Ya dentro: {name}
        Posición perdida
        Posición recuperada
        Delante: {name}
        Urgente: {name}
        Ya no está delante: {name}
        Balizas perdidas
        Balizas recuperadas
        Demasiado rápido: {name}
        Ya no demasiado rápido: {name}
        No paró: {name}
        Demasiado tiempo: {name}
        Llegando: {name}
        Ya no llega: {name}
        El trayecto ha terminado
        Posición registrada
        Se han perdido eventos
        El vehículo es remolcado
        Posición dudosa
        Posición fiable de nuevo
        Se han perdido zonas
        Ya no falta ninguna zona
        {n} km/h
        {n} mph
        Demasiado rápido. El límite es de {speed}.
        Así suenan los demás mensajes.
        {n} s
        {n} min
        {n} h
        Evento anterior (K)
        Evento siguiente (J)
        Tiempo del viaje
        Flota
        Ahora
        Mapa
        Día
        Vistas
        Vehículo, conductor o lugar
        Vehículos: {n} · oídos: {heard}
        Ahora dentro
        Vehículos: {n} · lugares: {places}
        Dentro: {n}
        libre: {span}
        desde {time}
        {span} de más
        quedan {span}
        sin conductor
        Por revisar
        Nada por revisar.
        Ciego: faltan zonas
        Ciego: sin posiciones
        Ciego: geofenced no está en marcha
        Ciego: geofenced fue detenido
        Altura sin indicar
        Posición dudosa
        En silencio
        Sin conexión
        Con retraso: eventos esperan en el vehículo
        Faltan eventos
        Dentro sin conductor
        Degradado
        En más lugares de los que se muestran
        los {n}
        {n} lugares más
        No hay nadie dentro.
        No se encuentra nada.
        Sin conexión desde {time}
        No puede ver esta flota.
        La base de datos no responde.
        En este momento hay demasiadas consultas a la vez.
        Es demasiado para una sola respuesta.
        Cada línea es un evento del registro del vehículo. Las horas son las de este navegador.
        no visto por ninguna posición
        por lugar
        por vehículo
        por conductor
        Total
        Estancias: {n} · en total: {span}
        todavía allí
        Día anterior
        Día siguiente
        Imprimir
        Solo se muestran los primeros {n}; CSV los tiene todos.
        Hay demasiadas estancias para un archivo: busque un vehículo, un conductor o un lugar.
        Ninguna estancia ese día.
        Lo que registró el vehículo
        recibido {time}
        deducido
        Un momento …
        {n} d
        Toda la flota
        Mapa: las flechas lo mueven, + y − cambian la escala
        En ningún lugar
        En camino: última posición conocida
        En camino: no se envió ninguna posición
        Dentro, pero no se conoce el área
        Aún no se sabe dónde están
        Nadie dentro
        Otros lugares sin dibujar: {n}
        Esta página necesita la dirección completa, tal como se mostró.
        sin receptor
        no se pueden guardar los eventos
        no se pueden leer las zonas
        los datos guardados pueden estar dañados
        se han perdido zonas
        el registro de eventos ha perdido su final
        faltan copias de las zonas
        algunos datos guardados están dañados
        se han perdido eventos
        los eventos no se están recogiendo
        faltan archivos de zonas
        se rechaza un archivo de zonas
        sin posición desde el inicio
        no se conoce el estado del contacto
        la posición es dudosa
        la recepción está interferida
        la antena falla
        muchísimas zonas aquí
        demasiadas zonas aquí: algunas se omiten
        el diario no acepta eventos
        el bus no acepta eventos
        la consola no acepta eventos
        no se puede guardar el estado
        se ha bloqueado varias veces
        los datos del vehículo pueden perderse
        la altura del vehículo no está indicada
        la altura del vehículo no está confirmada
        no se oyen las balizas
        seguro
        por el recorrido
        estable
        al inicio
        tras un reinicio
        tras un salto
        la zona se cambió
        la zona se eliminó
        se ha desviado
        pasado
        el vehículo se cambió
        posición perdida
        oída
        en silencio
        enganchado
        a mano
        por su horario
        la zona ha caducado
        sabido tarde
        deducido
        sin aviso
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
        un kilómetro por hora|{n} kilómetros por hora
        una milla por hora|{n} millas por hora
        """,
        form: { n in n != 1 ? 1 : 0 })
}
