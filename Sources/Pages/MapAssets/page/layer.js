// The one canvas of the map: fences, the drive, events, the vehicle. Leaflet moves the map, this
// draws it; a thousand shapes as Leaflet's own layers take ten times as long.

/** Above this many fences in view they are dots. */
const MOST_SHAPES = 1500;

const DriveLayer = L.Layer.extend(Object.assign({}, layerOfDrive, {
    initialize(drive) {
        this.drive = drive;
        this.view = { fix: 0, presences: new Map(), inWindow: new Set(), events: 0 };
        this.colours = {};
    },

    onAdd(map) {
        this.canvas = L.DomUtil.create('canvas', '', map.getPane('overlayPane'));
        this.canvas.setAttribute('aria-hidden', 'true');
        map.on('move zoom viewreset moveend resize', this.request, this);
        this.request();
    },

    onRemove(map) {
        map.off('move zoom viewreset moveend resize', this.request, this);
        this.canvas.remove();
    },

    /** Takes the colours of the page's style. */
    readColours() {
        const style = getComputedStyle(document.documentElement);
        for (const name of ['text', 'accent', 'inside', 'outside', 'other', 'hazard', 'leave',
            'metafence', 'chosen', 'track', 'track-ahead', 'refused', 'ground', 'label-edge',
            'line', 'back']) {
            this.colours[name] = style.getPropertyValue('--' + name).trim();
        }
        this.request();
    },

    request() {
        if (this.frame) return;
        this.frame = requestAnimationFrame(() => {
            this.frame = 0;
            if (this._map) this.draw();
        });
    },

    draw() {
        const map = this._map, size = map.getSize(), ratio = window.devicePixelRatio || 1;
        const canvas = this.canvas;
        if (canvas.width !== Math.round(size.x * ratio)
            || canvas.height !== Math.round(size.y * ratio)) {
            canvas.width = Math.round(size.x * ratio);
            canvas.height = Math.round(size.y * ratio);
            canvas.style.width = size.x + 'px';
            canvas.style.height = size.y + 'px';
        }
        L.DomUtil.setPosition(canvas, map.containerPointToLayerPoint([0, 0]));
        const origin = map.project(map.containerPointToLatLng([0, 0]));
        this.scale = 256 * Math.pow(2, map.getZoom());
        this.left = origin.x / this.scale;
        this.top = origin.y / this.scale;
        this.size = size;
        const pen = canvas.getContext('2d');
        pen.setTransform(ratio, 0, 0, ratio, 0, 0);
        pen.clearRect(0, 0, size.x, size.y);
        pen.lineJoin = 'round';
        pen.lineCap = 'round';
        this.labels = [];
        this.taken = [];
        this.pins = [];
        this.targets = [];
        this.drawGrid(pen);
        this.drawCells(pen);
        this.drawFences(pen);
        this.drawMetafence(pen);
        this.drawTrack(pen);
        this.drawRefused(pen);
        this.drawNearFixes(pen);
        this.drawEvents(pen);
        this.drawVehicle(pen);
        this.drawLabels(pen);
    },

    px(x) { return (x - this.left) * this.scale; },
    py(y) { return (y - this.top) * this.scale; },

    isSeen(box, margin) {
        const more = (margin || 0) / this.scale;
        return box[2] + more >= this.left && box[0] - more <= this.left + this.size.x / this.scale
            && box[3] + more >= this.top && box[1] - more <= this.top + this.size.y / this.scale;
    },

    /** Lines of longitude and latitude, faint: where there is no road there is a direction. */
    drawGrid(pen) {
        const degrees = 360 * this.size.x / this.scale / 6;
        const steps = [30, 15, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001];
        const step = steps.find(each => each <= degrees) || 0.0005;
        pen.strokeStyle = this.colours.line;
        pen.globalAlpha = 0.6;
        pen.lineWidth = 1;
        pen.beginPath();
        const west = (this.left - 0.5) * 360;
        const east = west + 360 * this.size.x / this.scale;
        for (let each = Math.ceil(west / step); each * step <= east && pen; each++) {
            const x = Math.round(this.px(mercatorX(each * step))) + 0.5;
            pen.moveTo(x, 0);
            pen.lineTo(x, this.size.y);
        }
        const bounds = this._map.getBounds();
        for (let each = Math.ceil(bounds.getSouth() / step); each * step <= bounds.getNorth(); each++) {
            const y = Math.round(this.py(mercatorY(each * step))) + 0.5;
            pen.moveTo(0, y);
            pen.lineTo(this.size.x, y);
        }
        pen.stroke();
        pen.globalAlpha = 1;
    },

    /** Colour, width and dashes of a fence by its presence. */
    lookOf(fence) {
        const view = this.view;
        if (fence.index === view.fence) return { colour: 'chosen', width: 3, dash: [], fill: 0.2 };
        const known = view.presences.get(fence.index);
        if (known && known.presence === 'inside') {
            const dash = view.isLost || known.isUncertain ? [8, 5] : [];
            return { colour: 'inside', width: 3, dash, fill: 0.24 };
        }
        if (fence.isDanger) return { colour: 'hazard', width: 2, dash: [], fill: 0.1 };
        if (view.inWindow.has(fence.index)) {
            return { colour: 'outside', width: 1.6, dash: [], fill: 0.1 };
        }
        return { colour: 'other', width: 1.2, dash: [2, 4], fill: 0 };
    },

    drawFences(pen) {
        const seen = this.drive.fences.filter(fence => this.isSeen(fence.box, 20));
        const asDots = seen.length > MOST_SHAPES;
        const rank = fence => fence.index === this.view.fence ? 4
            : (this.view.presences.get(fence.index) || {}).presence === 'inside' ? 3
                : fence.isDanger ? 2 : this.view.inWindow.has(fence.index) ? 1 : 0;
        seen.sort((a, b) => rank(a) - rank(b));
        for (const fence of seen) {
            const look = this.lookOf(fence);
            const width = (fence.box[2] - fence.box[0]) * this.scale;
            const height = (fence.box[3] - fence.box[1]) * this.scale;
            const [x, y] = fence.middle, middle = [this.px(x), this.py(y)];
            if (asDots) {
                pen.fillStyle = this.colours[look.colour];
                pen.fillRect(middle[0] - 1, middle[1] - 1, 2, 2);
                continue;
            }
            pen.strokeStyle = this.colours[look.colour];
            pen.fillStyle = this.colours[look.colour];
            pen.lineWidth = look.width;
            pen.setLineDash(look.dash);
            if (Math.max(width, height) < 10) {
                this.drawPin(pen, middle);
                this.pins.push(middle);
            } else if (fence.circle) this.drawCircle(pen, fence, look);
            else if (fence.isArea) this.drawArea(pen, fence, look, Math.max(width, height));
            else this.drawLines(pen, fence, look);
            pen.setLineDash([]);
            this.targets.push({ fence, x: middle[0], y: middle[1], size: width * height });
            // What is larger than the view is named in the lists.
            const isHuge = width > this.size.x * 1.5 && height > this.size.y * 1.5;
            if (!isHuge || rank(fence) === 4) {
                const text = fence.hazard && fence.limitText ? fence.limitText : fence.name;
                const colour = fence.isDanger && rank(fence) < 3 ? 'hazard' : 'text';
                const isWide = width > 130;
                this.labels.push({
                    text, colour, rank: rank(fence), x: middle[0], y: middle[1],
                    gap: isWide ? -1 : Math.max(6, width / 2 + 4),
                });
            }
        }
    },

    drawPin(pen, [x, y]) {
        pen.save();
        pen.beginPath();
        pen.arc(x, y, 5, 0, 7);
        pen.fillStyle = this.colours.ground;
        pen.fill();
        pen.lineWidth = 2;
        pen.stroke();
        pen.restore();
    },

    drawCircle(pen, fence, look) {
        pen.beginPath();
        pen.arc(this.px(fence.circle.x), this.py(fence.circle.y),
            fence.circle.radius * fence.unit * this.scale, 0, 7);
        this.fill(pen, look.fill);
        pen.stroke();
    },

    drawArea(pen, fence, look, size) {
        pen.beginPath();
        for (const ring of fence.drawn) this.trace(pen, ring, true);
        // Huge fences are an edge, not a carpet.
        this.fill(pen, size > Math.max(this.size.x, this.size.y) ? Math.min(look.fill, 0.05)
            : look.fill);
        pen.stroke();
    },

    drawLines(pen, fence, look) {
        const legs = fence.hazard ? fence.hazard.legs.length : 0;
        fence.drawn.forEach((line, index) => {
            pen.beginPath();
            this.trace(pen, line, false);
            if (fence.hazard) {
                // Legs are ways, the restricted section is a bar.
                pen.lineWidth = index < legs ? look.width + 0.5 : 7;
                pen.setLineDash(index < legs ? look.dash : []);
                pen.globalAlpha = index < legs ? 0.75 : 1;
                pen.stroke();
                pen.globalAlpha = 1;
                if (index < legs && fence.isDanger) this.drawDirection(pen, line);
                return;
            }
            pen.save();
            pen.globalAlpha = Math.max(look.fill, 0.1);
            pen.lineWidth = Math.max(2, fence.width * fence.unit * this.scale);
            pen.setLineDash([]);
            pen.stroke();
            pen.restore();
            pen.stroke();
        });
        // No way out is drawn for a limit that the vehicle fits.
        if (!fence.isDanger) return;
        for (const [x, y] of fence.escapes) this.drawEscape(pen, this.px(x), this.py(y));
    },

    /** An arrow in the middle of a leg that is long enough for one. */
    drawDirection(pen, line) {
        const i = Math.max(0, (line.length >> 2) * 2 - 2);
        if (i + 3 >= line.length) return;
        const ax = this.px(line[i]), ay = this.py(line[i + 1]);
        const bx = this.px(line[i + 2]), by = this.py(line[i + 3]);
        if (Math.hypot(bx - ax, by - ay) < 24) return;
        pen.save();
        pen.translate((ax + bx) / 2, (ay + by) / 2);
        pen.rotate(Math.atan2(by - ay, bx - ax));
        pen.setLineDash([]);
        pen.beginPath();
        pen.moveTo(-5, -5);
        pen.lineTo(3, 0);
        pen.lineTo(-5, 5);
        pen.stroke();
        pen.restore();
    },

    /** The last way out: a green square standing on its corner. */
    drawEscape(pen, x, y) {
        pen.save();
        pen.translate(x, y);
        pen.rotate(Math.PI / 4);
        pen.setLineDash([]);
        pen.fillStyle = this.colours.inside;
        pen.strokeStyle = this.colours.ground;
        pen.lineWidth = 2;
        pen.fillRect(-6, -6, 12, 12);
        pen.strokeRect(-6, -6, 12, 12);
        pen.restore();
        this.labels.push({ text: say('wayOutLabel'), colour: 'inside', rank: 1, x, y, gap: 12 });
    },

    trace(pen, places, isClosed) {
        for (let i = 0; i < places.length; i += 2) {
            const x = this.px(places[i]), y = this.py(places[i + 1]);
            if (i === 0) pen.moveTo(x, y);
            else pen.lineTo(x, y);
        }
        if (isClosed) pen.closePath();
    },

    fill(pen, alpha) {
        if (alpha <= 0) return;
        pen.globalAlpha = alpha;
        pen.fill('evenodd');
        pen.globalAlpha = 1;
    },

    /** By rank, never over each other; to the left of their place where the right edge is near. */
    drawLabels(pen) {
        pen.font = '600 13px system-ui, "DejaVu Sans", sans-serif';
        pen.textBaseline = 'middle';
        pen.lineJoin = 'round';
        this.labels.sort((a, b) => b.rank - a.rank);
        let drawn = 0;
        for (const label of this.labels) {
            if (drawn >= 60) break;
            const text = label.text.length > 32 ? label.text.slice(0, 31) + '…' : label.text;
            const width = pen.measureText(text).width;
            const box = this.placeOf(label, width);
            if (!box) continue;
            this.taken.push(box);
            const x = box[0] + 2, y = (box[1] + box[3]) / 2;
            pen.lineWidth = 4;
            pen.strokeStyle = this.colours['label-edge'];
            pen.strokeText(text, x, y);
            pen.fillStyle = this.colours[label.colour];
            pen.fillText(text, x, y);
            drawn += 1;
        }
    },

    /** Where a text of that width has room: beside its place, above or below it; else nowhere. */
    placeOf(label, width) {
        const { x, y, gap } = label;
        const places = gap < 0 ? [[x - width / 2, y]]
            : [[x + gap, y], [x - gap - width, y], [x - width / 2, y - gap - 10],
                [x - width / 2, y + gap + 10]];
        const meets = (box, each) => each[0] < box[2] && each[2] > box[0]
            && each[1] < box[3] && each[3] > box[1];
        const isIn = box => box[0] >= 0 && box[2] <= this.size.x;
        const boxes = places.map(([left, middle]) =>
            [left - 2, middle - 9, left + width + 2, middle + 9])
            .filter(box => box[2] > 0 && box[0] < this.size.x && box[3] > 0 && box[1] < this.size.y
                && !this.taken.some(each => meets(box, each))
                && !this.pins.some(([px, py]) => (px !== x || py !== y)
                    && meets(box, [px - 6, py - 6, px + 6, py + 6])));
        return boxes.find(isIn) || (gap < 0 ? boxes[0] : undefined);
    },

    /** The event or fence at a place of the map: the event first, then the smallest fence. */
    at(point, place) {
        const near = this.targets.filter(each => Math.hypot(each.x - point.x, each.y - point.y) < 22);
        const event = near.filter(each => each.event).sort((a, b) =>
            Math.hypot(a.x - point.x, a.y - point.y) - Math.hypot(b.x - point.x, b.y - point.y))[0];
        if (event) return event;
        return this.targets.filter(each => each.fence
            && (near.includes(each) || each.fence.distanceFrom(place.lat, place.lng) <= 0))
            .sort((a, b) => a.size - b.size)[0];
    },
}));

/** The scale bar of the map, whose units are English. */
const OwnScale = L.Control.Scale.extend({
    _updateScale(scale, text, ratio) {
        const [number, unit] = text.split(' ');
        const keys = { m: 'metres', km: 'kilometres', ft: 'feet', mi: 'miles' };
        scale.style.width = Math.round(this.options.maxWidth * ratio) + 'px';
        scale.textContent = say(keys[unit], { n: number.replace('.', WORDS.decimalPoint) });
    },
});
