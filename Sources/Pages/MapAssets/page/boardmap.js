// The map of a fleet: places as areas, and vehicles as the place that they are in, or else their last
// position where they send it. A vehicle without either is named beside the map.

/** Rows of the list before somebody asks for all of them. */
const ROWS = 40;

class BoardMap {
    constructor(board) {
        this.board = board;
        this.ask = oneAtATime(() => this.askOnce());
        /** What the server says: areas by place, and last events by vehicle. */
        this.areas = null;
        this.last = new Map();
        this.spots = [];
        this.shown = ROWS;
        this.open = new Set();
        /** What was looked for when all of it was shown. */
        this.fitted = null;
        this.drawnAt = 0;
        byId('whole').addEventListener('click', () => this.whole());
        byId('spots-more').addEventListener('click', () => {
            this.shown += 10 * ROWS;
            this.draw();
        });
    }

    static key(tenant, name) { return JSON.stringify([tenant, name]); }

    make() {
        this.map = L.map('chart', { zoomControl: false, attributionControl: false,
            zoomAnimation: false, fadeAnimation: false, minZoom: 2, maxZoom: 19, zoomSnap: 0.25, zoomDelta: 1,
            inertia: !matchMedia('(prefers-reduced-motion: reduce)').matches });
        this.quietly(() => this.map.setView([0, 0], 2));
        addZoomButtons(this.map);
        new OwnScale({ position: 'bottomright', imperial: false }).addTo(this.map);
        this.layer = new BoardLayer();
        this.layer.readColours();
        this.layer.addTo(this.map);
        this.map.on('click', click => this.tap(click.containerPoint));
        this.map.on('moveend', () => this.moved());
        new ResizeObserver(() => this.map.invalidateSize({ pan: false })).observe(byId('chart'));
    }

    /** A move of ours is not what somebody wants to see again. */
    quietly(move) {
        this.isQuiet = true;
        move();
        this.isQuiet = false;
    }

    /** What somebody has moved to is in the address. */
    moved() {
        if (this.isQuiet || this.board.address.view !== 'map') return;
        const { lat, lng } = this.map.getCenter();
        this.setPlace([lat.toFixed(5), unwrapped(lng, 0).toFixed(5), this.map.getZoom()].join());
    }

    setPlace(at) {
        history.replaceState(null, '', this.board.address.link({ at }));
        this.board.address.read();
        this.board.drawLinks();
    }

    show() {
        if (!this.map) this.make();
        this.map.invalidateSize({ pan: false });
        const { at } = this.board.address;
        if (at) {
            const [latitude, longitude, zoom] = at.split(',').map(Number);
            this.quietly(() => this.map.setView([latitude, longitude], zoom, { animate: false }));
        }
        this.draw();
        this.ask();
    }

    async askOnce() {
        const json = await this.board.feed.json('/v1/last');
        if (!json) return this.draw();
        const published = JSON.stringify(json.published);
        if (published !== this.published) {
            const answer = await this.board.feed.json('/v1/areas');
            if (answer) {
                this.published = published;
                this.take(answer);
            }
        }
        this.last = new Map(json.vehicles.map(([tenant, box, fence, title, isInside, since, latitude,
            longitude, located]) => [BoardMap.key(tenant, box), { fence, title: title || fence || '',
            isInside, since, latitude, longitude, located }]));
        this.draw();
    }

    take({ areas, more }) {
        this.areas = new Map();
        let near = 0;
        for (const each of areas) {
            const area = new BoardArea(each, near);
            if (!area.hasPlace) continue;
            if (!this.areas.size) near = (area.middle[0] - 0.5) * 360;
            this.areas.set(BoardMap.key(area.tenant, area.fence), area);
        }
        this.drawn = [...this.areas.values()];
        this.near = near;
        this.more = more;
    }

    // What is seen.

