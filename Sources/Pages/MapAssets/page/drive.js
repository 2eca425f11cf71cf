// The data of the page: what DriveJSON.swift writes, read into columns.

/**
 * The members of the JSON, version 1:
 * - fixes: start (ms since 1970) and clock (ms of the replay) of the first; columns t, latitude,
 *   longitude as differences (ms, millionths of a degree); error (dm), speed (dm/s), course (°),
 *   −1 where there is none; paths, where a new path begins; rebases, [fix, ms since 1970 less t].
 * - fences: id, title, and circle [latitude, longitude, radius] or polygons or lines and width, in
 *   millionths of a degree as differences; hazard {limit, value, unit, sign, fit, legs}, a leg being
 *   [metres to go at its end, at its last way out or null, next leg or null].
 * - windows: from which fix on; metafence [latitude, longitude, radius]; regions, into fences.
 * - ahead: [fix, [fence, metres to go, stage 0…2, metres to the last way out or null]…].
 * - events: fix, region (into fences), event as geofencectl writes it, plot {from,
 *   distance in dm}.
 * - refused: [ms of the replay, latitude, longitude, error in dm or −1, reason].
 */
class Drive {
    constructor(json) {
        const fixes = json.fixes;
        const count = fixes.t.length;
        this.count = count;
        this.json = json;
        this.time = Drive.sums(fixes.t, 1);
        this.latitude = Drive.sums(fixes.latitude, 1e-6);
        this.longitude = Drive.sums(fixes.longitude, 1e-6);
        for (let i = 1; i < count; i++) {
            this.longitude[i] = unwrapped(this.longitude[i], this.longitude[i - 1]);
        }
        this.error = Float64Array.from(fixes.error, value => value / 10);
        this.speed = Float64Array.from(fixes.speed, value => value < 0 ? NaN : value / 10);
        this.course = Float64Array.from(fixes.course, value => value < 0 ? NaN : value);
        this.x = this.longitude.map(mercatorX);
        this.y = this.latitude.map(mercatorY);
        this.pathStarts = new Set(fixes.paths);
        this.offset = count ? fixes.start - fixes.clock : 0;
        this.rebases = fixes.rebases;
        const near = count ? this.longitude[0] : 0;
        this.fences = json.fences.map((fence, index) => new DrawnFence(fence, index, near));
        this.windows = json.windows;
        this.ahead = json.ahead;
        this.events = json.events.map((event, index) => new DriveEvent(event, index, this));
        this.refused = json.refused.map(([time, latitude, longitude, error, reason]) => ({
            time, reason, latitude, error: error < 0 ? NaN : error / 10,
            x: mercatorX(unwrapped(longitude, near)), y: mercatorY(latitude),
        }));
        this.title = (json.inputs || []).filter(input => input.role === 'track')
            .map(input => input.name).join(', ');
    }

    static sums(differences, unit) {
        const column = new Float64Array(differences.length);
        let sum = 0;
        for (let i = 0; i < column.length; i++) {
            sum += differences[i];
            column[i] = sum * unit;
        }
        return column;
    }

    get begin() { return this.count ? this.time[0] : 0; }
    get end() { return this.count ? this.time[this.count - 1] : 0; }

    /** ms since 1970 at a time of the replay, with the time base of that fix. */
    utc(time, fix) {
        let offset = this.offset;
        for (const [from, other] of this.rebases) if (fix >= from) offset = other;
        return time + offset;
    }

    /** The index of the last fix at that time or before it; 0 before the first. */
    fixAt(time) { return Math.max(0, Drive.lastAt(this.time, time)); }

    /** The index of the last value that is not above; −1 where there is none. */
    static lastAt(values, value, key) {
        let low = 0, high = values.length;
        while (low < high) {
            const middle = (low + high) >> 1;
            if ((key ? key(values[middle]) : values[middle]) <= value) low = middle + 1;
            else high = middle;
        }
        return low - 1;
    }

    windowAt(fix) { return this.windows[Drive.lastAt(this.windows, fix, each => each.fix)]; }

    /** [fence, metres to go, stage, metres to the way out] of each, nearest first. */
    aheadAt(fix) {
        const found = this.ahead[Drive.lastAt(this.ahead, fix, each => each[0])];
        return found ? found.slice(1) : [];
    }

    /** Whether the vehicle comes nearer to a fence as it goes on: of what it has left, and of what lies
     * beside its way, there is nothing ahead. */
    isAhead(fence, fix) {
        const course = this.courseAt(fix);
        if (Number.isNaN(course)) return false;
        const latitude = this.latitude[fix], longitude = this.longitude[fix];
        const metres = fence.distanceFrom(latitude, longitude);
        const step = Math.max(1, Math.min(100, metres));
        const north = step / (EARTH * DEGREE);
        const nearer = metres - fence.distanceFrom(
            latitude + north * Math.cos(course * DEGREE),
            longitude + north * Math.sin(course * DEGREE) / Math.cos(latitude * DEGREE));
        return nearer > step / 4;
    }

