// The plot of an event: the signed distance of the fixes around it, with their errors.

/** Draws it into a canvas that is laid out. */
function drawPlot(canvas, event, drive, colours) {
    const ratio = window.devicePixelRatio || 1;
    const width = canvas.clientWidth, height = canvas.clientHeight;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    const pen = canvas.getContext('2d');
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    const points = event.plot.distance.map((value, i) => ({
        fix: event.plot.from + i, metres: value / 10, time: drive.time[event.plot.from + i],
        error: drive.error[event.plot.from + i],
    })).filter(point => Math.abs(point.time - drive.time[event.fix]) <= 30000);
    if (points.length === 0 || width < 80) return;
    const scale = plotScale(points, event, width, height);
    drawPlotAxes(pen, scale, event, colours, width, height);
    pen.save();
    pen.beginPath();
    pen.rect(scale.left, scale.top, scale.right - scale.left, scale.bottom - scale.top);
    pen.clip();
    pen.fillStyle = colours.accent;
    pen.globalAlpha = 0.2;
    pen.beginPath();
    points.forEach(point => pen.lineTo(scale.x(point.time), scale.y(point.metres + point.error)));
    points.slice().reverse().forEach(point =>
        pen.lineTo(scale.x(point.time), scale.y(point.metres - point.error)));
    pen.fill();
    pen.globalAlpha = 1;
    pen.strokeStyle = colours.accent;
    pen.lineWidth = 2;
    pen.beginPath();
    points.forEach(point => pen.lineTo(scale.x(point.time), scale.y(point.metres)));
    pen.stroke();
    pen.restore();
    pen.fillStyle = colours.accent;
    for (const point of points) {
        pen.beginPath();
        pen.arc(scale.x(point.time), scale.y(point.metres), 3, 0, 7);
        pen.fill();
    }
    drawPlotMarks(pen, scale, event, drive, colours);
}

function plotScale(points, event, width, height) {
    const metres = points.map(point => point.metres);
    const depth = Math.max(20, -Math.min(...metres));
    const low = -1.5 * depth;
    const most = Math.max(event.evidence.buffer_m || 0, event.json.distance_m || 0,
        Math.min(Math.max(...metres), 4 * depth));
    const high = Math.max(50, 1.25 * most);
    const first = points[0].time, last = Math.max(points[points.length - 1].time, first + 1000);
    const left = 58, right = width - 8, top = 6, bottom = height - 22;
    return {
        left, right, top, bottom, low, high, first, last,
        x: time => left + (Math.max(first, Math.min(last, time)) - first) / (last - first)
            * (right - left),
        y: value => bottom - (Math.max(low, Math.min(high, value)) - low) / (high - low)
            * (bottom - top),
    };
}

function drawPlotAxes(pen, scale, event, colours, width, height) {
    pen.font = '12px system-ui, "DejaVu Sans", sans-serif';
    pen.fillStyle = colours.inside;
    pen.globalAlpha = 0.14;
    pen.fillRect(scale.left, scale.y(0), scale.right - scale.left, scale.bottom - scale.y(0));
    pen.globalAlpha = 1;
    pen.fillText('inside', scale.left + 4, scale.bottom - 5);
    const line = (metres, colour, dash, text) => {
        pen.strokeStyle = colour;
        pen.fillStyle = colour;
        pen.lineWidth = 1.3;
        pen.setLineDash(dash);
        pen.beginPath();
        pen.moveTo(scale.left, scale.y(metres));
        pen.lineTo(scale.right, scale.y(metres));
        pen.stroke();
        pen.setLineDash([]);
        pen.textAlign = 'right';
        pen.fillText(text, scale.left - 4, scale.y(metres) + 4);
        pen.textAlign = 'left';
    };
    line(0, colours.text, [], '0 m');
    const buffer = event.evidence.buffer_m;
    if (buffer !== undefined) {
        line(buffer, colours.leave, [5, 4], Math.round(buffer) + ' m');
        pen.fillText('buffer', scale.left + 4, scale.y(buffer) - 4);
    }
    pen.fillStyle = colours.text;
    pen.textAlign = 'right';
    if (scale.y(buffer || 0) - scale.top > 26) {
        pen.fillText(Math.round(scale.high) + ' m', scale.left - 4, scale.top + 10);
    }
    if (scale.bottom - scale.y(0) > 26) {
        pen.fillText(Math.round(scale.low) + ' m', scale.left - 4, scale.bottom - 2);
    }
    pen.textAlign = 'left';
}

const PLOT_WORDS = { enter: 'entered', exit: 'left', initial: 'inside' };

function drawPlotMarks(pen, scale, event, drive, colours) {
    const others = drive.events.filter(each => each.region === event.region && each.plot
        && each.crossed >= scale.first && each.crossed <= scale.last);
    const labels = [];
    for (const each of others) {
        const look = kindOf(each).look;
        const colour = colours[look === 'note' ? 'accent' : look === 'lost' ? 'refused' : look];
        const isThis = each === event;
        const line = (time, dash) => {
            pen.strokeStyle = colour;
            pen.lineWidth = isThis ? 2.4 : 1.2;
            pen.setLineDash(dash);
            pen.beginPath();
            pen.moveTo(scale.x(time), scale.top);
            pen.lineTo(scale.x(time), scale.bottom);
            pen.stroke();
            pen.setLineDash([]);
        };
        line(each.crossed, []);
        line(drive.time[each.fix], [2, 3]);
        labels.push([scale.x(each.crossed), PLOT_WORDS[each.json.kind] || each.json.kind, colour, isThis]);
        if (isThis) labels.push([scale.x(drive.time[each.fix]), 'proved', colour, true]);
    }
    drawPlotLabels(pen, scale, labels, colours);
    pen.fillStyle = colours.text;
    for (let part = 0; part <= 4; part++) {
        const time = scale.first + (scale.last - scale.first) * part / 4;
        pen.textAlign = part === 0 ? 'left' : part === 4 ? 'right' : 'center';
        pen.fillText(clockText(drive.utc(time, event.fix)).slice(3), scale.x(time),
            scale.bottom + 16);
    }
    pen.textAlign = 'left';
}

/** Names the lines, those of the event itself first; no name covers another, and some are left out. */
function drawPlotLabels(pen, scale, labels, colours) {
    const taken = [];
    labels.sort((one, other) => other[3] - one[3]);
    for (const [x, text, colour] of labels) {
        const width = pen.measureText(text).width;
        const places = [0, 1, 2].flatMap(line => [x + 4, x - 4 - width].map(left =>
            ({ left, top: scale.top + 2 + 14 * line })));
        const place = places.find(({ left, top }) => left >= scale.left
            && left + width <= scale.right && !taken.some(other => left < other.right + 4
                && left + width > other.left - 4 && top < other.top + 14 && top + 14 > other.top));
        if (!place) continue;
        taken.push({ left: place.left, right: place.left + width, top: place.top });
        pen.fillStyle = colours.back;
        pen.globalAlpha = 0.8;
        pen.fillRect(place.left - 2, place.top, width + 4, 14);
        pen.globalAlpha = 1;
        pen.fillStyle = colour;
        pen.fillText(text, place.left, place.top + 11);
    }
}
