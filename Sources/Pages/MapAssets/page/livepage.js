// The page of a drive that is under way.

/** m/s from which on the vehicle moves, and the page for the cab keeps quiet. */
const MOVING = 1.5;
/** A warning stays as long as this, ms, unless the hazard is cleared before. */
const WARNING = 60000;
const WARNINGS = ['advisory', 'urgent'];
/** Without a sign of life, or a fix, for longer than this, ms, what is shown is the past. */
const PAST = 3000;

/** Pictures of our own server, which wants the token: an image cannot say it. */
const OwnTiles = L.GridLayer.extend({
    initialize(feed, options) {
        L.setOptions(this, options);
        this.feed = feed;
    },

    createTile(coords, done) {
        const size = this.getTileSize(), canvas = document.createElement('canvas');
        canvas.width = size.x;
        canvas.height = size.y;
        this.feed.ask('/tiles/' + coords.z + '/' + coords.x + '/' + coords.y).then(async answer => {
            if (!answer) return done(null, canvas);
            const picture = await createImageBitmap(await answer.blob());
            canvas.getContext('2d').drawImage(picture, 0, 0, size.x, size.y);
            picture.close();
            done(null, canvas);
        }).catch(error => done(error, canvas));
        return canvas;
    },
});

class LivePage extends DrivePage {
    constructor(drive) {
        super(drive);
        this.logID = null;
        this.generation = null;
        this.wanted = new Set();
        this.feed = new LiveFeed((name, json) => this.take(name, json),
            (isConnected, why) => this.setConnected(isConnected, why));
        this.isCab = new URLSearchParams(location.search).has('cab');
        document.body.classList.toggle('cab', this.isCab);
        /** Why there is no connection. */
        this.unconnected = say('waiting');
        this.isAbsent = false;
        this.absence = '';
        this.isSilent = false;
        this.isResting = false;
        /** When the map has last said anything, and when the last fix came, by this page's clock. */
        this.signAt = performance.now();
        this.fixAt = null;
        setInterval(() => this.watchClock(), 250);
        this.addTiles();
        this.map.on('moveend', () => this.askFences());
        this.feed.run();
        this.update();
        this.takeHash();
    }

    // What the live page has otherwise than that of a drive that is over

    get knownEvents() { return this.drive.events.length; }

    /** What has happened just now is what one looks for. */
    get isNewestFirst() { return true; }

    setPlaying() { /* It goes by itself. */ }

    fillFences() {
        const list = document.getElementById('fences');
        list.replaceChildren();
        super.fillFences();
        const cells = this.drive.cells;
        if (cells) {
            list.append(element('li', 'empty',
                say('zoomIn', { n: cells.total })));
        }
    }

    /** Beacons have no place on the map, so their rows are not links. */
    fillLists(fix, view) {
        super.fillLists(fix, view);
        const inside = document.getElementById('inside');
        const empty = inside.querySelector('.empty');
        if (empty && this.drive.beacons.length) empty.remove();
        for (const beacon of this.drive.beacons) {
            const since = (this.time - Date.parse(beacon.since)) / 1000;
            const made = row('inside', beacon.uncertain ? '?' : '●', beacon.title || beacon.id,
                since >= 0 ? spanText(since) : '');
            made.button.disabled = true;
            inside.append(made.item);
        }
    }

    fillMade() {
        const made = document.getElementById('made');
        made.replaceChildren(element('p', '',
            say('liveFrom', { version: this.version || '' }).replace(' .', '.')));
        made.append(element('p', '', say('leaflet')));
    }

    fillHead(fix, view) {
        super.fillHead(fix, view);
        const problem = this.problem, past = this.past;
        document.getElementById('source').textContent = past || this.state || '';
        const health = document.getElementById('health');
        health.classList.toggle('past', Boolean(past));
        if (past) health.setAttribute('aria-label', past);
        document.body.classList.toggle('stale', Boolean(problem));
        document.body.classList.toggle('past', Boolean(past));
        document.body.classList.toggle('degraded', Boolean(this.isDegraded && !past));
        const age = this.fixAge;
        document.getElementById('age').textContent = age >= PAST - 1000
            ? say('ago', { span: spanText(Math.floor(age / 1000)) }) : '';
        // How fast it was is not how fast it is.
        if (past && this.drive.count) document.getElementById('speed').textContent = speedText(NaN);
    }

    /** Why nothing is known of the present; empty if it is. */
    get problem() {
        if (this.unconnected) return this.unconnected;
        if (performance.now() - this.signAt > PAST) return say('mapSilent');
        if (this.isAbsent) return this.absence;
        return this.isSilent ? say('daemonSilent') : '';
    }

    /** The same, or why the last fix is not the present; empty if it is. */
    get past() {
        if (this.problem) return this.problem;
        if (!(this.fixAge > PAST)) return '';
        return say(this.isResting ? 'resting' : 'noFix');
    }

    /** ms since the last fix came; NaN before the first. */
    get fixAge() { return this.fixAt === null ? NaN : performance.now() - this.fixAt; }

