// The board of a fleet: what is now. Texts of the fleet become text and nothing else. Times are
// milliseconds since 1970, spans are seconds.

/** Rows of a place, places, and names in a list, before somebody asks for all of them. */
const FEW = 8, PLACES = 40, NAMES = 6;
/** Events that wait for a moment are no backlog. */
const BACKLOG = 50;
/** Where on a meter the free time ends. */
const FREE_AT = 0.47;
/** Less than this left of the free time, s, needs attention. */
const NEAR = 300;

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
        this.view = given.get('view') === 'day' ? 'day' : 'now';
        this.text = given.get('q') || '';
        this.day = /^\d{4}-\d\d-\d\d$/.test(given.get('day') || '') ? given.get('day') : '';
        this.by = ['place', 'driver'].includes(given.get('by')) ? given.get('by') : 'vehicle';
    }

    /** With those changes. */
    link(changes) {
        const to = { view: this.view, text: this.text, day: this.day, by: this.by, ...changes };
        const query = new URLSearchParams();
        if (to.view !== 'now') query.set('view', to.view);
        if (to.text) query.set('q', to.text);
        if (to.view === 'day' && to.day) query.set('day', to.day);
        if (to.view === 'day' && to.by !== 'vehicle') query.set('by', to.by);
        const text = query.toString();
        return location.pathname + (text ? '?' + text : '');
    }
}

/** What the server last said of now: see Sources/Fleet/Ingesting/Reporting/FleetNow.swift. */
class Fleet {
    constructor(json) {
        this.at = json.at;
        this.tenants = json.tenants;
        const isOne = json.tenants.length < 2;
        this.boxes = new Map();
        for (const [id, name, tenant, online, seen, heard, waiting, missing, degraded] of json.boxes) {
            this.boxes.set(id, { id, box: name, name: isOne ? name : tenant + '/' + name, online,
                seen, heard, waiting: waiting || 0, missing: missing || 0, degraded: degraded || [] });
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
        const wanted = text.toLocaleLowerCase();
        if (!wanted) return this.places;
        const has = value => value && value.toLocaleLowerCase().includes(wanted);
        return this.places.map(place => has(place.name) || has(place.fence) ? place
            : { ...place, stays: place.stays.filter(stay => has(stay.box.name) || has(stay.driver)) })
            .filter(place => place.stays.length);
    }

    /** What needs a look: a sign, its colour, a word, and the boxes, each with what is to say of it. */
    troubles() {
        const kinds = [
            ['!', 'leave', 'blind', box => box.degraded.includes('fences-lost')],
            ['!', 'leave', 'noReception', box => box.degraded.includes('source')],
            ['▲', 'hazard', 'height', box => box.degraded.includes('vehicle-unset')
                || box.degraded.includes('height-not-confirmed')],
            ['?', 'hazard', 'doubtful', box => box.degraded.includes('position-doubtful')],
            ['…', '', 'silent', box => !box.heard && box.online !== 'false', box => this.seen(box)],
            ['○', '', 'offline', box => box.online === 'false', box => this.seen(box)],
            ['≡', '', 'behind', box => box.waiting >= BACKLOG, box => box.waiting],
            ['#', '', 'missing', box => box.missing > 0, box => box.missing],
        ];
        const told = new Set(['fences-lost', 'source', 'vehicle-unset', 'height-not-confirmed',
            'position-doubtful', 'consumer-behind']);
        const others = box => box.degraded.filter(word => typeof word === 'string' && !told.has(word));
        kinds.push(['△', '', 'degraded', box => others(box).length, box => others(box).join(', ')]);
        const found = kinds.map(([sign, look, word]) => ({ sign, look, word, boxes: [] }));
        for (const box of this.boxes.values()) {
            const isWell = box.heard && box.online === 'true' && box.waiting < BACKLOG
                && box.missing === 0 && box.degraded.length === 0;
            if (isWell) continue;
            kinds.forEach(([, , , isSo, detail], index) => {
                if (isSo(box)) found[index].boxes.push({ box, detail });
            });
        }
        found.push({ sign: '–', look: '', word: 'driverless', boxes: this.places.flatMap(
            place => place.stays.filter(stay => !stay.driver)
                .map(stay => ({ box: stay.box }))) });
        return found.filter(each => each.boxes.length);
    }

    seen(box) { return box.seen === null ? '' : whenText(box.seen, this.at); }
}

/** The page: its address, its views, and what the server says. */
class Board {
    constructor() {
        translateMarkup();
        this.address = new Address();
        this.fleet = null;
        this.shown = PLACES;
        this.open = new Set();
        /** The server's clock less this one. */
        this.skew = 0;
        this.lost = null;
        /** When the fleet was first drawn, ms since the page was asked for. */
        this.drawnAt = 0;
        this.feed = new LiveFeed(name => { if (name === 'changed') this.ask(); },
            (isConnected, why) => this.connected(isConnected, why));
        this.day = new BoardDay(this);
        this.listen();
        this.show();
        this.feed.run();
        setInterval(() => this.tick(), 1000);
        this.tick();
    }

