// SPDX-License-Identifier: Apache-2.0
//
// The types that the interfaces of geofenced name in their annotations for qdbusxml2cpp. Call
// registerGeofenceTypes() once before the first call.
#ifndef GEOFENCE_TYPES_H
#define GEOFENCE_TYPES_H

#include <QtCore/QList>
#include <QtCore/QMap>
#include <QtCore/QString>
#include <QtCore/QVariantMap>
#include <QtDBus/QDBusArgument>
#include <QtDBus/QDBusMetaType>

// One of several that follow each other in a structure of D-Bus.
#define GEOFENCE_STRUCTURE(Type, write, read)                                      \
    Q_DECLARE_METATYPE(Type)                                                       \
    inline QDBusArgument &operator<<(QDBusArgument &to, const Type &it)            \
    { to.beginStructure(); to write; to.endStructure(); return to; }               \
    inline const QDBusArgument &operator>>(const QDBusArgument &from, Type &it)    \
    { from.beginStructure(); from read; from.endStructure(); return from; }

// (sa{sv}): an id with details, of a fence, an origin, a consumer or a beacon.
struct GeofenceEntry { QString id; QVariantMap details; };
GEOFENCE_STRUCTURE(GeofenceEntry, << it.id << it.details, >> it.id >> it.details)
// (ss): an id with a warning.
struct GeofencePair { QString first, second; };
GEOFENCE_STRUCTURE(GeofencePair, << it.first << it.second, >> it.first >> it.second)
// (tsua{sv}): number, fence and kind of an event, with its details.
struct GeofenceEvent { qulonglong seq; QString fence; uint kind; QVariantMap details; };
GEOFENCE_STRUCTURE(GeofenceEvent, << it.seq << it.fence << it.kind << it.details,
                   >> it.seq >> it.fence >> it.kind >> it.details)
// (sud): a region with the presence in it and its distance, m.
struct GeofenceRegion { QString id; uint presence; double distance; };
GEOFENCE_STRUCTURE(GeofenceRegion, << it.id << it.presence << it.distance,
                   >> it.id >> it.presence >> it.distance)
// (utt): a presence, and since when: realtime, monotonic, µs.
struct GeofenceState { uint presence; qulonglong since, monotonic; };
GEOFENCE_STRUCTURE(GeofenceState, << it.presence << it.since << it.monotonic,
                   >> it.presence >> it.since >> it.monotonic)
// (sqqa{sv}): a beacon that was heard.
struct GeofenceBeacon { QString uuid; ushort major, minor; QVariantMap details; };
GEOFENCE_STRUCTURE(GeofenceBeacon, << it.uuid << it.major << it.minor << it.details,
                   >> it.uuid >> it.major >> it.minor >> it.details)
// (dd): degrees.
struct GeofencePosition { double latitude, longitude; };
GEOFENCE_STRUCTURE(GeofencePosition, << it.latitude << it.longitude, >> it.latitude >> it.longitude)
// (dddd): degrees.
struct GeofenceBox { double west, south, east, north; };
GEOFENCE_STRUCTURE(GeofenceBox, << it.west << it.south << it.east << it.north,
                   >> it.west >> it.south >> it.east >> it.north)

typedef QList<GeofenceEntry> GeofenceEntries;
typedef QList<GeofencePair> GeofencePairs;
typedef QList<GeofenceEvent> GeofenceEvents;
typedef QList<GeofenceRegion> GeofenceRegions;
typedef QList<GeofenceBeacon> GeofenceBeacons;
typedef QList<GeofencePosition> GeofencePositions;
typedef QList<QVariantMap> GeofenceMaps;
typedef QList<uint> GeofenceNumbers;
typedef QMap<QString, GeofenceState> GeofenceStates;
typedef QMap<QString, QVariantMap> GeofenceNamedMaps;
typedef QMap<QString, QString> GeofenceTexts;
typedef QMap<QString, qulonglong> GeofenceCounters;

Q_DECLARE_METATYPE(GeofenceStates)
Q_DECLARE_METATYPE(GeofenceNamedMaps)
Q_DECLARE_METATYPE(GeofenceTexts)
Q_DECLARE_METATYPE(GeofenceCounters)

inline void registerGeofenceTypes()
{
    qDBusRegisterMetaType<GeofenceEntries>();
    qDBusRegisterMetaType<GeofenceEntry>();
    qDBusRegisterMetaType<GeofencePairs>();
    qDBusRegisterMetaType<GeofencePair>();
    qDBusRegisterMetaType<GeofenceEvents>();
    qDBusRegisterMetaType<GeofenceEvent>();
    qDBusRegisterMetaType<GeofenceRegions>();
    qDBusRegisterMetaType<GeofenceRegion>();
    qDBusRegisterMetaType<GeofenceBeacons>();
    qDBusRegisterMetaType<GeofenceBeacon>();
    qDBusRegisterMetaType<GeofencePositions>();
    qDBusRegisterMetaType<GeofencePosition>();
    qDBusRegisterMetaType<GeofenceBox>();
    qDBusRegisterMetaType<GeofenceMaps>();
    qDBusRegisterMetaType<GeofenceNumbers>();
    qDBusRegisterMetaType<GeofenceState>();
    qDBusRegisterMetaType<GeofenceStates>();
    qDBusRegisterMetaType<GeofenceNamedMaps>();
    qDBusRegisterMetaType<GeofenceTexts>();
    qDBusRegisterMetaType<GeofenceCounters>();
}

#endif