    /** Where it last went, degrees true: a vehicle that stands has no course of its own. */
    courseAt(fix) {
        for (let i = fix; i >= 0; i--) {
            if (this.speed[i] > 1 && !Number.isNaN(this.course[i])) return this.course[i];
        }
        return this.placeAt(this.time[fix]).course;
    }

    /** Presence of each fence after these first events: index → {presence, since (event)}. */
    presences(count) {
        const known = new Map();
        for (let i = 0; i < count; i++) {
            const event = this.events[i];
            if (event.region === undefined || !event.json.presence) continue;
            const before = known.get(event.region);
            if (before && before.presence === event.json.presence) continue;
            known.set(event.region, { presence: event.json.presence, since: event });
        }
        return known;
    }

    /** Is the position lost or doubtful after these first events? */
    isLost(count) {
        const is = (begin, end) => {
            for (let i = count - 1; i >= 0; i--) {
                if (this.events[i].json.kind === begin) return true;
                if (this.events[i].json.kind === end) return false;
            }
            return false;
        };
        return is('position-lost', 'position-regained')
            || is('position-doubtful', 'position-trusted');
    }

    /** Place at a time, between two fixes where a path joins them. */
    placeAt(time) {
        const i = this.fixAt(time);
        const isLast = i + 1 >= this.count || this.pathStarts.has(i + 1);
        const span = isLast ? 0 : this.time[i + 1] - this.time[i];
        // Where fixes are missing the vehicle waits at the last one.
        const share = span > 0 && span <= 30000
            ? Math.max(0, Math.min(1, (time - this.time[i]) / span)) : 0;
        const j = share > 0 ? i + 1 : i;
        let course = this.course[i];
        if (Number.isNaN(course) && !isLast) {
            course = bearingBetween(this.latitude[i], this.longitude[i],
                this.latitude[i + 1], this.longitude[i + 1]);
        }
        return {
            fix: i, course,
            latitude: this.latitude[i] + share * (this.latitude[j] - this.latitude[i]),
            longitude: this.longitude[i] + share * (this.longitude[j] - this.longitude[i]),
        };
    }
}

/** An event of the drive. */
class DriveEvent {
    constructor(json, index, drive) {
        this.index = index;
        this.json = json.event;
        this.region = json.region;
        this.fix = json.fix;
        /** The numbers of the rule; of an older log, and where no rule proved it, none. */
        this.evidence = json.event.evidence || {};
        this.plot = json.plot;
        this.utc = Date.parse(json.event.time);
        this.fixUTC = Date.parse(json.event.fix_time);
        // When it became known, in the time of the replay.
        this.known = json.fix === undefined ? drive.begin : drive.time[json.fix];
        if (json.event.kind === 'position-lost' && json.fix !== undefined) {
            const next = drive.time[json.fix + 1];
            this.known = Math.min(this.known + Math.max(0, this.utc - this.fixUTC),
                next === undefined ? Infinity : next);
        }
        // Where the boundary was crossed, in the time of the replay.
        this.crossed = json.fix === undefined ? drive.begin
            : this.utc - drive.utc(0, json.fix);
        const first = drive.fixAt(this.crossed);
        const place = json.fix === undefined ? null
            : drive.pathStarts.has(json.fix) || first > json.fix
                ? { latitude: drive.latitude[json.fix], longitude: drive.longitude[json.fix] }
                : drive.placeAt(this.crossed);
        this.place = place;
        if (place) {
            this.x = mercatorX(place.longitude);
            this.y = mercatorY(place.latitude);
        }
    }

    get name() { return this.json.title || this.json.fence || ''; }
}

/** A fence with everything that drawing it takes. */
class DrawnFence {
    constructor(json, index, near) {
        this.index = index;
        this.id = json.id;
        this.title = json.title || '';
        this.hazard = json.hazard;
        this.width = json.width || 0;
        this.circle = null;
        /** Lists of rings, or lines, as [longitude, latitude, …]. */
        this.rings = [];
        this.isArea = Boolean(json.polygons);
        if (json.circle) {
            const [latitude, longitude, radius] = json.circle;
            this.circle = { latitude, longitude: unwrapped(longitude, near), radius };
            this.circle.x = mercatorX(this.circle.longitude);
            this.circle.y = mercatorY(latitude);
            this.unit = mercatorMetre(latitude);
            const reach = radius * this.unit;
            this.box = [this.circle.x - reach, this.circle.y - reach,
                this.circle.x + reach, this.circle.y + reach];
            return;
        }
        const lists = json.polygons ? json.polygons.flat() : json.lines || [];
        this.rings = lists.map(list => DrawnFence.places(list, near));
        this.drawn = this.rings.map(ring => ring.map(
            (value, i) => i % 2 ? mercatorY(value) : mercatorX(value)));
        this.unit = mercatorMetre(this.rings.length ? this.rings[0][1] : 0);
        this.box = [Infinity, Infinity, -Infinity, -Infinity];
        const reach = this.width / 2 * this.unit;
        for (const ring of this.drawn) {
            for (let i = 0; i < ring.length; i += 2) {
                this.box[0] = Math.min(this.box[0], ring[i] - reach);
                this.box[1] = Math.min(this.box[1], ring[i + 1] - reach);
                this.box[2] = Math.max(this.box[2], ring[i] + reach);
                this.box[3] = Math.max(this.box[3], ring[i + 1] + reach);
            }
        }
    }

