// The one canvas of a map: what every map of ours draws. Leaflet moves the map, this draws it; a thousand
// shapes as Leaflet's own layers take ten times as long.

/** What a layer of a map is made of; it says in `paint(pen)` what is drawn between the grid and the labels. */
const canvasOfMap = {
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
        this.paint(pen);
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
};

// Leaflet's own buttons, in the reader's language.
function addZoomButtons(map) {
    L.control.zoom({ zoomInTitle: say('nearer'), zoomOutTitle: say('farther') }).addTo(map);
}

/** The scale bar of the map, whose units are English. */
const OwnScale = L.Control.Scale.extend({
    _updateScale(scale, text, ratio) {
        const [number, unit] = text.split(' ');
        const keys = { m: 'metres', km: 'kilometres', ft: 'feet', mi: 'miles' };
        scale.style.width = Math.round(this.options.maxWidth * ratio) + 'px';
        scale.textContent = say(keys[unit], { n: number.replace('.', WORDS.decimalPoint) });
    },
});