    get now() { return Date.now() + this.skew; }

    listen() {
        const search = byId('search');
        search.placeholder = say('search');
        search.setAttribute('aria-label', say('search'));
        search.addEventListener('input', () => this.look(search.value));
        byId('more').addEventListener('click', () => {
            this.shown += 10 * PLACES;
            this.draw();
        });
        byId('stay-close').addEventListener('click', () => byId('stay').close());
        byId('night').addEventListener('click', () => this.setNight(!this.isNight, true));
        document.addEventListener('keydown', event => {
            if (event.ctrlKey || event.metaKey || event.altKey) return;
            if (event.target instanceof HTMLInputElement || byId('stay').open) return;
            if (event.key === '/') { event.preventDefault(); search.focus(); }
            if (event.key === 'n' || event.key === 'N') this.setNight(!this.isNight, true);
        });
        document.addEventListener('click', event => {
            const link = event.target instanceof Element && event.target.closest('a[href]');
            if (!link || event.ctrlKey || event.metaKey
                || event.shiftKey) return;
            event.preventDefault();
            this.go(link.getAttribute('href'));
        });
        window.addEventListener('popstate', () => this.show());
        const dark = matchMedia('(prefers-color-scheme: dark)');
        const chosen = sessionStorage.getItem('night');
        this.setNight(chosen === null ? dark.matches : chosen === 'yes', false);
        dark.addEventListener('change', () => {
            if (sessionStorage.getItem('night') === null) this.setNight(dark.matches, false);
        });
    }

    setNight(isNight, isChosen) {
        this.isNight = isNight;
        document.documentElement.dataset.theme = isNight ? 'night' : 'day';
        byId('night').setAttribute('aria-pressed', String(isNight));
        if (isChosen) sessionStorage.setItem('night', isNight ? 'yes' : 'no');
    }

    /** To another view, which the button for going back leaves again. */
    go(link) {
        history.pushState(null, '', link);
        this.show();
        scrollTo(0, 0);
    }

    /** Looks for a text, in the view that is shown. */
    look(text) {
        history.replaceState(null, '', this.address.link({ text }));
        this.show();
    }

    /** What the address says. */
    show() {
        this.address.read();
        const { view, text } = this.address;
        if (byId('search').value !== text) byId('search').value = text;
        this.shown = PLACES;
        for (const each of ['now', 'day']) {
            byId(each).hidden = each !== view;
            const link = byId('view-' + each);
            link.href = this.address.link({ view: each });
            if (each === view) link.setAttribute('aria-current', 'page');
            else link.removeAttribute('aria-current');
        }
        this.draw();
        if (view === 'day') this.day.show();
    }

    /** Of a stay that is not over, as /v1/visits has it; null for nobody. */
    driverOf({ box, place }) {
        for (const each of this.fleet ? this.fleet.places : []) {
            if (each.fence !== place) continue;
            const stay = each.stays.find(stay => stay.box.box === box);
            if (stay) return stay.driver;
        }
        return null;
    }

    // What the server says.

    connected(isConnected, why) {
        if (isConnected) this.lost = null;
        else if (this.lost === null) this.lost = this.now;
        this.why = isConnected ? '' : why;
        this.tellTrouble();
    }

    /** One question at a time; what came meanwhile is asked for after it. */
    async ask() {
        if (this.isAsking) {
            this.again = true;
            return;
        }
        this.isAsking = true;
        do {
            this.again = false;
            const answer = await this.feed.answer('/v1/now');
            this.status = answer.status;
            if (answer.json) {
                this.fleet = new Fleet(answer.json);
                this.skew = this.fleet.at - Date.now();
                this.draw();
                requestAnimationFrame(() => { this.drawnAt = this.drawnAt || performance.now(); });
                if (this.address.view === 'day') this.day.refresh();
            }
            this.tellTrouble();
        } while (this.again);
        this.isAsking = false;
    }

    tellTrouble() {
        let text = '';
        if (this.lost !== null) {
            text = this.why === say('needsAddress') ? this.why
                : say('noConnection', { time: whenText(this.lost, this.now) });
        } else if (this.status === 401 || this.status === 403) text = say('refused');
        else if (this.status && this.status !== 200) text = say('noDatabase');
        const trouble = byId('trouble');
        trouble.hidden = !text;
        if (trouble.textContent !== text) trouble.textContent = text;
    }

    // What is seen.

    tick() {
        byId('clock').textContent = CLOCKS.zone.format(this.now);
        if (this.fleet && this.address.view === 'now') {
            const minute = Math.floor(this.now / 10000);
            if (minute !== this.minute) for (const run of this.running || []) run();
            this.minute = minute;
        }
    }

