// A drive that is under way: the columns of a drive that grow at their end and are cut at their
// beginning, and the fences that the server has told of.

/** How much of the way is kept, ms. Nothing of it is stored: it goes with the page. */
const TRAIL = 15 * 60 * 1000;
/** Events that the page keeps. */
const KEPT_EVENTS = 300;
/** Without a fix for longer than this, ms, a new path begins. */
const PATH_GAP = 30000;

const NO_DRIVE = {
    fixes: {
        start: 0, clock: 0, t: [], latitude: [], longitude: [], error: [], speed: [], course: [],
        paths: [], rebases: [],
    },
    fences: [], windows: [], ahead: [], events: [], refused: [], inputs: [], settings: [],
};

const COLUMNS = ['time', 'latitude', 'longitude', 'error', 'speed', 'course', 'x', 'y'];

class LiveDrive extends Drive {
    constructor() {
        super(NO_DRIVE);
        this.json = Object.assign({}, NO_DRIVE, { program: 'geofenced-map' });
        for (const column of COLUMNS) this[column] = [];
        this.events = [];
        this.refused = [];
        this.windows = [];
        /** By id: those of the view, and those of the window, of events and of the card. */
        this.viewed = new Map();
        this.kept = new Map();
        /** The presence of the regions in the window by id, and the ids of the uncertain ones. */
        this.regions = new Map();
        this.uncertain = new Set();
        /** Since when the vehicle is inside a fence, by id, ms or NaN. */
        this.since = new Map();
        this.hazards = [];
        /** Beacon fences that the vehicle is inside, as the server sends them. */
        this.beacons = [];
        this.lost = false;
        this.cells = null;
        this.metafence = null;
    }

    /** The time of the page is that of the receiver. */
    utc(time) { return time; }

    presences() {
        const known = new Map();
        for (const fence of this.fences) {
            const presence = this.regions.get(fence.id);
            if (!presence) continue;
            const since = this.since.get(fence.id);
            known.set(fence.index,
                { presence, isUncertain: this.uncertain.has(fence.id),
                    since: { crossed: since === undefined ? this.end : since } });
        }
        return known;
    }

    isLost() { return this.lost; }

    aheadAt() {
        const found = [];
        for (const hazard of this.hazards) {
            const fence = this.fenceOf(hazard.hazard);
            const approach = hazard.approach || {};
            if (!fence || typeof approach.to_go_m !== 'number') continue;
            found.push([fence.index, approach.to_go_m, hazard.stage === 'urgent' ? 2 : 1,
                typeof approach.to_escape_m === 'number' ? approach.to_escape_m : null]);
        }
        return found;
    }

    fenceOf(id) { return this.kept.get(id) || this.viewed.get(id); }

    /** Takes a position of the server; false where it is none, or none that is newer. */
    addPosition(json) {
        const time = Date.parse(json.time);
        if (!Number.isFinite(time) || typeof json.latitude !== 'number'
            || typeof json.longitude !== 'number' || this.count > 0 && time <= this.end) {
            return false;
        }
        const near = this.count ? this.longitude[this.count - 1] : json.longitude;
        const longitude = unwrapped(json.longitude, near);
        const number = value => typeof value === 'number' ? value : NaN;
        if (this.count > 0 && time - this.end > PATH_GAP) this.pathStarts.add(this.count);
        this.time.push(time);
        this.latitude.push(json.latitude);
        this.longitude.push(longitude);
        this.error.push(number(json.error_m) || 0);
        this.speed.push(number(json.speed_mps));
        this.course.push(number(json.course_deg));
        this.x.push(mercatorX(longitude));
        this.y.push(mercatorY(json.latitude));
        this.count += 1;
        if (time - this.time[0] > TRAIL + 60000) this.cut(time - TRAIL);
        return true;
    }

    /** Forgets the fixes before that time. */
    cut(time) {
        const gone = this.time.findIndex(each => each >= time);
        if (gone <= 0) return;
        for (const column of COLUMNS) this[column].splice(0, gone);
        this.count -= gone;
        this.pathStarts = new Set([...this.pathStarts].filter(each => each > gone)
            .map(each => each - gone));
        for (const event of this.events) {
            if (event.fix === undefined) continue;
            event.fix = event.fix >= gone ? event.fix - gone : undefined;
        }
    }

