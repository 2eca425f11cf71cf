// The page: what is shown at a time of the drive, and what people do with it.

const RATES = [1, 2, 5, 10, 20, 60];

class DrivePage {
    constructor(drive) {
        this.drive = drive;
        this.time = drive.begin;
        this.rate = 10;
        this.isPlaying = false;
        this.follows = false;
        this.event = null;
        this.fence = null;
        this.shownEvents = -1;
        this.shownFix = -1;
        this.byKnowing = drive.events.map(event => event.known);
        for (let i = 1; i < this.byKnowing.length; i++) {
            this.byKnowing[i] = Math.max(this.byKnowing[i], this.byKnowing[i - 1]);
        }
        translateMarkup();
        this.makeMap();
        this.connect();
        const dark = matchMedia('(prefers-color-scheme: dark)');
        this.setNight(dark.matches);
        // A system that turns to the night takes the page with it.
        dark.addEventListener('change', () => this.setNight(dark.matches));
        this.fillFences();
        this.fillMade();
        this.showAll();
        this.seek(drive.begin);
        this.takeHash();
    }

    makeMap() {
        this.map = L.map('map', {
            zoomControl: false, attributionControl: false, zoomAnimation: false,
            fadeAnimation: false, minZoom: 2, maxZoom: 20, zoomSnap: 0.25, zoomDelta: 1,
            keyboard: true, inertia: !matchMedia('(prefers-reduced-motion: reduce)').matches,
        });
        this.map.setView([0, 0], 2);
        addZoomButtons(this.map);
        new OwnScale({ position: 'bottomright', metric: READER.units === 'metric',
            imperial: READER.units !== 'metric' }).addTo(this.map);
        this.layer = new DriveLayer(this.drive);
        this.layer.addTo(this.map);
        this.map.on('dragstart', () => this.setFollow(false));
        this.map.on('click', click => this.tap(click));
    }

    connect() {
        const on = (id, action) => document.getElementById(id).addEventListener('click', action);
        on('follow', () => this.setFollow(!this.follows));
        on('whole', () => this.showAll());
        on('night', () => this.setNight(!this.isNight));
        on('lists', () => this.toggleLists());
        on('play', () => this.setPlaying(!this.isPlaying));
        on('rate', () => {
            this.rate = RATES[(RATES.indexOf(this.rate) + 1) % RATES.length];
            document.getElementById('rate').textContent = '×' + this.rate;
        });
        on('back', () => this.step(-1));
        on('next', () => this.step(1));
        on('card-close', () => this.choose(null, null));
        document.addEventListener('keydown', key => this.press(key));
        window.addEventListener('hashchange', () => this.takeHash());
        new ResizeObserver(() => {
            this.map.invalidateSize({ pan: false });
            this.drawBar();
            this.drawCard();
        }).observe(document.getElementById('middle'));
        const bar = document.getElementById('bar');
        const drag = event => {
            const box = bar.getBoundingClientRect();
            const share = Math.max(0, Math.min(1, (event.clientX - box.left) / box.width));
            this.seek(this.drive.begin + share * (this.drive.end - this.drive.begin));
        };
        bar.addEventListener('pointerdown', event => {
            bar.setPointerCapture(event.pointerId);
            drag(event);
        });
        bar.addEventListener('pointermove', event => {
            if (bar.hasPointerCapture(event.pointerId)) drag(event);
        });
    }

    press(key) {
        if (key.ctrlKey || key.altKey || key.metaKey) return;
        const isSlider = document.activeElement === document.getElementById('bar');
        const onButton = document.activeElement instanceof HTMLButtonElement
            || document.activeElement instanceof HTMLElement
                && document.activeElement.tagName === 'SUMMARY';
        const second = 1000 * (key.shiftKey ? 10 : 1);
        const actions = {
            'f': () => this.setFollow(!this.follows), 'n': () => this.setNight(!this.isNight),
            'l': () => this.toggleLists(), 'j': () => this.step(1), 'k': () => this.step(-1),
            '0': () => this.showAll(), 'escape': () => this.choose(null, null),
        };
        // A button that has the focus takes the space bar itself, the map takes the arrows.
        if (!onButton) actions[' '] = () => this.setPlaying(!this.isPlaying);
        if (isSlider) {
            actions.arrowright = actions.arrowup = () => this.seek(this.time + second);
            actions.arrowleft = actions.arrowdown = () => this.seek(this.time - second);
            actions.home = () => this.seek(this.drive.begin);
            actions.end = () => this.seek(this.drive.end);
        }
        const action = actions[key.key.toLowerCase()];
        if (!action) return;
        key.preventDefault();
        action();
    }

