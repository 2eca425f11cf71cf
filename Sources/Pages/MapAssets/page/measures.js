// Measures and their texts. Degrees, metres, seconds, milliseconds.

/** Whose page it is: his units and whose clock, which a page of a drive that is over does not say. */
const READER = (() => {
    const { units, unitsOfSigns, zone } = document.body.dataset;
    const language = document.documentElement.lang;
    const reader = { units: units || 'metric', isOfSigns: unitsOfSigns !== 'false',
        zone: zone === undefined ? 'UTC' : zone, isEnglish: language.startsWith('en') };
    const options = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' };
    const of = more => {
        try {
            return new Intl.DateTimeFormat(language, { ...more, timeZone: zone || undefined });
        } catch (error) { return new Intl.DateTimeFormat('en', more); }
    };
    reader.clock = of(options);
    reader.zoneName = of({ ...options, timeZoneName: 'short' });
    return reader;
})();

/** A text in the reader's language; of po/geofenced.pot, "page-follow" is "follow". */
function say(key, values) {
    const text = Object.hasOwn(WORDS, key) ? WORDS[key] : key;
    return text.replace(/\{(\w+)\}/g,
        (all, name) => values && Object.hasOwn(values, name) ? values[name] : all);
}

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

/** "29 m", "1.5 km", "24 km"; "95 ft", "0.9 miles". */
function metresText(metres) {
    const size = Math.abs(metres);
    if (READER.units === 'metric') {
        if (size < 999.5) return say('metres', { n: Math.round(metres) });
        return say('kilometres', { n: roughText(metres / 1000) });
    }
    if (size >= MILE / 10) return say('miles', { n: roughText(metres / MILE) });
    return READER.units === 'us' ? say('feet', { n: Math.round(metres / FOOT) })
        : say('yards', { n: Math.round(metres / (3 * FOOT)) });
}

const FOOT = 0.3048;
const MILE = 5280 * FOOT;

/** With one decimal below ten. */
function roughText(number) {
    return Math.abs(number) < 9.95 ? decimalText(number, 1) : String(Math.round(number));
}

/** With the decimal separator of the language. */
function decimalText(number, places) {
    return number.toFixed(places).replace('.', WORDS.decimalPoint);
}

/** What is left to go, rounded down as in what the driver hears: "70 m", "300 m", "1.4 km". */
function toGoText(metres) {
    const left = Math.max(0, metres);
    const down = step => Math.floor(left / step + 1e-9);
    if (READER.units === 'metric') {
        if (left < 100) return say('metres', { n: down(10) * 10 });
        if (left < 1000) return say('metres', { n: down(100) * 100 });
        return say('kilometres', { n: decimalText(down(100) / 10, 1) });
    }
    if (left >= MILE / 10) return say('miles', { n: decimalText(down(MILE / 10) / 10, 1) });
    return READER.units === 'us' ? say('feet', { n: down(100 * FOOT) * 100 })
        : say('yards', { n: down(150 * FOOT) * 50 });
}

/** "80 km/h", or in the unit of the sign, where the driver has not chosen another. */
function speedText(kmh, unit) {
    const own = READER.units === 'metric' ? 'km/h' : 'mph';
    return numberText(kmh, READER.isOfSigns && unit ? unit : own);
}

function numberText(kmh, unit) {
    const own = unit === 'mph' ? kmh / (MILE / 1000) : kmh;
    return say(unit === 'mph' ? 'mph' : 'kmh', { n: Number.isNaN(own) ? '\u2013' : Math.round(own) });
}

/** "2 s", "1 min 48 s", "2 h 05 min". */
function spanText(seconds) {
    const whole = Math.round(seconds);
    const [rest, minutes, hours] = [whole % 60, Math.floor(whole / 60) % 60, Math.floor(whole / 3600)];
    if (whole < 60) return say('seconds', { n: whole });
    const two = number => String(number).padStart(2, '0');
    if (whole < 3600) return say('minutes', { n: minutes }) + ' ' + say('seconds', { n: two(rest) });
    return say('hours', { n: hours }) + ' ' + say('minutes', { n: two(minutes) });
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

/** "02:29:56" by the reader's clock, of milliseconds since 1970; with a fraction "02:29:54.2". */
function clockText(milliseconds, hasFraction) {
    if (!Number.isFinite(milliseconds)) return '';
    const date = new Date(milliseconds);
    if (Number.isNaN(date.getTime())) return '';
    const iso = date.toISOString();
    if (READER.zone === 'UTC') return iso.slice(11, hasFraction ? 21 : 19);
    return READER.clock.format(date) + (hasFraction ? iso.slice(19, 21) : '');
}

/** What the clock is called then: "UTC", "CET", "GMT+2". */
function zoneText(milliseconds) {
    if (READER.zone === 'UTC' || !Number.isFinite(milliseconds)) return 'UTC';
    const part = READER.zoneName.formatToParts(new Date(milliseconds))
        .find(each => each.type === 'timeZoneName');
    return part ? part.value : '';
}