    /** Time passes though nothing is said. */
    watchClock() {
        const age = this.fixAge;
        const shown = this.past + (age >= PAST - 1000 ? Math.floor(age / 1000) : '');
        if (shown === this.shownClock) return;
        this.shownClock = shown;
        this.fillHead(this.drive.fixAt(this.time), this.layer.view);
    }

    /** A warning stays; in the cab nothing else is said while the vehicle moves. */
    announce(event) {
        const isWarning = WARNINGS.includes(event.json.kind);
        const isDone = event.json.kind === 'clear';
        if (this.isCab && this.isMoving && !isWarning && !isDone) return;
        if (this.warning && !isWarning && event.json.fence !== this.warning) return;
        this.warning = isWarning ? event.json.fence : null;
        super.announce(event);
        if (!isWarning) return;
        clearTimeout(this.alertTimer);
        this.alertTimer = setTimeout(() => {
            this.warning = null;
            document.getElementById('alert').className = '';
        }, WARNING);
    }

    takeHash() {
        const match = /^#fence=(.*)$/.exec(location.hash);
        if (!match || !this.feed) return;
        let id = match[1];
        try { id = decodeURIComponent(id); } catch (error) { /* as it is written */ }
        const fence = this.drive.fenceOf(id);
        if (fence) { if (fence !== this.fence) this.openFence(fence); } else this.want(id, true);
    }

    openFence(fence) {
        if (!fence.hasPlace) return;
        this.drive.kept.set(fence.id, fence);
        this.drive.arrange();
        super.openFence(fence);
    }

    open(event) {
        const id = event.json.fence;
        if (id && !this.drive.fenceOf(id)) this.want(id, false);
        super.open(event);
    }

    // What the server says

    setConnected(isConnected, why) {
        this.unconnected = isConnected ? '' : why;
        this.signAt = performance.now();
        if (!isConnected) this.drive.lost = true;
        this.shownEvents = -1;
        this.update();
    }

    take(name, json) {
        this.signAt = performance.now();
        const actions = {
            alive: () => this.lived(json),
            hello: () => this.greeted(json), state: () => this.setState(json),
            position: () => this.moved(json), window: () => this.windowed(json),
            beacons: () => this.listed(json), event: () => this.told(json), fences: () => this.askFences(true),
        };
        if (actions[name]) actions[name]();
    }

    async greeted(hello) {
        this.version = hello.version;
        this.fillMade();
        if (this.logID !== hello.log_id) {
            this.logID = hello.log_id;
            this.drive.forgetEvents();
            this.feed.seq = hello.last_seq;
            const after = Math.max(0, hello.last_seq - 100);
            const page = await this.feed.json('/v1/events?max=100&after=' + after);
            // Those that came meanwhile are newer.
            const newer = this.drive.events.map(event => event.json);
            this.drive.forgetEvents();
            for (const event of (page ? page.events : []).concat(newer)) this.drive.addEvent(event);
            this.showEvents();
        }
        this.askFences(true);
    }

    setState(json) {
        const isAbsent = json.state === 'absent';
        this.isAbsent = isAbsent;
        const since = { time: clockText(Date.parse(json.since)) };
        this.absence = json.why === 'no-daemon' ? say('daemonGone', since)
            : json.why === 'stopped' ? say('daemonStopped', since) : say('daemonAbsent');
        this.drive.lost = isAbsent || json.position_state !== 'known';
        const degraded = json.degraded || [];
        this.isDegraded = degraded.length > 0;
        this.state = degraded.length ? say('degraded', {
            list: degraded.map(word => wordText('trouble', word)).join(', ') }) : json.source || '';
        if (typeof json.fences === 'number') this.drive.json.catalogue = json.fences;
        this.drive.hazards = json.ahead || [];
        for (const hazard of this.drive.hazards) this.want(hazard.hazard, false);
        this.shownEvents = -1;
        this.update();
    }

    /** Every second while the map lives. */
    lived(json) {
        this.isSilent = json.daemon === 'silent';
        this.isAbsent = json.daemon === 'absent';
        this.isResting = Boolean(json.resting);
        // By the daemon's clock, where it is that of the receiver: a fix may be older than the page.
        if (typeof json.fix_age_s === 'number' && this.fixAt !== null) {
            this.fixAt = performance.now() - json.fix_age_s * 1000;
        }
        this.watchClock();
    }

    moved(json) {
        const isFirst = this.drive.count === 0;
        if (!this.drive.addPosition(json)) return;
        this.fixAt = performance.now();
        this.drive.lost = Boolean(json.uncertain);
        const speed = this.drive.speed[this.drive.count - 1];
        this.isMoving = speed > MOVING;
        document.body.classList.toggle('moving', this.isMoving);
        this.profileWidth = -1;
        this.shownFix = -1;
        if (isFirst) {
            this.map.setView([json.latitude, json.longitude], 14, { animate: false });
            this.setFollow(true);
        }
        if (!this.event || this.isCab) this.time = this.drive.end;
        this.update();
    }

