// The layer of a fleet: places as areas, vehicles as marks with their number.

/** Marks nearer to each other than this, pixels, are one. */
const NEAR_MARKS = 48;
/** Areas of more pixels are hardly filled. */
const LARGE = 300;

/** A place of the published sets: [tenant, fence, title, radius, width, kind, rings]. */
class BoardArea {
    constructor([tenant, fence, title, radius, width, kind, rings], near) {
        this.tenant = tenant;
        this.fence = fence;
        this.title = title || fence;
        this.width = width || 0;
        this.isArea = kind === 'Polygon' || kind === 'MultiPolygon';
        this.circle = null;
        this.drawn = [];
        this.box = [Infinity, Infinity, -Infinity, -Infinity];
        let last = near;
        // A set may have been published by anything.
        for (const ring of Array.isArray(rings) ? rings : []) {
            const places = [];
            for (const [longitude, latitude] of Array.isArray(ring) ? ring : []) {
                if (!Number.isFinite(longitude) || !Number.isFinite(latitude)) continue;
                last = unwrapped(longitude, last);
                this.latitude = latitude;
                places.push(mercatorX(last), mercatorY(latitude));
            }
            if (places.length) this.drawn.push(places);
        }
        this.unit = mercatorMetre(this.latitude || 0);
        let reach = this.width / 2 * this.unit;
        if (kind === 'Point' && this.drawn.length) {
            const [x, y] = this.drawn[0];
            this.circle = { x, y, radius: Math.max(0, radius || 0) };
            reach = this.circle.radius * this.unit;
        }
        for (const ring of this.drawn) {
            for (let i = 0; i < ring.length; i += 2) {
                this.box = [Math.min(this.box[0], ring[i] - reach), Math.min(this.box[1], ring[i + 1] - reach),
                    Math.max(this.box[2], ring[i] + reach), Math.max(this.box[3], ring[i + 1] + reach)];
            }
        }
    }

    /** False for a place of which no shape is known. */
    get hasPlace() { return Number.isFinite(this.box[0]); }

    get middle() { return [(this.box[0] + this.box[2]) / 2, (this.box[1] + this.box[3]) / 2]; }
}