    /** Of each vehicle: the place that it entered last of those it is in; else its last event. */
    sort() {
        const { fleet, address } = this.board, has = matcher(address.text);
        const here = new Map(), places = new Map(), spots = [];
        const off = { onWay: [], noPosition: [], noArea: [], nothingKnown: [] };
        for (const place of fleet.places) {
            for (const stay of place.stays) {
                const known = here.get(stay.box);
                if (!known || stay.since > known.stay.since) here.set(stay.box, { place, stay });
            }
        }
        for (const area of this.areas.values()) {
            area.count = 0;
            area.isFound = has(area.title, area.fence);
        }
        const at = (latitude, longitude) => ({ x: mercatorX(unwrapped(longitude, this.near)),
            y: mercatorY(latitude) });
        for (const box of fleet.boxes.values()) {
            const known = here.get(box), last = this.last.get(BoardMap.key(box.tenant, box.box));
            const isTold = last && Number.isFinite(last.latitude) && Number.isFinite(last.longitude);
            const place = known ? known.place : null;
            const title = place ? place.name : last ? last.title : '';
            if (!has(box.name, title, place ? place.fence : '', known && known.stay.driver)) continue;
            const key = place && BoardMap.key(place.tenant, place.fence);
            const area = key && this.areas.get(key);
            if (area || known && isTold && last.isInside && last.fence === place.fence) {
                let spot = places.get(key);
                if (!spot) {
                    const [x, y] = area ? area.middle : [];
                    spot = { key, name: place.name, place, area, stays: [], isInside: true,
                        ...(area ? { x, y } : at(last.latitude, last.longitude)) };
                    places.set(key, spot);
                }
                spot.stays.push(known.stay);
            } else if (known) {
                off.noArea.push({ box, key, detail: () => title });
            } else if (last) {
                // A position between events is newer than the place that it left, if it left one.
                const detail = () => last.fence && !(last.located > last.since)
                    ? say('kindExit', { name: title }) + ', ' + whenText(last.since, this.board.now)
                    : whenText(last.located, this.board.now);
                if (isTold) {
                    spots.push({ key: 'box ' + box.id, name: box.name, count: 1, isInside: false,
                        ...at(last.latitude, last.longitude) });
                    off.onWay.push({ box, detail });
                } else off.noPosition.push({ box, detail });
            } else off.nothingKnown.push({ box });
        }
        for (const spot of places.values()) {
            spot.count = spot.stays.length;
            spot.stays.sort((one, other) => one.since - other.since);
            spot.first = spot.stays[0].since + spot.place.free * 1000;
            spot.isLate = spot.first < this.board.now;
            if (spot.area) {
                spot.area.count = spot.count;
                spot.area.isFound = true;
            }
        }
        const inside = [...places.values()].sort((one, other) => one.first - other.first
            || (one.name < other.name ? -1 : 1));
        return { inside, spots: [...spots, ...inside], off };
    }

    draw() {
        const { fleet, address } = this.board;
        if (!this.map || !fleet || !this.areas || address.view !== 'map') return;
        const { inside, spots, off } = this.sort();
        this.spots = spots;
        this.layer.take(this.drawn, spots);
        if (!address.at && this.fitted !== address.text && (spots.length || this.areas.size)) {
            this.fitted = address.text;
            this.fit();
        }
        // Who is inside is so too where the area is not known.
        const n = inside.reduce((count, spot) => count + spot.count, off.noArea.length);
        const places = new Set([...inside, ...off.noArea].map(each => each.key)).size;
        byId('map-at').textContent = say('at', { n, places });
        keepingFocus(() => {
            const rows = inside.slice(0, this.shown).map(spot => this.row(spot));
            const reason = rows.length ? '' : this.emptyText(off);
            if (reason) rows.push(made('li', 'empty', reason));
            byId('spots').replaceChildren(...rows);
            byId('spots-more').hidden = inside.length <= this.shown;
            byId('spots-more').textContent = say('more', { n: inside.length - this.shown });
            this.drawOff(off);
        });
        byId('map-note').hidden = !this.more;
        byId('map-note').textContent = say('notDrawn', { n: this.more });
        requestAnimationFrame(() => { this.drawnAt = this.drawnAt || performance.now(); });
    }

    /** Why no place is in the list; those that are named below it are no reason. */
    emptyText(off) {
        if (off.noArea.length) return say('noArea') + ': ' + off.noArea.length;
        if (!this.board.address.text) return say('nobody');
        return Object.values(off).some(boxes => boxes.length) ? '' : say('notFound');
    }

    /** A place in the list, with its vehicles when it is open. */
    row(spot) {
        const row = made('li'), head = made('button', 'spot'), isOpen = this.open.has(spot.key);
        const spent = stay => spentText((this.board.now - stay.since) / 1000, spot.place.free);
        head.type = 'button';
        head.dataset.key = 'spot ' + spot.key;
        head.setAttribute('aria-expanded', String(isOpen));
        head.append(made('span', 'name', spot.name),
            made('span', 'value' + (spot.isLate ? ' late' : ''), say('inside', { n: spot.count })
                + (spot.isLate ? ' · ' + say('over', { span: stayText((this.board.now - spot.first) / 1000) })
                    : '')));
        head.addEventListener('click', () => this.choose(spot, !isOpen));
        row.append(head);
        if (!isOpen) return row;
        const list = made('ul');
        for (const stay of spot.stays.slice(0, 10 * FEW)) {
            const each = made('li'), name = made('button', 'plain', stay.box.name);
            name.type = 'button';
            name.dataset.key = 'stay ' + spot.key + stay.box.id;
            name.addEventListener('click', () => this.board.tell(stay, spot.place));
            each.append(name, made('span', '', [(stay.isUnseen ? '≈ ' : '') + say('since',
                { time: whenText(stay.since, this.board.now) }), stay.driver || say('noDriver'),
            spent(stay)].join(' · ')));
            list.append(each);
        }
        row.append(list);
        if (spot.stays.length > 10 * FEW) {
            const all = made('a', 'wide', say('all', { n: spot.stays.length }));
            all.href = this.board.address.link({ view: 'now', text: spot.name });
            row.append(all);
        }
        return row;
    }

