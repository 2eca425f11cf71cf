// The layer of a drive: fences, the drive, events, the vehicle.

/** Above this many fences in view they are dots. */
const MOST_SHAPES = 1500;

const DriveLayer = L.Layer.extend(Object.assign({}, canvasOfMap, layerOfDrive, {
    initialize(drive) {
        this.drive = drive;
        this.view = { fix: 0, presences: new Map(), inWindow: new Set(), events: 0 };
        this.colours = {};
    },

    paint(pen) {
        this.drawCells(pen);
        this.drawFences(pen);
        this.drawMetafence(pen);
        this.drawTrack(pen);
        this.drawRefused(pen);
        this.drawNearFixes(pen);
        this.drawEvents(pen);
        this.drawVehicle(pen);
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
