// What the board knows: its address, what the server says of the fleet, and how times are written.
// Texts of the fleet become text and nothing else. Times are milliseconds since 1970, spans are seconds.

/** Less than this left of the free time, s, needs attention. */
const NEAR = 300;
/** Those of the address. */
const VIEWS = ['now', 'map', 'day'];
/** Events that wait for a moment are no backlog. */
const BACKLOG = 50;

/** An element with that class and text. */
function made(name, className, text) {
    const element = document.createElement(name);
    if (className) element.className = className;
    if (text !== undefined && text !== null) element.textContent = text;
    return element;
}

function byId(id) { return document.getElementById(id); }

const CLOCKS = (() => {
    const of = options => new Intl.DateTimeFormat(document.documentElement.lang, options);
    const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };
    return { time: of(time), long: of({ day: 'numeric', month: 'short', ...time }),
        year: of({ day: 'numeric', month: 'short', year: 'numeric', ...time }),
        day: of({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }),
        zone: of({ ...time, second: '2-digit', timeZoneName: 'short' }) };
})();

/** "07:41" of this day, "24 Nov, 07:41" of another one, and the year of another year. */
function whenText(milliseconds, now) {
    const date = new Date(milliseconds), other = new Date(now);
    if (Number.isNaN(date.getTime())) return '–';
    if (date.toDateString() === other.toDateString()) return CLOCKS.time.format(date);
    return (date.getFullYear() === other.getFullYear() ? CLOCKS.long : CLOCKS.year).format(date);
}

/** Whether one of some values, which may be missing, contains a text in any case. */
function matcher(text) {
    const wanted = text.toLocaleLowerCase();
    return (...values) => !wanted
        || values.some(value => value && value.toLocaleLowerCase().includes(wanted));
}

/** Does that, and leaves who goes by keyboard where he was. */
function keepingFocus(draw) {
    const focused = document.activeElement && document.activeElement.dataset.key;
    draw();
    if (!focused) return;
    const same = document.querySelector('[data-key="' + CSS.escape(focused) + '"]');
    if (same) same.focus({ preventScroll: true });
}

/** "1 h 36 min · 51 min over" of a stay, and of the time that is free. */
function spentText(spent, free) {
    const left = free - Math.max(0, spent);
    return stayText(spent) + (left < 0 ? ' · ' + say('over', { span: stayText(-left) })
        : left < NEAR ? ' · ' + say('left', { span: stayText(left) }) : '');
}

/** "12 min", "1 h 36 min", "3 d 2 h". */
function stayText(seconds) {
    const minutes = Math.max(0, Math.floor(seconds / 60)), hours = Math.floor(minutes / 60);
    if (hours < 1) return say('minutes', { n: minutes });
    if (hours < 48) {
        return say('hours', { n: hours }) + ' '
            + say('minutes', { n: String(minutes % 60).padStart(2, '0') });
    }
    return say('days', { n: Math.floor(hours / 24) }) + ' ' + say('hours', { n: hours % 24 });
}

/** What the address says: the view, and what is looked for. It can be mailed. */
class Address {
    constructor() { this.read(); }

    read() {
        const given = new URLSearchParams(location.search);
        this.view = VIEWS.includes(given.get('view')) ? given.get('view') : 'now';
        this.text = given.get('q') || '';
        this.day = /^\d{4}-\d\d-\d\d$/.test(given.get('day') || '') ? given.get('day') : '';
        // Where the map is: latitude, longitude, zoom.
        this.at = /^-?\d{1,2}(\.\d+)?,-?\d{1,3}(\.\d+)?,\d{1,2}(\.\d+)?$/.test(given.get('at') || '')
            ? given.get('at') : '';
        this.by = ['place', 'driver'].includes(given.get('by')) ? given.get('by') : 'vehicle';
    }

    /** With those changes. */
    link(changes) {
        const to = { view: this.view, text: this.text, day: this.day, by: this.by,
            at: this.at, ...changes };
        const query = new URLSearchParams();
        if (to.view !== 'now') query.set('view', to.view);
        if (to.text) query.set('q', to.text);
        if (to.view === 'day' && to.day) query.set('day', to.day);
        if (to.view === 'day' && to.by !== 'vehicle') query.set('by', to.by);
        if (to.view === 'map' && to.at) query.set('at', to.at);
        const text = query.toString();
        return location.pathname + (text ? '?' + text : '');
    }
}

