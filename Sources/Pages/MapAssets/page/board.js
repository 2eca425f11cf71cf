// The page of the board: what is seen of now.

/** Rows of a place, places, and names in a list, before somebody asks for all of them. */
const FEW = 8, PLACES = 40, NAMES = 6;
/** Until a server that has too much to do is asked again, ms. */
const AGAIN = 2000;
/** Where on a meter the free time ends. */
const FREE_AT = 0.47;

/** The page: its address, its views, and what the server says. */
class Board {
    constructor() {
        translateMarkup();
        this.address = new Address();
        this.fleet = null;
        this.shown = PLACES;
        this.open = new Set();
        /** The cards that are shown, by place: what has not changed is not made again. */
        this.cards = new Map();
        /** The server's clock less this one. */
        this.skew = 0;
        this.lost = null;
        /** When the fleet was first drawn, ms since the page was asked for. */
        this.drawnAt = 0;
        this.ask = oneAtATime(() => this.askOnce());
        this.feed = new LiveFeed(name => { if (name === 'changed') this.ask(); },
            (isConnected, why) => this.connected(isConnected, why));
        this.day = new BoardDay(this);
        this.map = new BoardMap(this);
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
        // Paper is white.
        window.addEventListener('beforeprint', () => {
            document.documentElement.dataset.theme = 'day';
            this.map.toPaper(true);
        });
        window.addEventListener('afterprint', () => {
            this.setNight(this.isNight, false);
            this.map.toPaper(false);
        });
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
        this.map.repaint();
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
        this.drawLinks();
        this.draw();
        if (view === 'day') this.day.show();
        if (view === 'map') this.map.show();
    }

    drawLinks() {
        const { view } = this.address;
        for (const each of VIEWS) {
            byId(each).hidden = each !== view;
            const link = byId('view-' + each);
            link.href = this.address.link({ view: each });
            if (each === view) link.setAttribute('aria-current', 'page');
            else link.removeAttribute('aria-current');
        }
    }

    // What the server says.

    connected(isConnected, why) {
        if (isConnected) this.lost = null;
        else if (this.lost === null) this.lost = this.now;
        this.why = isConnected ? '' : why;
        this.tellTrouble();
    }

    async askOnce() {
        const answer = await this.feed.answer('/v1/now');
        this.status = answer.status;
        this.isBusy = answer.isBusy;
        if (answer.isBusy) setTimeout(() => this.ask(), AGAIN);
        if (answer.json) {
            this.fleet = new Fleet(answer.json);
            this.skew = this.fleet.at - Date.now();
            // The map has another question, and is drawn with its answer.
            if (this.address.view === 'map') {
                this.drawHead(this.fleet);
                await this.map.ask();
            } else this.draw();
            requestAnimationFrame(() => { this.drawnAt = this.drawnAt || performance.now(); });
            if (this.address.view === 'day') this.day.refresh();
        }
        this.tellTrouble();
    }

    tellTrouble() {
        let text = '';
        if (this.lost !== null) {
            text = this.why === say('needsAddress') ? this.why
                : say('noConnection', { time: whenText(this.lost, this.now) });
        } else if (this.status === 401 || this.status === 403) text = say('refused');
        else if (this.status === 413) text = say('tooMuch');
        else if (this.isBusy) text = say('busy');
        else if (this.status && this.status !== 200) text = say('noDatabase');
        else if (this.fleet && this.fleet.silent.length) {
            text = this.fleet.silent.map(shard => 'shard_' + shard).join(', ') + ': '
                + say('noDatabase');
        }
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
        this.drawHead(fleet);
        if (this.address.view === 'map') this.map.draw();
        if (this.address.view === 'now') keepingFocus(() => this.drawNow(fleet));
    }

    drawHead(fleet) {
        byId('title').textContent = fleet.tenants.join(', ') || say('title');
        document.title = byId('title').textContent;
        let heard = 0;
        for (const box of fleet.boxes.values()) if (box.heard) heard += 1;
        byId('count').textContent = say('heard', { n: fleet.boxes.size, heard });
    }