    draw() {
        const fleet = this.fleet;
        if (!fleet) return;
        byId('title').textContent = fleet.tenants.join(', ') || say('title');
        document.title = byId('title').textContent;
        let heard = 0, inside = 0;
        for (const box of fleet.boxes.values()) if (box.heard) heard += 1;
        byId('count').textContent = say('heard', { n: fleet.boxes.size, heard });
        if (this.address.view !== 'now') return;
        const places = fleet.found(this.address.text);
        for (const place of places) inside += place.stays.length;
        byId('at').textContent = say('at', { n: inside, places: places.length });
        this.running = [];
        const focused = document.activeElement && document.activeElement.dataset.key;
        const cards = places.slice(0, this.shown).map(place => this.card(place));
        if (!cards.length) {
            cards.push(made('p', 'empty', say(this.address.text ? 'notFound' : 'nobody')));
        }
        byId('places').replaceChildren(...cards);
        byId('more').hidden = places.length <= this.shown;
        byId('more').textContent = say('more', { n: places.length - this.shown });
        this.drawTroubles();
        // Who goes by keyboard stays where he was.
        if (focused) {
            const same = document.querySelector('[data-key="' + CSS.escape(focused) + '"]');
            if (same) same.focus({ preventScroll: true });
        }
    }

    card(place) {
        const card = made('article', 'card'), head = made('h3'), list = made('ul');
        head.append(made('span', '', place.name), made('small', '',
            say('inside', { n: place.stays.length }) + ' · '
            + say('free', { span: stayText(place.free) })));
        const key = place.tenant + '/' + place.fence;
        const isAll = this.open.has(key) || place.stays.length <= FEW + 1;
        for (const stay of isAll ? place.stays : place.stays.slice(0, FEW)) {
            list.append(this.stay(stay, place, key));
        }
        card.append(head, list);
        if (!isAll) {
            const all = made('button', 'wide', say('all', { n: place.stays.length }));
            all.type = 'button';
            all.dataset.key = 'all ' + key;
            all.addEventListener('click', () => {
                this.open.add(key);
                this.draw();
            });
            card.append(all);
        }
        return card;
    }

    stay(stay, place, key) {
        const row = made('li', 'stay'), meter = made('div', 'meter'), fill = made('i');
        const name = made('button', 'plain', stay.box.name), value = made('span', 'value');
        const since = made('span', 'since', (stay.isUnseen ? '≈ ' : '')
            + say('since', { time: whenText(stay.since, this.now) }));
        if (stay.isUnseen) since.title = '≈: ' + say('unseen');
        name.type = 'button';
        name.dataset.key = key + '/' + stay.box.id;
        name.addEventListener('click', () => this.day.tell({ box: stay.box.box,
            name: stay.box.name, place: stay.fence, title: place.name, driver: stay.driver,
            from: stay.since, to: null }));
        meter.setAttribute('aria-hidden', 'true');
        meter.append(fill, made('b'));
        const run = () => {
            const spent = Math.max(0, (this.now - stay.since) / 1000), left = place.free - spent;
            const share = place.free > 0 ? spent / place.free * FREE_AT : 1;
            fill.style.width = Math.min(100, share * 100) + '%';
            row.className = 'stay' + (left < 0 ? ' over' : left < NEAR ? ' near' : '');
            value.textContent = stayText(spent) + (left < 0
                ? ' · ' + say('over', { span: stayText(-left) })
                : left < NEAR ? ' · ' + say('left', { span: stayText(left) }) : '');
        };
        run();
        this.running.push(run);
        row.append(name, made('span', 'driver', stay.driver || say('noDriver')), since, meter, value);
        return row;
    }

    drawTroubles() {
        const troubles = this.fleet.troubles();
        const count = troubles.reduce((sum, each) => sum + each.boxes.length, 0);
        byId('look-count').textContent = count || '';
        const rows = troubles.map(({ sign, look, word, boxes }) => {
            const row = made('li'), head = made('b'), names = made('p');
            const mark = made('span', 'glyph ' + look, sign);
            mark.setAttribute('aria-hidden', 'true');
            head.append(made('span', '', say(word)), made('span', '', boxes.length));
            const isAll = this.open.has(word) || boxes.length <= NAMES + 1;
            for (const { box, detail } of isAll ? boxes : boxes.slice(0, NAMES)) {
                const more = detail ? detail(box) : '';
                const chip = made('button', 'chip', box.name + (more ? ' (' + more + ')' : ''));
                chip.type = 'button';
                chip.dataset.key = word + ' ' + box.id;
                chip.addEventListener('click', () => this.look(box.box));
                names.append(chip, ' ');
            }
            if (!isAll) {
                const all = made('button', 'chip', '… ' + say('all', { n: boxes.length }));
                all.type = 'button';
                all.addEventListener('click', () => {
                    this.open.add(word);
                    this.draw();
                });
                names.append(all);
            }
            row.append(mark, head, names);
            return row;
        });
        if (!rows.length) rows.push(made('p', 'empty', say('fine')));
        byId('look').replaceChildren(...rows);
    }
}