    windowed(json) {
        this.drive.setWindow(json);
        for (const region of json.regions) this.want(region.id, false);
        this.shownEvents = -1;
        this.update();
    }

    listed(json) {
        this.drive.beacons = json.inside;
        this.shownEvents = -1;
        this.update();
    }

    told(json) {
        if (!this.drive.addEvent(json)) return;
        this.showEvents();
        this.announce(this.drive.events[this.drive.events.length - 1]);
    }

    showEvents() {
        this.listFirst = null;
        this.shownEvents = -1;
        this.update();
    }

    // Fences

    /** The whole of one fence, if it is not here. */
    async want(id, opens) {
        if (!id || this.wanted.has(id) || this.drive.kept.has(id)) return;
        this.wanted.add(id);
        const json = await this.feed.json('/v1/fences/' + encodeURIComponent(id));
        this.wanted.delete(id);
        const fence = json && json.feature ? fenceOfFeature(json.feature, this.near) : null;
        if (!fence) return;
        this.drive.kept.set(id, fence);
        const since = Date.parse(json.since);
        if (json.presence === 'inside' && !this.drive.since.has(id)) {
            this.drive.since.set(id, since);
        }
        this.forget();
        this.drive.arrange();
        this.shownEvents = -1;
        this.update();
        if (opens) this.openFence(fence);
    }

    /** Fences that nothing refers to any more. */
    forget() {
        const drive = this.drive;
        if (drive.kept.size < 200) return;
        for (const [id, fence] of drive.kept) {
            const isNeeded = drive.regions.has(id) || fence === this.fence
                || drive.hazards.some(hazard => hazard.hazard === id);
            if (!isNeeded) drive.kept.delete(id);
        }
    }

    /** A longitude near to which all are drawn. */
    get near() {
        const drive = this.drive;
        return drive.count ? drive.longitude[drive.count - 1] : this.map.getCenter().lng;
    }

    /** Asks for the fences of the view, and of a little around it. */
    askFences(isNew) {
        clearTimeout(this.fenceTimer);
        this.fenceTimer = setTimeout(() => this.fetchFences(isNew), isNew ? 0 : 200);
    }

    async fetchFences(isNew) {
        const bounds = this.map.getBounds();
        // Cells are of the zoom at which they were asked for; fences are good at every nearer one.
        const isSame = !this.drive.cells || this.askedZoom === this.map.getZoom();
        if (!isNew && isSame && this.asked && this.asked.contains(bounds)) return;
        const around = bounds.pad(0.25);
        const wrapped = longitude => ((longitude + 180) % 360 + 360) % 360 - 180;
        const isWorld = around.getEast() - around.getWest() >= 360;
        const edge = [
            isWorld ? -180 : wrapped(around.getWest()), Math.max(-90, around.getSouth()),
            isWorld ? 180 : wrapped(around.getEast()), Math.min(90, around.getNorth()),
        ].map(value => value.toFixed(5));
        const turn = this.turn = (this.turn || 0) + 1;
        const json = await this.feed.json('/v1/fences?within=' + edge.join(','));
        if (!json || turn !== this.turn) return;
        this.asked = around;
        this.askedZoom = this.map.getZoom();
        const drive = this.drive;
        drive.viewed.clear();
        for (const feature of json.features) {
            const fence = fenceOfFeature(feature, this.near);
            if (fence) drive.viewed.set(fence.id, fence);
        }
        drive.cells = json.cells ? Object.assign({ total: json.total }, json.cells, {
            west: mercatorX(isWorld ? -180 : around.getWest()),
            east: mercatorX(isWorld ? 180 : around.getEast()),
            north: Number(edge[3]), south: Number(edge[1]),
        }) : null;
        if (isNew) {
            // Those that were kept may be others now.
            const ids = [...drive.kept.keys()];
            drive.kept.clear();
            for (const id of ids) if (!drive.viewed.has(id)) this.want(id, false);
            for (const id of ids) {
                if (drive.viewed.has(id)) drive.kept.set(id, drive.viewed.get(id));
            }
        }
        drive.arrange();
        this.fillFences();
        // The card shows the present state.
        if (this.fence) this.fence = drive.fenceOf(this.fence.id) || this.fence;
        this.shownEvents = -1;
        this.update();
        this.fillCard();
    }

    addTiles() {
        const data = document.body.dataset;
        if (!data.tiles) return;
        const options = {
            minZoom: 0, maxZoom: 20, minNativeZoom: Number(data.tilesLeast),
            maxNativeZoom: Number(data.tilesMost),
        };
        const layer = data.tilesOurs === 'true' ? new OwnTiles(this.feed, options)
            : L.tileLayer(data.tiles, options);
        layer.addTo(this.map);
        if (!data.attribution) return;
        const text = element('div', '', data.attribution);
        text.id = 'attribution';
        document.getElementById('middle').append(text);
    }
}

window.drivePage = new LivePage(new LiveDrive());
