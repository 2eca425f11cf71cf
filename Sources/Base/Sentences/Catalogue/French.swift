// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by .ci/check-languages --write, from po/fr.po.

extension Translation {
    static let french = Translation(
        texts: """
        ,
        {n} m
        {n} km
        {n} miles
        {n} yards
        {n} pieds
        {n} t
        {n} tonnes américaines
        dans {distance}
        {n} tonnes
        {n} tonnes américaines
        dans {n} kilomètres
        dans {n} mile
        Pont bas {limit}
        Passage étroit {limit}
        Longueur limitée à {limit}
        Poids limité à {limit}
        Charge par essieu limitée à {limit}
        Pont bas, hauteur inconnue
        Passage étroit, largeur inconnue
        Longueur limitée, valeur inconnue
        Poids limité, valeur inconnue
        Charge par essieu limitée, valeur inconnue
        {hazard} {within}.
        {hazard}, {within}.
        {hazard} ici.
        {hazard} : n'est plus devant.
        Plus de sortie avant.
        Dernière sortie {within}
        Dernière sortie {within} à gauche
        Dernière sortie {within} à droite
        Dernière sortie {within} tout droit
        Dernière sortie {within} en arrière
        {way}, {road}
        Vous faites {value} de haut.
        Vous faites {value} de large.
        Vous faites {value} de long.
        Vous pesez {value}.
        Votre charge par essieu est de {value}.
        Votre hauteur n'est pas réglée, {value} supposés.
        Valable : {condition}.
        Devant : {name}.
        {name} : n'est plus devant.
        Des lieux surveillés ont été perdus. Des ponts bas peuvent manquer.
        Les ponts bas ne sont pas signalés pour le moment. Surveillez les panneaux.
        Les ponts bas sont de nouveau signalés.
        La hauteur du véhicule n'est pas réglée. On suppose {value}.
        Veuillez confirmer la hauteur du véhicule : {value}.
        Devant
        Plus de sortie
        Voici un avertissement.
        Voici une alerte urgente.
        Suivre
        Suivre le véhicule (F)
        Tout le trajet
        Tout le trajet (0)
        Zoom avant
        Zoom arrière
        Nuit
        Couleurs pour la nuit (N)
        Listes
        Listes (L)
        Carte. Tout ce qu'elle montre est aussi dans les listes.
        Fermer
        Légende
        dedans
        dehors
        inconnu
        incertain
        dehors, dans la fenêtre
        non surveillé en ce moment
        limite que le véhicule dépasse, ou peut dépasser
        limite qu'il respecte
        métazone
        véhicule et son erreur
        position non retenue
        Dedans maintenant
        Devant
        Événements
        Toutes les zones ici
        De quoi cette page est faite
        ici
        position perdue
        position connue
        aucune position
        position {n} sur {total}
        Aucune zone.
        fenêtre {n} sur {total}
        aucune sortie
        dernière sortie dans {distance}
        dernière sortie dépassée
        {n} sur {total}
        Aucun événement.
        et {n} de plus
        Événement {n} de la zone {id}
        Événement {n}
        Zone {id}
        le véhicule passe
        le véhicule ne passe pas
        non comparé au véhicule : une valeur est inconnue
        événements : {n}
        Distance signée à la zone au cours du temps.
        Balises
        Limite : hauteur {limit}
        Limite : largeur {limit}
        Limite : longueur {limit}
        Limite : poids {limit}
        Limite : charge par essieu {limit}
        Cercle de {size}
        Polygone
        Couloir, {size} de large
        dernière sortie
        attend la carte
        {n} zones ici : agrandir pour les voir
        En direct de geofenced {version}. Le trajet reste 15 minutes dans cette page et nulle part ailleurs.
        Carte dessinée avec Leaflet, licence BSD.
        il y a {span}
        la carte ne répond pas
        geofenced n'est pas en marche
        geofenced n'est plus en marche depuis {time}
        geofenced a été arrêté, {time}
        geofenced ne répond pas
        garé, le récepteur se repose
        aucune position
        dégradé : {list}
        il faut l'adresse que geofencectl map a montrée
        la carte s'est arrêtée
        pas de connexion à la carte
        après {span}
        Entrée : {name}
        Sortie : {name}
        Séjour : {name}
        Déjà dedans : {name}
        Position perdue
        Position retrouvée
        Devant : {name}
        Urgent : {name}
        Plus devant : {name}
        Balises perdues
        Balises retrouvées
        Trop vite : {name}
        Plus trop vite : {name}
        Pas d'arrêt : {name}
        Trop longtemps : {name}
        Arrivée bientôt : {name}
        Plus en route : {name}
        Le trajet est terminé
        Position enregistrée
        Des événements sont perdus
        Le véhicule est remorqué
        Position douteuse
        Position de nouveau fiable
        Des zones sont perdues
        Aucune zone ne manque plus
        {n} km/h
        {n} mph
        Trop vite. La limite est de {speed}.
        Voici comment sonnent les autres messages.
        {n} s
        {n} min
        {n} h
        Événement précédent (K)
        Événement suivant (J)
        Temps du trajet
        Flotte
        Maintenant
        Carte
        Jour
        Vues
        Véhicule, conducteur ou lieu
        Véhicules : {n} · entendus : {heard}
        À l’intérieur
        Véhicules : {n} · lieux : {places}
        Présents : {n}
        gratuit : {span}
        depuis {time}
        {span} en trop
        reste {span}
        pas de conducteur
        À regarder
        Rien à signaler.
        Aveugle : des zones sont perdues
        Aveugle : pas de positions
        Aveugle : geofenced ne tourne pas
        Aveugle : geofenced a été arrêté
        Hauteur non réglée
        Position douteuse
        Muet
        Non connecté
        En retard : des événements attendent dans le véhicule
        Des événements manquent
        À l’intérieur sans conducteur
        Dégradé
        Dans plus de lieux que montré
        les {n}
        {n} autres lieux
        Personne n’est à l’intérieur.
        Rien n’a été trouvé.
        Pas de connexion depuis {time}
        Vous ne pouvez pas voir cette flotte.
        La base de données ne répond pas.
        Trop de demandes à la fois en ce moment.
        C’est trop pour une seule réponse.
        Chaque ligne est un événement du journal du véhicule. Les heures sont celles de ce navigateur.
        vu par aucune position
        par lieu
        par véhicule
        par conducteur
        Total
        Séjours : {n} · ensemble : {span}
        encore là
        Jour précédent
        Jour suivant
        Imprimer
        Seuls les {n} premiers sont montrés ; CSV les a tous.
        Il y a trop de séjours pour un fichier : cherchez un véhicule, un conducteur ou un lieu.
        Aucun séjour ce jour-là.
        Ce que le véhicule a enregistré
        reçu {time}
        déduit
        Un instant …
        {n} j
        Toute la flotte
        Carte : les flèches la déplacent, + et − changent l’échelle
        Hors de tout lieu
        En route : dernière position connue
        En route : aucune position envoyée
        À l’intérieur, mais la zone n’est pas connue
        On ne sait pas encore où ils sont
        Personne à l’intérieur
        Autres lieux non dessinés : {n}
        Cette page a besoin de l’adresse entière, telle qu’elle a été affichée.
        pas de récepteur
        les événements ne peuvent pas être enregistrés
        les zones ne peuvent pas être lues
        les données enregistrées sont peut-être endommagées
        des zones ont été perdues
        le journal des événements a perdu sa fin
        les copies des zones manquent
        certaines données enregistrées sont endommagées
        des événements ont été perdus
        les événements ne sont pas récupérés
        des fichiers de zones manquent
        un fichier de zones est refusé
        aucune position depuis le démarrage
        l’état du contact est inconnu
        la position est douteuse
        la réception est brouillée
        l'antenne est en défaut
        énormément de zones ici
        trop de zones ici : certaines sont omises
        le journal n'accepte pas les événements
        le bus n'accepte pas les événements
        la console n'accepte pas les événements
        l'état ne peut pas être enregistré
        plusieurs plantages
        les données du véhicule peuvent être perdues
        la hauteur du véhicule n'est pas réglée
        la hauteur du véhicule n'est pas confirmée
        les balises ne sont pas entendues
        certain
        par le trajet
        stable
        au début
        après un redémarrage
        après un saut
        la zone a été modifiée
        la zone a été supprimée
        a quitté la route
        franchi
        le véhicule a été modifié
        position perdue
        entendue
        muette
        attelée
        à la main
        selon ses horaires
        la zone a expiré
        appris tard
        déduit
        sans annonce
        """,
        counted: """
        {n} mètre|{n} mètres
        {n} mètre {cm}|{n} mètres {cm}
        {n} pied|{n} pieds
        {n} pied {inches}|{n} pieds {inches}
        {n} tonne|{n} tonnes
        {n} tonne américaine|{n} tonnes américaines
        dans {n} mètre|dans {n} mètres
        dans {n} kilomètre|dans {n} kilomètres
        dans {n} mile|dans {n} miles
        dans {n} yard|dans {n} yards
        dans {n} pied|dans {n} pieds
        Et {n} de plus.|Et {n} de plus.
        {n} kilomètre par heure|{n} kilomètres par heure
        {n} mile par heure|{n} miles par heure
        """,
        form: { n in n > 1 ? 1 : 0 })
}