    static places(list, near) {
        const places = new Float64Array(list.length);
        let longitude = 0, latitude = 0, last = near;
        for (let i = 0; i + 1 < list.length; i += 2) {
            longitude += list[i];
            latitude += list[i + 1];
            last = unwrapped(longitude / 1e6, last);
            places[i] = last;
            places[i + 1] = latitude / 1e6;
        }
        return places;
    }

    get name() { return this.title || this.id; }

    /** A limit that the vehicle breaks, or that it is not known to fit. */
    get isDanger() { return Boolean(this.hazard) && this.hazard.fit !== 'fits'; }

    /** False for a beacon fence, which has no place on a map. */
    get hasPlace() { return Number.isFinite(this.box[0]); }

    /** What it is: "Circle of 50 m". */
    get shapeText() {
        if (!this.hasPlace) return say('beacons');
        if (this.hazard) return say('limit' + capitalized(this.hazard.limit), { limit: this.limitText });
        if (this.circle) return say('circle', { size: metresText(this.circle.radius) });
        return this.isArea ? say('polygon') : say('corridor', { size: metresText(this.width) });
    }

    /** "4.1 m" of the sign or the limit; empty where it is not known. */
    get limitText() {
        if (!this.hazard) return '';
        const { sign, unit, value } = this.hazard;
        if (sign && (READER.isOfSigns || value === undefined)) {
            return /^[0-9.,]+$/.test(sign) ? sign + ' ' + unit : sign;
        }
        if (value === undefined) return '';
        if (unit === 'm' && READER.units !== 'metric') {
            const inches = Math.floor(value / FOOT * 12 + 1e-6);
            return Math.floor(inches / 12) + "'" + inches % 12 + '"';
        }
        const number = String(value).replace('.', WORDS.decimalPoint);
        return unit === 'm' ? say('metres', { n: number }) : number + ' ' + unit;
    }

    /** The restricted section of a hazard, [latitude, longitude] of each; of others nothing. */
    get sectionPlaces() {
        if (!this.hazard) return [];
        if (this.circle) return [[this.circle.latitude, this.circle.longitude]];
        return this.rings.slice(this.hazard.legs.length).flatMap(ring =>
            Array.from({ length: ring.length >> 1 }, (_, i) => [ring[2 * i + 1], ring[2 * i]]));
    }

    /** Where it is named, in the unit of the map: a hazard at its section, not amid the ways to it. */
    get middle() {
        const places = this.sectionPlaces;
        if (places.length === 0) {
            return [(this.box[0] + this.box[2]) / 2, (this.box[1] + this.box[3]) / 2];
        }
        const [latitude, longitude] = places[places.length >> 1];
        return [mercatorX(longitude), mercatorY(latitude)];
    }

    /** Metres to the boundary, negative inside; in a plane, for lists. */
    distanceFrom(latitude, longitude) {
        if (this.circle) {
            return distanceBetween(latitude, longitude, this.circle.latitude,
                this.circle.longitude) - this.circle.radius;
        }
        const north = EARTH * DEGREE, east = north * Math.cos(latitude * DEGREE);
        let nearest = Infinity, isInside = false;
        for (const ring of this.rings) {
            const own = unwrapped(longitude, ring[0]);
            for (let i = 0; i + 3 < ring.length; i += 2) {
                const ax = (ring[i] - own) * east, ay = (ring[i + 1] - latitude) * north;
                const bx = (ring[i + 2] - own) * east, by = (ring[i + 3] - latitude) * north;
                nearest = Math.min(nearest, distanceToSegment(ax, ay, bx, by));
                if ((ay > 0) !== (by > 0) && ax + ay / (ay - by) * (bx - ax) > 0) {
                    isInside = !isInside;
                }
            }
        }
        if (!this.isArea) return nearest - this.width / 2;
        return isInside ? -nearest : nearest;
    }

    /** The places of last ways out on the legs of a hazard, in the unit of the map. */
    get escapes() {
        if (this.foundEscapes) return this.foundEscapes;
        const found = new Map();
        const legs = this.hazard ? this.hazard.legs : [];
        legs.forEach(([end, escape], index) => {
            const ring = this.rings[index];
            if (escape === null || !ring) return;
            // Backwards from the end of the leg, where `end` metres are to go.
            let left = escape - end;
            if (left < 0) return;
            for (let i = ring.length - 2; i >= 2; i -= 2) {
                const way = distanceBetween(ring[i + 1], ring[i], ring[i - 1], ring[i - 2]);
                if (left <= way) {
                    const share = way > 0 ? left / way : 0;
                    const x = mercatorX(ring[i] + share * (ring[i - 2] - ring[i]));
                    const y = mercatorY(ring[i + 1] + share * (ring[i - 1] - ring[i + 1]));
                    found.set(x.toFixed(7) + y.toFixed(7), [x, y]);
                    return;
                }
                left -= way;
            }
        });
        this.foundEscapes = [...found.values()];
        return this.foundEscapes;
    }
}
