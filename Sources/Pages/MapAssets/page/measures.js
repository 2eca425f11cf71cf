'use strict';
// Measures and their texts. Degrees, metres, seconds, milliseconds.

const EARTH = 6371008.8;
const DEGREE = Math.PI / 180;

/** The longitude nearest to another, in degrees: lines over 180° stay in one piece. */
function unwrapped(longitude, near) {
    return longitude + 360 * Math.round((near - longitude) / 360);
}

/** Place in Web Mercator, 0…1 for the world: x of a longitude, y of a latitude. */
function mercatorX(longitude) { return longitude / 360 + 0.5; }

function mercatorY(latitude) {
    const sine = Math.sin(Math.max(-85.0511, Math.min(85.0511, latitude)) * DEGREE);
    return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}

/** The length of a metre at a latitude, in the unit of mercatorX and mercatorY. */
function mercatorMetre(latitude) {
    return 1 / (2 * Math.PI * EARTH * Math.max(Math.cos(latitude * DEGREE), 0.01));
}

/** Metres between two places, on the sphere: for lists, not for judging. */
function distanceBetween(latitudeA, longitudeA, latitudeB, longitudeB) {
    const a = Math.sin((latitudeB - latitudeA) * DEGREE / 2);
    const b = Math.sin((longitudeB - longitudeA) * DEGREE / 2);
    const chord = a * a + Math.cos(latitudeA * DEGREE) * Math.cos(latitudeB * DEGREE) * b * b;
    return 2 * EARTH * Math.asin(Math.min(1, Math.sqrt(chord)));
}

/** Degrees true from one place to another near it. */
function bearingBetween(latitudeA, longitudeA, latitudeB, longitudeB) {
    const east = (longitudeB - longitudeA) * Math.cos(latitudeA * DEGREE);
    return (Math.atan2(east, latitudeB - latitudeA) / DEGREE + 360) % 360;
}

/** Metres from the origin to the segment between two points of a plane. */
function distanceToSegment(ax, ay, bx, by) {
    const dx = bx - ax, dy = by - ay;
    const square = dx * dx + dy * dy;
    const share = square > 0 ? Math.max(0, Math.min(1, -(ax * dx + ay * dy) / square)) : 0;
    return Math.hypot(ax + share * dx, ay + share * dy);
}

/** "29 m", "1.5 km", "24 km". */
function metresText(metres) {
    const size = Math.abs(metres);
    if (size < 999.5) return Math.round(metres) + ' m';
    return (size < 9950 ? (metres / 1000).toFixed(1) : Math.round(metres / 1000)) + ' km';
}

/** What is left to go, rounded down as in what the driver hears: "70 m", "300 m", "1.4 km". */
function toGoText(metres) {
    const left = Math.max(0, metres);
    if (left < 100) return Math.floor(left / 10) * 10 + ' m';
    if (left < 1000) return Math.floor(left / 100) * 100 + ' m';
    const hundreds = Math.floor(left / 100);
    return Math.floor(hundreds / 10) + '.' + hundreds % 10 + ' km';
}

/** "80 km/h", or in the unit of the sign. */
function speedText(kmh, unit) {
    return unit === 'mph' ? Math.round(kmh / 1.609344) + ' mph' : Math.round(kmh) + ' km/h';
}

/** "2 s", "1 min 48 s", "2 h 05 min". */
function spanText(seconds) {
    const whole = Math.round(seconds);
    if (whole < 60) return whole + ' s';
    const two = number => String(number).padStart(2, '0');
    if (whole < 3600) return Math.floor(whole / 60) + ' min ' + two(whole % 60) + ' s';
    return Math.floor(whole / 3600) + ' h ' + two(Math.floor(whole / 60) % 60) + ' min';
}

/** "7:10", "1:02:30" of milliseconds. */
function passedText(milliseconds) {
    const whole = Math.max(0, Math.floor(milliseconds / 1000));
    const two = number => String(number).padStart(2, '0');
    const hours = Math.floor(whole / 3600);
    const rest = two(whole % 60);
    return hours > 0 ? hours + ':' + two(Math.floor(whole / 60) % 60) + ':' + rest
        : Math.floor(whole / 60) + ':' + rest;
}

/** "02:29:56" UTC of milliseconds since 1970; with a fraction "02:29:54.2". */
function clockText(milliseconds, hasFraction) {
    if (!Number.isFinite(milliseconds)) return '';
    const date = new Date(milliseconds);
    if (Number.isNaN(date.getTime())) return '';
    return date.toISOString().slice(11, hasFraction ? 21 : 19);
}