const BoardLayer = L.Layer.extend(Object.assign({}, canvasOfMap, {
    initialize() {
        this.colours = {};
        /** Those that are drawn, and the marks on them: {x, y, count, isOn, name, spot}. */
        this.areas = [];
        this.spots = [];
        this.chosen = null;
    },

    /** What is drawn from now on. */
    take(areas, spots) {
        // The small ones on top.
        const size = ({ box }) => (box[2] - box[0]) * (box[3] - box[1]);
        if (areas !== this.given) this.areas = [...areas].sort((one, other) => size(other) - size(one));
        this.given = areas;
        this.spots = spots;
        this.joined = null;
        this.request();
    },

    paint(pen) {
        for (const area of this.areas) {
            if (!this.isSeen(area.box, 20)) continue;
            const width = (area.box[2] - area.box[0]) * this.scale;
            const height = (area.box[3] - area.box[1]) * this.scale;
            if (Math.max(width, height) < 3 && area.count) continue;
            // What others lie in is an edge, not a carpet.
            const fill = Math.max(width, height) > LARGE ? 0.06 : 0.2;
            const look = area.count ? { width: 2.5, fill, dash: [] }
                : { width: 1.2, fill: 0.06, dash: [2, 4] };
            pen.strokeStyle = pen.fillStyle = this.colours[area.count ? 'inside' : 'other'];
            pen.globalAlpha = area.isFound ? 1 : 0.35;
            pen.lineWidth = look.width;
            pen.setLineDash(look.dash);
            if (Math.max(width, height) < 6) {
                pen.fillRect(this.px(area.middle[0]) - 2, this.py(area.middle[1]) - 2, 4, 4);
            } else if (area.circle) this.drawCircle(pen, area, look);
            else if (area.isArea) this.drawArea(pen, area, look, Math.max(width, height));
            else this.drawWay(pen, area, look);
            pen.setLineDash([]);
            pen.globalAlpha = 1;
            if (!area.count && area.isFound && Math.max(width, height) > 24) {
                const [x, y] = area.middle;
                this.labels.push({ text: area.title, colour: 'text', rank: 0, x: this.px(x),
                    y: this.py(y), gap: width > 130 ? -1 : width / 2 + 4 });
            }
        }
        for (const mark of this.marks()) this.drawMark(pen, mark);
    },

    drawWay(pen, area, look) {
        for (const line of area.drawn) {
            pen.beginPath();
            this.trace(pen, line, false);
            pen.save();
            pen.globalAlpha *= Math.max(look.fill, 0.1);
            pen.setLineDash([]);
            pen.lineWidth = Math.max(2, area.width * area.unit * this.scale);
            pen.stroke();
            pen.restore();
            pen.stroke();
        }
    },

    /** Spots that are near each other at this zoom are one mark, in the middle of their vehicles. */
    marks() {
        if (this.joined && this.joined.scale === this.scale) return this.joined.marks;
        const cells = new Map();
        for (const spot of this.spots) {
            const key = Math.floor(spot.x * this.scale / NEAR_MARKS) * 1e7
                + Math.floor(spot.y * this.scale / NEAR_MARKS);
            const mark = cells.get(key);
            if (!mark) cells.set(key, { x: spot.x, y: spot.y, count: spot.count, spots: [spot] });
            else {
                const share = spot.count / (mark.count + spot.count);
                mark.x += (spot.x - mark.x) * share;
                mark.y += (spot.y - mark.y) * share;
                mark.count += spot.count;
                mark.spots.push(spot);
            }
        }
        const marks = [...cells.values()].sort((one, other) => one.count - other.count);
        this.joined = { scale: this.scale, marks };
        return marks;
    },

    /** A disc with the number of those inside; a square standing on its corner for a last event. */
    drawMark(pen, mark) {
        const x = this.px(mark.x), y = this.py(mark.y);
        if (x < -40 || y < -40 || x > this.size.x + 40 || y > this.size.y + 40) return;
        const isInside = mark.spots.some(spot => spot.isInside);
        const isChosen = mark.spots.some(spot => spot.key === this.chosen);
        const number = mark.count > 1 || mark.spots.length > 1 ? String(mark.count) : '';
        const radius = number ? 10 + 3 * number.length : isInside ? 8 : 9;
        pen.beginPath();
        if (isInside) pen.arc(x, y, radius, 0, 7);
        else {
            pen.moveTo(x - radius, y);
            pen.lineTo(x, y - radius);
            pen.lineTo(x + radius, y);
            pen.lineTo(x, y + radius);
            pen.closePath();
        }
        const isLate = isInside && mark.spots.some(spot => spot.isLate);
        pen.fillStyle = this.colours[isLate ? 'leave' : isInside ? 'inside' : 'accent'];
        pen.strokeStyle = this.colours[isChosen ? 'chosen' : 'back'];
        pen.lineWidth = isChosen ? 4 : 2;
        pen.fill();
        pen.stroke();
        if (number) {
            pen.font = '700 13px system-ui, "DejaVu Sans", sans-serif';
            pen.textAlign = 'center';
            pen.textBaseline = 'middle';
            pen.fillStyle = this.colours.back;
            pen.fillText(number, x, y + 0.5);
            pen.textAlign = 'start';
        }
        this.pins.push([x, y]);
        this.targets.push({ mark, x, y, radius });
        const [first] = mark.spots;
        const text = mark.spots.length === 1 ? first.name + (isLate ? ' !' : '') : '';
        if (text) {
            this.labels.push({ text, colour: 'text', rank: isChosen ? 3 : isInside ? 2 : 1, x, y,
                gap: radius + 4 });
        }
    },

    /** The mark at a point of the map; undefined for none. */
    at(point) {
        const far = each => Math.hypot(each.x - point.x, each.y - point.y);
        return this.targets.filter(each => far(each) < Math.max(22, each.radius))
            .sort((one, other) => far(one) - far(other)).map(each => each.mark)[0];
    },
}));