/** What the server last said of now: see Sources/Fleet/Ingesting/Reporting/FleetNow.swift. */
class Fleet {
    constructor(json) {
        this.at = json.at;
        this.tenants = json.tenants;
        this.silent = json.silent;
        const isOne = json.tenants.length < 2;
        this.boxes = new Map();
        for (const [id, name, tenant, online, seen, heard, waiting, missing, degraded, leftOut,
            , absence, since] of json.boxes) {
            this.boxes.set(id, { id, tenant, box: name, name: isOne ? name : tenant + '/' + name, online,
                seen, heard, waiting: waiting || 0, missing: missing || 0, degraded: degraded || [],
                leftOut: leftOut || 0, absence, since: Date.parse(since) });
        }
        this.places = json.places.map(([tenant, fence, title, free, inside]) => ({
            tenant, fence, name: (title || fence) + (isOne ? '' : ' (' + tenant + ')'), free,
            stays: inside.map(([box, since, driver, isUnseen]) => ({
                box: this.boxes.get(box), since, driver, isUnseen, fence })).filter(stay => stay.box),
        })).filter(place => place.stays.length);
        // The one that has been over its free time for longest is the first.
        for (const place of this.places) place.first = place.stays[0].since + place.free * 1000;
        this.places.sort((one, other) => one.first - other.first
            || (one.name < other.name ? -1 : 1));
    }

    /** The places with what matches a text: all of a place whose name does. */
    found(text) {
        if (!text) return this.places;
        const has = matcher(text);
        return this.places.map(place => has(place.name, place.fence) ? place
            : { ...place, stays: place.stays.filter(stay => has(stay.box.name, stay.driver)) })
            .filter(place => place.stays.length);
    }

    /** What needs a look: a sign, its colour, a word, and the boxes, each with what is to say of it. */
    troubles() {
        // One that is silent or gone is told as that alone.
        const absent = word => box => box.absence === word && box.heard && box.online === 'true';
        const kinds = [
            ['!', 'leave', 'noDaemon', absent('no-daemon'), box => this.since(box)],
            ['!', 'leave', 'stopped', absent('stopped'), box => this.since(box)],
            ['!', 'leave', 'blind', box => box.degraded.includes('fences-lost')],
            ['!', 'leave', 'noReception', box => box.degraded.includes('source')],
            ['▲', 'hazard', 'height', box => box.degraded.includes('vehicle-unset')
                || box.degraded.includes('height-not-confirmed')],
            ['?', 'hazard', 'doubtful', box => box.degraded.includes('position-doubtful')],
            ['…', '', 'silent', box => !box.heard && box.online !== 'false', box => this.seen(box)],
            ['○', '', 'offline', box => box.online === 'false', box => this.seen(box)],
            ['≡', '', 'behind', box => box.waiting >= BACKLOG, box => box.waiting],
            ['#', '', 'missing', box => box.missing > 0, box => box.missing],
            ['+', '', 'leftOut', box => box.leftOut > 0, box => box.leftOut],
        ];
        const told = new Set(['fences-lost', 'source', 'vehicle-unset', 'height-not-confirmed',
            'position-doubtful', 'consumer-behind']);
        const others = box => box.degraded.filter(word => typeof word === 'string' && !told.has(word));
        kinds.push(['△', '', 'degraded', box => others(box).length, box => others(box).join(', ')]);
        const found = kinds.map(([sign, look, word]) => ({ sign, look, word, boxes: [] }));
        for (const box of this.boxes.values()) {
            const isWell = box.heard && box.online === 'true' && box.waiting < BACKLOG
                && box.missing === 0 && box.degraded.length === 0 && box.leftOut === 0 && !box.absence;
            if (isWell) continue;
            kinds.forEach(([, , , isSo, detail], index) => {
                if (isSo(box)) found[index].boxes.push({ box, detail });
            });
        }
        // A fleet that names nobody has no drivers.
        const stays = this.places.flatMap(place => place.stays);
        if (stays.some(stay => stay.driver)) {
            const boxes = new Set(stays.filter(stay => !stay.driver).map(stay => stay.box));
            found.push({ sign: '–', look: '', word: 'driverless',
                boxes: [...boxes].map(box => ({ box })) });
        }
        return found.filter(each => each.boxes.length);
    }

    since(box) { return Number.isFinite(box.since) ? say('since', { time: whenText(box.since, this.at) }) : ''; }

    seen(box) { return box.seen === null ? '' : whenText(box.seen, this.at); }
}

/** A question that is asked once at a time; what is wished for meanwhile is asked after it. */
function oneAtATime(ask) {
    let isAsking = false, again = false;
    return async () => {
        again = true;
        if (isAsking) return;
        isAsking = true;
        while (again) {
            again = false;
            await ask();
        }
        isAsking = false;
    };
}