    drawNow(fleet) {
        let inside = 0;
        const places = fleet.found(this.address.text);
        for (const place of places) inside += place.stays.length;
        byId('at').textContent = say('at', { n: inside, places: places.length });
        this.running = [];
        const known = this.cards;
        this.cards = new Map();
        const cards = places.slice(0, this.shown).map(place => this.card(place, known));
        if (!cards.length) {
            cards.push(made('p', 'empty', say(this.address.text ? 'notFound' : 'nobody')));
        }
        const there = byId('places').children;
        if (cards.length !== there.length || cards.some((card, index) => card !== there[index])) {
            byId('places').replaceChildren(...cards);
        }
        for (const run of this.running) run();
        byId('more').hidden = places.length <= this.shown;
        byId('more').textContent = say('more', { n: places.length - this.shown });
        this.drawTroubles();
    }

    /** The card of a place: the one before, if it says the same. */
    card(place, known) {
        const key = place.tenant + '/' + place.fence;
        const isAll = this.open.has(key) || place.stays.length <= FEW + 1;
        const stays = isAll ? place.stays : place.stays.slice(0, FEW);
        const says = JSON.stringify([place.name, place.free, place.stays.length, isAll,
            new Date(this.now).toDateString(), stays.map(
                ({ box, since, driver, isUnseen }) => [box.id, box.name, since, driver, isUnseen])]);
        let shown = known.get(key);
        if (!shown || shown.says !== says) shown = { says, ...this.newCard(place, key, stays) };
        this.cards.set(key, shown);
        this.running.push(...shown.running);
        return shown.card;
    }

    newCard(place, key, stays) {
        const card = made('article', 'card'), head = made('h3'), list = made('ul');
        const running = [];
        head.append(made('span', '', place.name), made('small', '',
            say('inside', { n: place.stays.length }) + ' · '
            + say('free', { span: stayText(place.free) })));
        for (const stay of stays) list.append(this.stay(stay, place, key, running));
        card.append(head, list);
        if (stays.length < place.stays.length) {
            const all = made('button', 'wide', say('all', { n: place.stays.length }));
            all.type = 'button';
            all.dataset.key = 'all ' + key;
            all.addEventListener('click', () => {
                this.open.add(key);
                this.draw();
            });
            card.append(all);
        }
        return { card, running };
    }

    /** A row; what runs with the time is added to `running`. */
    stay(stay, place, key, running) {
        const row = made('li', 'stay'), meter = made('div', 'meter'), fill = made('i');
        const name = made('button', 'plain', stay.box.name), value = made('span', 'value');
        const since = made('span', 'since', (stay.isUnseen ? '≈ ' : '')
            + say('since', { time: whenText(stay.since, this.now) }));
        if (stay.isUnseen) since.title = '≈: ' + say('unseen');
        name.type = 'button';
        name.dataset.key = key + '/' + stay.box.id;
        name.addEventListener('click', () => this.tell(stay, place));
        meter.setAttribute('aria-hidden', 'true');
        meter.append(fill, made('b'));
        const run = () => {
            const spent = Math.max(0, (this.now - stay.since) / 1000), left = place.free - spent;
            const share = place.free > 0 ? spent / place.free * FREE_AT : 1;
            const text = spentText(spent, place.free);
            if (value.textContent === text) return;
            value.textContent = text;
            fill.style.width = Math.min(100, share * 100) + '%';
            row.className = 'stay' + (left < 0 ? ' over' : left < NEAR ? ' near' : '');
        };
        running.push(run);
        row.append(name, made('span', 'driver', stay.driver || say('noDriver')), since, meter, value);
        return row;
    }

    /** Shows what the vehicle has logged of a stay that is not over. */
    tell(stay, place) {
        this.day.tell({ box: stay.box.box, name: stay.box.name, place: stay.fence, title: place.name,
            driver: stay.driver, from: stay.since, to: null });
    }

    drawTroubles() {
        const troubles = this.fleet.troubles();
        const count = troubles.reduce((sum, each) => sum + each.boxes.length, 0);
        byId('look-count').textContent = count || '';
        const rows = troubles.map(each => this.namesRow(each, box => this.look(box.box)));
        if (!rows.length) rows.push(made('p', 'empty', say('fine')));
        byId('look').replaceChildren(...rows);
    }

    /** A row of vehicles of which the same is to say, and what a click does with one. */
    namesRow({ sign, look, word, boxes }, act) {
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
            chip.addEventListener('click', () => act(box));
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
    }
}