    /** Those that are on the way, and those of which no place is known. */
    drawOff(off) {
        const kinds = [['◆', 'note', 'onWay'], ['?', '', 'noPosition'], ['?', '', 'noArea'],
            ['–', '', 'nothingKnown']];
        const rows = kinds.filter(([, , word]) => off[word].length).map(([sign, look, word]) =>
            this.board.namesRow({ sign, look, word, boxes: off[word] }, box => this.find(box)));
        byId('off').replaceChildren(...rows);
        byId('off').hidden = !rows.length;
        byId('off-title').hidden = !rows.length;
    }

    // What somebody does.

    /** To a vehicle on the way; of others only the name is known. */
    find(box) {
        const spot = this.spots.find(each => each.key === 'box ' + box.id);
        if (spot) this.choose(spot, true);
        else this.board.look(box.box);
    }

    /** Opens a place, or closes it, and shows it in the map. */
    choose(spot, isOpen) {
        if (isOpen) this.open.add(spot.key);
        else this.open.delete(spot.key);
        this.layer.chosen = isOpen ? spot.key : null;
        if (isOpen) this.showBox(spot.area ? spot.area.box : [spot.x, spot.y, spot.x, spot.y], 14);
        this.draw();
    }

    tap(point) {
        const mark = this.layer.at(point);
        if (!mark) return;
        const [spot] = mark.spots;
        const isOne = mark.spots.length === 1 || this.map.getZoom() >= 18;
        if (!isOne) {
            const box = [Infinity, Infinity, -Infinity, -Infinity];
            for (const { x, y } of mark.spots) {
                box[0] = Math.min(box[0], x);
                box[1] = Math.min(box[1], y);
                box[2] = Math.max(box[2], x);
                box[3] = Math.max(box[3], y);
            }
            this.showBox(box, 18);
            this.moved();
            return;
        }
        for (const each of mark.spots) this.open.add(each.key);
        this.layer.chosen = spot.key;
        // What is chosen is in the list, however long that is.
        this.shown = Math.max(this.shown, this.spots.length);
        this.draw();
        const row = document.querySelector('[data-key="' + CSS.escape('spot ' + spot.key) + '"]');
        if (row) row.scrollIntoView({ block: 'nearest' });
    }

    showBox([west, north, east, south], zoom) {
        const corner = (x, y) => [Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) / DEGREE, (x - 0.5) * 360];
        this.quietly(() => this.map.fitBounds([corner(west, south), corner(east, north)],
            { padding: [48, 48], maxZoom: zoom, animate: false }));
    }

    /** All that is found; all places where nobody is. */
    fit() {
        const box = [Infinity, Infinity, -Infinity, -Infinity];
        const boxes = this.spots.length
            ? this.spots.map(({ x, y, area }) => area ? area.box : [x, y, x, y])
            : [...this.areas.values()].map(area => area.box);
        for (const each of boxes) {
            box[0] = Math.min(box[0], each[0]);
            box[1] = Math.min(box[1], each[1]);
            box[2] = Math.max(box[2], each[2]);
            box[3] = Math.max(box[3], each[3]);
        }
        if (boxes.length) this.showBox(box, 14);
    }

    whole() {
        this.setPlace('');
        this.fit();
    }

    /** The colours have changed. */
    repaint() { if (this.layer) this.layer.readColours(); }

    /** What is seen gets the size of paper, and that of the window again; drawn at once, for a printer does
     * not wait. */
    toPaper(isPaper) {
        if (!this.map || this.board.address.view !== 'map') return;
        if (isPaper) this.onScreen = [this.map.getCenter(), this.map.getZoom()];
        const bounds = this.map.getBounds();
        document.documentElement.classList.toggle('paper', isPaper);
        this.map.invalidateSize({ pan: false });
        this.quietly(() => {
            if (isPaper) this.map.fitBounds(bounds, { animate: false });
            else if (this.onScreen) this.map.setView(...this.onScreen, { animate: false });
        });
        this.layer.readColours();
        this.layer.draw();
    }
}
