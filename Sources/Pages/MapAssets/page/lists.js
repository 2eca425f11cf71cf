// The texts beside the map: head, lists, and what the page is made of. Each row can do what a tap on
// the map can: a canvas says nothing to those who cannot see it.

/** Events that the list has at once, about the present one. */
const LISTED_EVENTS = 300;
const LISTED_FENCES = 500;

/** Of a fence that the vehicle is not proved to be inside; a negative distance says nothing there. */
function aheadText(metres) { return metres > 0 ? metresText(metres) : say('hereWord'); }

/** Fills a list anew. The row that had the focus has it again, for those who have no pointer. */
function refill(list, fill) {
    const focused = list.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    list.replaceChildren();
    fill();
    if (focused === null) return;
    const same = [...list.querySelectorAll('button')].find(each => each.dataset.key === focused);
    if (same) same.focus({ preventScroll: true });
}

/** Methods of the page. */
const pageLists = {
    fillHead(fix, view) {
        const drive = this.drive;
        const set = (id, text) => { document.getElementById(id).textContent = text; };
        const health = document.getElementById('health');
        health.classList.toggle('lost', Boolean(view.isLost));
        health.setAttribute('aria-label', say(view.isLost ? 'positionLost' : 'positionKnown'));
        if (drive.count === 0) return set('clock', say('noPositions'));
        const now = drive.utc(this.time, fix);
        set('clock', clockText(now) + ' ' + zoneText(now));
        const speed = drive.speed[fix];
        set('speed', Number.isNaN(speed) ? '' : speedText(speed * 3.6));
        set('error', '± ' + metresText(drive.error[fix]));
        set('source', drive.title + (drive.title ? ' · ' : '') + say('fixOf', { n: fix + 1, total: drive.count }));
    },

    fillLists(fix, view) {
        refill(document.getElementById('inside'), () => this.fillInside(view));
        refill(document.getElementById('ahead'), () => this.fillAhead(fix, view));
        const window = view.window;
        document.getElementById('window-size').textContent = window
            ? say('windowOf', { n: window.regions.length + (window.metafence ? 1 : 0),
                total: this.drive.json.catalogue || this.drive.fences.length }) : '';
    },

    fillInside(view) {
        const drive = this.drive, inside = document.getElementById('inside');
        for (const [index, known] of view.presences) {
            if (known.presence !== 'inside') continue;
            const fence = drive.fences[index];
            const since = spanText(Math.max(0, (this.time - known.since.crossed) / 1000));
            const made = row('inside', '●', fence.name, since);
            this.link(made, fence);
            inside.append(made.item);
        }
        if (!inside.firstChild) inside.append(element('li', 'empty', say('noFence')));
    },

    /** A row that opens its fence. */
    link(made, fence) {
        made.button.dataset.key = fence.id;
        if (fence === this.fence) made.button.classList.add('chosen');
        made.button.addEventListener('click', () => this.openFence(fence));
    },

    fillAhead(fix, view) {
        const drive = this.drive, ahead = document.getElementById('ahead');
        if (drive.count === 0) return;
        const told = new Set();
        for (const [index, toGo, stage, toEscape] of drive.aheadAt(fix)) {
            const fence = drive.fences[index];
            if (!fence) continue;
            told.add(index);
            const speed = drive.speed[fix];
            const time = speed > 1 ? spanText(toGo / speed) + ' · ' : '';
            const way = toEscape === null ? say('wayNone')
                : toEscape > 0 ? say('wayIn', { distance: toGoText(toEscape) }) : say('wayPast');
            const made = row(stage === 2 ? 'lost' : 'hazard', stage === 2 ? '!' : '▲',
                fence.limitText || fence.name, say('within', { distance: toGoText(toGo) }),
                time + way + ' · ' + fence.name);
            made.button.classList.add('danger');
            this.link(made, fence);
            ahead.append(made.item);
        }
        const near = (view.window ? view.window.regions : []).filter(index => !told.has(index)
            && (view.presences.get(index) || {}).presence !== 'inside')
            .map(index => drive.fences[index]).filter(fence => drive.isAhead(fence, fix))
            .map(fence => ({
                fence, metres: fence.distanceFrom(drive.latitude[fix], drive.longitude[fix]),
            })).sort((a, b) => a.metres - b.metres).slice(0, 5);
        for (const { fence, metres } of near) {
            const made = fence.hazard
                ? row(fence.isDanger ? 'hazard' : '', '□', fence.limitText || fence.name,
                    aheadText(metres), fence.name)
                : row('', '○', fence.name, aheadText(metres));
            this.link(made, fence);
            ahead.append(made.item);
        }
        if (!ahead.firstChild) ahead.append(element('li', 'empty', say('noFence')));
    },

    fillEvents(count) {
        const events = this.drive.events, list = document.getElementById('events');
        document.getElementById('event-count').textContent
            = say('countOf', { n: count, total: events.length });
        const first = Math.max(0, Math.min(count - LISTED_EVENTS / 2,
            events.length - LISTED_EVENTS));
        const last = Math.min(events.length, first + LISTED_EVENTS);
        if (this.listFirst !== first || list.childElementCount === 0) {
            this.listFirst = first;
            refill(list, () => this.fillRows(list, first, last));
        }
        for (const button of list.querySelectorAll('button')) {
            const index = Number(button.dataset.index);
            button.classList.toggle('later', index >= count);
            button.classList.toggle('chosen', Boolean(this.event) && index === this.event.index);
        }
        const index = (this.event ? this.event.index : count - 1) - first;
        const present = list.children[this.isNewestFirst ? last - first - 1 - index : index];
        if (present) {
            list.scrollTop = present.offsetTop - list.clientHeight / 2 + present.offsetHeight / 2;
        }
    },

    fillRows(list, first, last) {
        const events = this.drive.events;
        for (let i = first; i < last; i++) {
            const event = events[i], kind = kindOf(event);
            const made = row(kind.look, kind.sign, headline(event), clockText(event.utc),
                subline(event));
            made.button.dataset.index = i;
            made.button.dataset.key = event.json.seq;
            made.button.title = headline(event);
            made.button.addEventListener('click', () => this.open(event));
            if (this.isNewestFirst) list.prepend(made.item);
            else list.append(made.item);
        }
        if (events.length === 0) list.append(element('li', 'empty', say('noEvent')));
    },

    fillFences() {
        const list = document.getElementById('fences'), fences = this.drive.fences;
        for (const fence of fences.slice(0, LISTED_FENCES)) {
            const made = row(fence.isDanger ? 'hazard' : '',
                fence.isDanger ? '!' : fence.hazard ? '□' : '○', fence.name, fence.limitText);
            made.button.addEventListener('click', () => this.openFence(fence));
            list.append(made.item);
        }
        if (fences.length > LISTED_FENCES) {
            list.append(element('li', 'empty', say('andMore', { n: fences.length - LISTED_FENCES })));
        }
    },

    fillMade() {
        const json = this.drive.json, made = document.getElementById('made');
        const write = text => made.append(element('p', '', text));
        write('Written by ' + json.program + '. Positions in it are as private as the drive.');
        for (const input of json.inputs || []) {
            const line = element('p', '', input.role + ': ' + input.name + ', ' + input.bytes
                + ' bytes, SHA-256 ');
            line.append(element('code', '', input.sha256));
            made.append(line);
        }
        const settings = json.settings || [];
        write(settings.length ? 'Settings: ' + settings.join(', ')
            : 'Settings: the built-in defaults, but for a settings file named above.');
        const refused = this.drive.refused.length + (json.refused_left_out || 0);
        write(this.drive.count + ' fixes counted, ' + refused + ' with a position did not'
            + (json.refused_left_out ? ' (' + json.refused_left_out + ' of them are not drawn)' : '')
            + '.');
        write('Presences and events are those of the engine; distances in lists are for reading.');
        write('The map is drawn with Leaflet, BSD licence, see the source of this page.');
    },
};
