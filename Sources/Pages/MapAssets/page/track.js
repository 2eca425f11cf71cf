// What the layer draws of the drive itself: its path, fixes that did not count, events, the vehicle.

/** Methods of the layer. */
const layerOfDrive = {
    /** How many fences there are in each cell of the view, where they are too many to be drawn. */
    drawCells(pen) {
        const cells = this.drive.cells;
        if (!cells) return;
        const most = Math.max(1, ...cells.counts);
        const width = (cells.east - cells.west) / cells.columns;
        const height = (cells.north - cells.south) / cells.rows;
        pen.fillStyle = this.colours.outside;
        cells.counts.forEach((count, index) => {
            if (!count) return;
            const column = index % cells.columns, row = Math.floor(index / cells.columns);
            const left = this.px(cells.west + column * width);
            const right = this.px(cells.west + (column + 1) * width);
            // Rows are equal in degrees, and not on the map.
            const top = this.py(mercatorY(cells.north - row * height));
            const bottom = this.py(mercatorY(cells.north - (row + 1) * height));
            pen.globalAlpha = 0.15 + 0.6 * Math.log1p(count) / Math.log1p(most);
            pen.fillRect(left, top, right - left - 1, bottom - top - 1);
        });
        pen.globalAlpha = 1;
    },

    drawTrack(pen) {
        const drive = this.drive, view = this.view;
        if (drive.count === 0) return;
        const strip = (from, to, colour, width) => {
            pen.strokeStyle = this.colours[colour];
            pen.lineWidth = width;
            pen.beginPath();
            let lastX = -1e9, lastY = -1e9;
            for (let i = from; i <= to; i++) {
                const x = this.px(drive.x[i]), y = this.py(drive.y[i]);
                if (i === from || drive.pathStarts.has(i)) pen.moveTo(x, y);
                // Less than a pixel from the one before: nobody sees it.
                else if (i < to && Math.abs(x - lastX) + Math.abs(y - lastY) < 1) continue;
                else pen.lineTo(x, y);
                lastX = x;
                lastY = y;
            }
            if (to === view.fix && view.place && colour === 'track') {
                pen.lineTo(this.px(mercatorX(view.place.longitude)),
                    this.py(mercatorY(view.place.latitude)));
            }
            pen.stroke();
        };
        strip(Math.min(view.fix, drive.count - 1), drive.count - 1, 'track-ahead', 2.5);
        strip(0, view.fix, 'track', 4.5);
    },

    drawRefused(pen) {
        pen.strokeStyle = this.colours.refused;
        pen.lineWidth = 1.6;
        const isNear = this.scale > 256 * 4096;
        for (const fix of this.drive.refused) {
            if (fix.time > this.view.time) break;
            const x = this.px(fix.x), y = this.py(fix.y);
            if (x < -20 || y < -20 || x > this.size.x + 20 || y > this.size.y + 20) continue;
            pen.beginPath();
            pen.moveTo(x - 4, y - 4);
            pen.lineTo(x + 4, y + 4);
            pen.moveTo(x - 4, y + 4);
            pen.lineTo(x + 4, y - 4);
            pen.stroke();
            if (isNear) {
                this.labels.push({ text: fix.reason, colour: 'refused', rank: -1, x, y, gap: 8 });
            }
        }
    },

    /** Around a chosen event the fixes of nine seconds to either side, with their errors. */
    drawNearFixes(pen) {
        const event = this.view.event, drive = this.drive;
        if (!event || event.fix === undefined) return;
        const middle = drive.time[event.fix];
        pen.lineWidth = 1;
        for (let i = drive.fixAt(middle - 9000); i < drive.count && drive.time[i] <= middle + 9000; i++) {
            const x = this.px(drive.x[i]), y = this.py(drive.y[i]);
            pen.strokeStyle = this.colours.accent;
            pen.globalAlpha = 0.6;
            pen.beginPath();
            pen.arc(x, y, drive.error[i] * mercatorMetre(drive.latitude[i]) * this.scale, 0, 7);
            pen.stroke();
            pen.globalAlpha = 1;
            pen.fillStyle = this.colours.accent;
            pen.beginPath();
            pen.arc(x, y, 3.5, 0, 7);
            pen.fill();
        }
    },

    drawEvents(pen) {
        for (let i = 0; i < this.view.events; i++) {
            const event = this.drive.events[i];
            if (!event.place) continue;
            const x = this.px(event.x), y = this.py(event.y);
            if (x < -20 || y < -20 || x > this.size.x + 20 || y > this.size.y + 20) continue;
            const look = kindOf(event).look;
            const colour = look === 'note' ? 'accent' : look === 'lost' ? 'refused' : look;
            const size = event === this.view.event ? 9 : 6;
            pen.fillStyle = this.colours[colour];
            pen.strokeStyle = this.colours.ground;
            pen.lineWidth = 2;
            pen.beginPath();
            if (look === 'hazard' || look === 'lost') {
                pen.moveTo(x, y - size - 1);
                pen.lineTo(x + size, y + size - 1);
                pen.lineTo(x - size, y + size - 1);
                pen.closePath();
            } else {
                pen.arc(x, y, size, 0, 7);
            }
            pen.fill();
            pen.stroke();
            this.targets.push({ event, x, y, size: 0 });
        }
    },

    drawVehicle(pen) {
        const place = this.view.place, drive = this.drive;
        if (!place) return;
        const x = this.px(mercatorX(place.longitude)), y = this.py(mercatorY(place.latitude));
        pen.beginPath();
        pen.arc(x, y, drive.error[place.fix] * mercatorMetre(place.latitude) * this.scale, 0, 7);
        pen.fillStyle = this.colours.accent;
        this.fill(pen, 0.22);
        pen.strokeStyle = this.colours.accent;
        pen.lineWidth = 1.8;
        pen.stroke();
        pen.save();
        pen.translate(x, y);
        pen.beginPath();
        if (Number.isNaN(place.course)) {
            pen.arc(0, 0, 8, 0, 7);
        } else {
            pen.rotate(place.course * DEGREE);
            pen.moveTo(0, -16);
            pen.lineTo(11, 14);
            pen.lineTo(0, 7);
            pen.lineTo(-11, 14);
            pen.closePath();
        }
        pen.fillStyle = this.view.isLost ? this.colours.other : this.colours.accent;
        pen.strokeStyle = this.colours.ground;
        pen.lineWidth = 2.5;
        pen.fill();
        pen.stroke();
        pen.restore();
        this.taken.push([x - 18, y - 18, x + 18, y + 18]);
    },
};
