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
        La hauteur du véhicule n'est pas réglée. On suppose {value}.
        Veuillez confirmer la hauteur du véhicule : {value}.
        Devant
        Plus de sortie
        Voici un avertissement.
        Voici une alerte urgente.
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
        """,
        form: { n in n > 1 ? 1 : 0 })
}