    // Time

    /** Shows the drive at that time. */
    seek(time) {
        this.time = Math.max(this.drive.begin, Math.min(this.drive.end, time));
        this.update();
    }

    /** How many events are known at the present time. */
    get knownEvents() { return Drive.lastAt(this.byKnowing, this.time) + 1; }

    /** Whether the list of events begins with the last. */
    get isNewestFirst() { return false; }

    setPlaying(isPlaying) {
        if (isPlaying && this.time >= this.drive.end) this.time = this.drive.begin;
        this.isPlaying = isPlaying && this.drive.end > this.drive.begin;
        const button = document.getElementById('play');
        button.setAttribute('aria-label', this.isPlaying ? 'Pause' : 'Play');
        document.getElementById('play-shape').setAttribute(
            'd', this.isPlaying ? 'M6 4h4v16H6zM14 4h4v16h-4z' : 'M7 4l13 8-13 8z');
        if (!this.isPlaying) return;
        this.choose(null, null);
        this.setFollow(true);
        let last = performance.now();
        const tick = now => {
            if (!this.isPlaying) return;
            const before = this.knownEvents;
            // A tab that was asleep does not jump.
            this.seek(this.time + Math.min(now - last, 200) * this.rate);
            last = now;
            if (this.knownEvents > before) this.announce(this.drive.events[this.knownEvents - 1]);
            if (this.time >= this.drive.end) this.setPlaying(false);
            else requestAnimationFrame(tick);
        };
        requestAnimationFrame(tick);
    }

    /** To the next or the previous event. */
    step(direction) {
        const events = this.drive.events;
        if (events.length === 0) return;
        let index = this.event ? this.event.index + direction
            : direction > 0 ? this.knownEvents : this.knownEvents - 1;
        index = Math.max(0, Math.min(events.length - 1, index));
        this.open(events[index]);
    }

    // What is shown

    update() {
        const drive = this.drive;
        const fix = drive.fixAt(this.time);
        const events = this.knownEvents;
        const window = drive.windowAt(fix);
        const view = this.layer.view;
        view.time = this.time;
        view.fix = fix;
        view.events = events;
        view.place = drive.count ? drive.placeAt(this.time) : null;
        view.event = this.event;
        view.fence = this.fence ? this.fence.index : -1;
        if (events !== this.shownEvents) {
            view.presences = drive.presences(events);
            view.isLost = drive.isLost(events);
            this.fillEvents(events);
        }
        if (window !== view.window) {
            view.window = window;
            view.inWindow = new Set(window ? window.regions : []);
        }
        if (fix !== this.shownFix || events !== this.shownEvents) this.fillLists(fix, view);
        this.shownFix = fix;
        this.shownEvents = events;
        this.fillHead(fix, view);
        if (this.follows && view.place) {
            this.map.setView([view.place.latitude, view.place.longitude], this.map.getZoom(),
                { animate: false });
        }
        this.layer.request();
        this.drawBar();
    }

    // What is chosen

    /** Shows an event, its fixes and why it was told. */
    open(event) {
        this.setPlaying(false);
        this.setFollow(false);
        if (event.fix !== undefined) this.time = event.known;
        this.choose(event, event.region === undefined ? null : this.drive.fences[event.region]);
        if (event.place) {
            // Live, an event may be older than the way that is kept.
            const drive = this.drive, fix = event.fix;
            const reach = Math.max(60, 3 * (drive.error[fix] || 0),
                Math.min(400, (drive.speed[fix] || 10) * 9));
            this.fit(this.boxAround(event.place.latitude, event.place.longitude, reach)
                .concat(this.fence ? this.fence.sectionPlaces : []));
        }
        this.announce(event);
    }

    openFence(fence) {
        this.setPlaying(false);
        this.setFollow(false);
        this.choose(null, fence);
        if (!fence.hasPlace) return;
        const [west, north, east, south] = fence.box;
        this.fit([[this.latitudeOf(south), (west - 0.5) * 360],
            [this.latitudeOf(north), (east - 0.5) * 360]]);
    }

    choose(event, fence) {
        this.event = event;
        this.fence = fence;
        const hash = fence ? '#fence=' + encodeURIComponent(fence.id) : '';
        try {
            if (location.hash !== hash) history.replaceState(null, '', hash || location.pathname + location.search);
        } catch (error) { /* A page in a mail program may have no address. */ }
        this.shownEvents = -1;
        document.getElementById('card').hidden = !event && !fence;
        this.update();
        this.fillCard();
    }