    /** Takes an event; false where it is here already. */
    addEvent(json) {
        const last = this.events.length ? this.events[this.events.length - 1].json.seq : 0;
        if (typeof json.seq !== 'number' || json.seq <= last) return false;
        const fixTime = Date.parse(json.fix_time);
        let fix;
        if (this.count && fixTime >= this.time[0] && fixTime <= this.end + 2000) {
            fix = this.fixAt(fixTime);
        }
        const event = new DriveEvent({ event: json, fix }, this.events.length, this);
        event.known = event.fixUTC;
        if (typeof json.latitude === 'number' && typeof json.longitude === 'number') {
            const near = this.count ? this.longitude[this.count - 1] : json.longitude;
            const longitude = unwrapped(json.longitude, near);
            event.place = { latitude: json.latitude, longitude };
            event.x = mercatorX(longitude);
            event.y = mercatorY(json.latitude);
        }
        this.events.push(event);
        // A dwell or an excess of speed is no new stay.
        if (json.fence && ['enter', 'initial'].includes(json.kind)) this.since.set(json.fence, event.utc);
        if (json.fence && json.presence === 'outside') this.since.delete(json.fence);
        if (this.events.length > KEPT_EVENTS) {
            this.events.splice(0, this.events.length - KEPT_EVENTS);
            this.events.forEach((each, index) => { each.index = index; });
        }
        const fence = this.fenceOf(json.fence);
        event.region = fence ? fence.index : undefined;
        return true;
    }

    /** Another log has begun. */
    forgetEvents() {
        this.events.length = 0;
        this.since.clear();
    }

    /** Takes the window of the server. */
    setWindow(json) {
        this.regions = new Map(json.regions.map(region => [region.id, region.presence]));
        this.uncertain = new Set(json.regions.filter(region => region.uncertain)
            .map(region => region.id));
        const centre = json.metafence;
        this.metafence = centre ? [centre.latitude, centre.longitude, centre.radius_m] : null;
        this.arrange();
    }

    /** Indices of the fences, and everything that goes by them. */
    arrange() {
        const all = new Map(this.viewed);
        for (const [id, fence] of this.kept) all.set(id, fence);
        this.fences = [...all.values()];
        this.fences.forEach((fence, index) => { fence.index = index; });
        for (const event of this.events) {
            const fence = event.json.fence ? all.get(event.json.fence) : undefined;
            event.region = fence ? fence.index : undefined;
        }
        const regions = [...this.regions.keys()].map(id => all.get(id)).filter(Boolean)
            .map(fence => fence.index);
        this.windows = [{ fix: 0, metafence: this.metafence, regions }];
    }
}

/** A fence of a GeoJSON Feature as the page draws it; null for what it cannot draw. */
function fenceOfFeature(feature, near) {
    const properties = feature.properties || {}, geometry = feature.geometry;
    if (!geometry) return null;
    const json = { id: String(feature.id), title: String(properties.title || '') };
    const millionths = line => {
        const list = [];
        let lastX = 0, lastY = 0;
        for (const [longitude, latitude] of line) {
            const x = Math.round(longitude * 1e6), y = Math.round(latitude * 1e6);
            list.push(x - lastX, y - lastY);
            lastX = x;
            lastY = y;
        }
        return list;
    };
    switch (geometry.type) {
    case 'Point':
        json.circle = [geometry.coordinates[1], geometry.coordinates[0], properties.radius || 0];
        break;
    case 'Polygon': json.polygons = [geometry.coordinates.map(millionths)]; break;
    case 'MultiPolygon':
        json.polygons = geometry.coordinates.map(polygon => polygon.map(millionths));
        break;
    case 'LineString': json.lines = [millionths(geometry.coordinates)]; break;
    case 'MultiLineString': json.lines = geometry.coordinates.map(millionths); break;
    default: return null;
    }
    if (json.lines) json.width = properties.width || 0;
    if (properties.limits) {
        json.hazard = Object.assign(hazardOf(properties), { fit: feature.fit });
        json.lines = (json.lines || []).concat((properties.section || []).map(millionths));
    }
    return new DrawnFence(json, 0, near);
}

/** The limit of an approach and its legs, as the page has them of a replay. */
function hazardOf(properties) {
    const units = { height: 'm', width: 'm', length: 'm', weight: 't', axle_load: 't' };
    const limits = properties.limits;
    const limit = Object.keys(units).find(kind => limits[kind + '_' + units[kind]] !== undefined)
        || limits.kind || 'height';
    return {
        limit: limit.replace('_', ' '), unit: units[limit], value: limits[limit + '_' + units[limit]],
        sign: limits.sign || '',
        legs: (properties.legs || []).map(leg => [leg.end_m || 0,
            leg.escape_m === undefined ? null : leg.escape_m,
            leg.next === undefined ? null : leg.next]),
    };
}