    announce(event) {
        const alert = document.getElementById('alert'), kind = kindOf(event);
        const text = saidText(event) || headline(event);
        // Said at once, over what a screen reader is saying.
        const isUrgent = event.json.kind === 'urgent';
        alert.setAttribute('role', isUrgent ? 'alert' : 'status');
        alert.setAttribute('aria-live', isUrgent ? 'assertive' : 'polite');
        alert.textContent = kind.sign + ' ' + text;
        alert.className = 'shown ' + kind.look;
        clearTimeout(this.alertTimer);
        this.alertTimer = setTimeout(() => { alert.className = ''; }, 4000);
    }

    tap(click) {
        const found = this.layer.at(click.containerPoint, click.latlng);
        if (!found) this.choose(null, null);
        else if (found.event) this.open(found.event);
        else this.openFence(found.fence);
    }

    takeHash() {
        const match = /^#fence=(.*)$/.exec(location.hash);
        if (!match) return;
        let id = match[1];
        try { id = decodeURIComponent(id); } catch (error) { /* as it is written */ }
        const fence = this.drive.fences.find(each => each.id === id);
        if (fence && fence !== this.fence) this.openFence(fence);
    }

    // The map

    setFollow(follows) {
        this.follows = follows;
        document.getElementById('follow').setAttribute('aria-pressed', String(follows));
        if (!follows || !this.drive.count) return;
        if (this.map.getZoom() < 11) this.map.setZoom(14, { animate: false });
        this.update();
    }

    setNight(isNight) {
        this.isNight = isNight;
        document.documentElement.dataset.theme = isNight ? 'night' : 'day';
        document.getElementById('night').setAttribute('aria-pressed', String(isNight));
        this.layer.readColours();
        this.drawBar();
        this.drawCard();
    }

    toggleLists() {
        const isHidden = document.body.classList.toggle('no-lists');
        document.getElementById('lists').setAttribute('aria-pressed', String(!isHidden));
    }

    showAll() {
        const drive = this.drive;
        this.setFollow(false);
        let box = [Infinity, Infinity, -Infinity, -Infinity];
        const add = (west, north, east, south) => {
            box = [Math.min(box[0], west), Math.min(box[1], north), Math.max(box[2], east),
                Math.max(box[3], south)];
        };
        for (let i = 0; i < drive.count; i++) add(drive.x[i], drive.y[i], drive.x[i], drive.y[i]);
        if (drive.count === 0) for (const fence of drive.fences) if (fence.hasPlace) add(...fence.box);
        if (!(box[2] >= box[0])) return;
        this.fit([[this.latitudeOf(box[3]), (box[0] - 0.5) * 360],
            [this.latitudeOf(box[1]), (box[2] - 0.5) * 360]]);
    }

    /** Degrees of latitude of a y of the map. */
    latitudeOf(y) {
        return 2 * Math.atan(Math.exp((0.5 - y) * 2 * Math.PI)) / DEGREE - 90;
    }

    boxAround(latitude, longitude, metres) {
        const north = metres / (EARTH * DEGREE);
        const east = north / Math.max(0.01, Math.cos(latitude * DEGREE));
        return [[latitude - north, longitude - east], [latitude + north, longitude + east]];
    }

    /** Shows these bounds beside the card; on a map too small for both, behind it. */
    fit(bounds) {
        const size = this.map.getSize();
        if (size.x < 60 || size.y < 60) return;
        const card = document.getElementById('card');
        const box = card.getBoundingClientRect();
        const map = document.getElementById('map').getBoundingClientRect();
        // The part of the map that the card hides, from the left and from below.
        const wide = box.right - map.left, high = map.bottom - box.top;
        // Above the card or to its right, where there is more room; below the alert.
        const above = size.y - high, right = size.x - wide;
        const isAbove = card.hidden || above / size.y > right / size.x;
        const left = isAbove || right < 100 ? 24 : wide;
        const below = card.hidden || !isAbove || above < 100 ? 24 : Math.max(24, high);
        this.map.fitBounds(bounds, { animate: false, maxZoom: 18,
            paddingTopLeft: [left, size.y - below > 200 ? 76 : 24],
            paddingBottomRight: [24, below] });
    }
}

Object.assign(DrivePage.prototype, pageLists, pageCard, pageTimeBar);
