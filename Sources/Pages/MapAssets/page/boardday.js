// The day of a fleet: a bar for each stay, and what the vehicle has logged of one.

/** Pixels of a lane of bars, and of a bar with a text in it. */
const LANE = 28, LABEL = 110;

class BoardDay {
    constructor(board) {
        this.board = board;
        byId('print').addEventListener('click', () => print());
        byId('csv').addEventListener('click', () => this.save());
        byId('day-date').addEventListener('change', event => {
            if (event.target.value) board.go(board.address.link({ day: event.target.value }));
        });
    }

    /** Midnight of the day of the address, by the clock of this browser, and of days after it. */
    midnight(more) {
        const text = this.board.address.day;
        const date = text ? new Date(text + 'T00:00:00') : new Date(this.board.now);
        return new Date(date.getFullYear(), date.getMonth(), date.getDate() + (more || 0));
    }

    static name(date) {
        const two = number => String(number).padStart(2, '0');
        return date.getFullYear() + '-' + two(date.getMonth() + 1) + '-' + two(date.getDate());
    }

    /** The question about the stays, in a format. */
    question(format) {
        const query = new URLSearchParams({ format, since: this.midnight(0).toISOString(),
            until: this.midnight(1).toISOString() });
        if (this.board.address.text) query.set('text', this.board.address.text);
        return '/v1/visits?' + query;
    }

    show() {
        const { address } = this.board, day = this.midnight(0);
        byId('date').textContent = CLOCKS.day.format(day)
            + (address.text ? ' · ' + address.text : '');
        byId('day-date').value = BoardDay.name(day);
        for (const [id, text, more] of [['day-before', '‹ ' + say('previousDay'), -1],
            ['day-after', say('nextDay') + ' ›', 1]]) {
            byId(id).textContent = text;
            byId(id).href = address.link({ day: BoardDay.name(this.midnight(more)) });
        }
        for (const by of ['place', 'vehicle', 'driver']) {
            const link = byId('by-' + by);
            link.href = address.link({ by });
            if (by === address.by) link.setAttribute('aria-current', 'true');
            else link.removeAttribute('aria-current');
        }
        this.complain('');
        clearTimeout(this.later);
        this.later = setTimeout(() => this.ask(), 150);
    }

    /** Something is new: today may have another stay. */
    refresh() {
        const now = this.board.now;
        if (this.midnight(0).getTime() <= now && now < this.midnight(1).getTime()) this.ask();
    }

    async ask() {
        const question = this.question('json');
        const answer = await this.board.feed.ask(question);
        if (!answer || question !== this.question('json')) return;
        const text = await answer.text();
        const stays = text.split('\n').filter(line => line).map(line => JSON.parse(line));
        this.draw(stays, answer.headers.has('Geofenced-More'));
    }

    /** A file of all stays: a link would not carry the token of the address. */
    async save() {
        const answer = await this.board.feed.any(this.question('csv'));
        if (!answer || !answer.ok) {
            const isLong = answer && answer.status === 413;
            const why = answer && isBusy(answer) ? 'busy' : 'noDatabase';
            return this.complain(say(isLong ? 'fileTooLong' : why));
        }
        this.complain('');
        const link = made('a'), address = URL.createObjectURL(await answer.blob());
        link.href = address;
        link.download = 'stays-' + BoardDay.name(this.midnight(0)) + '.csv';
        link.click();
        setTimeout(() => URL.revokeObjectURL(address), 60000);
    }

    /** Why there is no file. */
    complain(text) {
        byId('file-note').hidden = !text;
        byId('file-note').textContent = text;
    }

    draw(stays, hasMore) {
        const begin = this.midnight(0).getTime(), end = this.midnight(1).getTime();
        const now = this.board.now, groups = new Map();
        let sum = 0;
        for (const each of stays) {
            const from = Date.parse(each.entered), to = each.left ? Date.parse(each.left) : now;
            const stay = { each, from, to, low: Math.max(from, begin), high: Math.min(to, end) };
            if (!(stay.high >= stay.low)) continue;
            stay.seconds = (stay.high - stay.low) / 1000;
            sum += stay.seconds;
            const name = { place: each.title || each.place, vehicle: each.box,
                driver: each.driver || say('noDriver') }[this.board.address.by];
            if (!groups.has(name)) groups.set(name, []);
            groups.get(name).push(stay);
        }
        byId('sum').textContent = say('stays', { n: stays.length, span: stayText(sum) });
        const note = byId('day-note');
        note.hidden = stays.length > 0 && !hasMore;
        note.textContent = stays.length ? say('first', { n: stays.length }) : say('noStays');
        const card = made('div', 'card');
        card.append(this.head(begin, end));
        const names = [...groups.keys()].sort((one, other) => one.localeCompare(other));
        for (const name of names) card.append(this.line(name, groups.get(name), begin, end));
        byId('bars').replaceChildren(...(stays.length ? [card] : []));
    }

    head(begin, end) {
        const line = made('div', 'line head'), lane = made('div', 'lane ticks');
        for (let hour = 0; hour < 24; hour += 2) {
            const at = new Date(begin);
            at.setHours(hour);
            const tick = made('span', '', String(hour).padStart(2, '0'));
            tick.style.left = (at.getTime() - begin) / (end - begin) * 100 + '%';
            lane.append(tick);
        }
        line.append(made('span', ''), lane, made('span', '', say('total')));
        return line;
    }

    /** Bars that overlap are below each other. */
    line(name, stays, begin, end) {
        const line = made('div', 'line'), lane = made('div', 'lane'), ends = [];
        const share = time => (time - begin) / (end - begin) * 100;
        for (let hour = 2; hour < 24; hour += 2) {
            const at = new Date(begin), tick = made('i');
            at.setHours(hour);
            tick.style.left = share(at.getTime()) + '%';
            lane.append(tick);
        }
        stays.sort((one, other) => one.low - other.low);
        let sum = 0;
        for (const stay of stays) {
            sum += stay.seconds;
            let row = ends.findIndex(time => time <= stay.low);
            if (row < 0) row = ends.length;
            ends[row] = stay.high;
            const bar = this.bar(stay), width = share(stay.high) - share(stay.low);
            if (width * byId('bars').clientWidth < 100 * LABEL) bar.textContent = '';
            bar.style.left = share(stay.low) + '%';
            bar.style.width = width + '%';
            bar.style.top = row * LANE + 4 + 'px';
            lane.append(bar);
        }
        lane.style.height = Math.max(1, ends.length) * LANE + 4 + 'px';
        line.append(made('span', '', name), lane, made('span', '', stayText(sum)));
        return line;
    }

    bar({ each, from, to }) {
        const bar = made('button', 'bar', (each.inferred ? '≈ ' : '') + stayText(each.stay_s));
        const isOpen = !each.left, title = each.title || each.place;
        bar.type = 'button';
        if (isOpen) bar.classList.add('open');
        if (each.inferred) bar.classList.add('unseen');
        const stay = { box: each.box, name: each.box, place: each.place, title,
            driver: each.driver, from, to: isOpen ? null : to, seconds: each.stay_s };
        bar.title = each.box + ' · ' + title + '\n' + this.summary(stay);
        bar.setAttribute('aria-label', each.box + ', ' + title + ', ' + this.summary(stay));
        bar.addEventListener('click', () => this.tell(stay));
        return bar;
    }

    summary({ driver, from, to, seconds }) {
        const now = this.board.now;
        return [whenText(from, now) + ' – ' + (to === null ? say('stillThere') : whenText(to, now)),
            stayText(seconds === undefined ? (now - from) / 1000 : seconds),
            driver || say('noDriver')].join(' · ');
    }

    /** Shows what the vehicle has logged of a stay. */
    async tell(stay) {
        byId('stay-title').textContent = stay.name + ' · ' + stay.title;
        byId('stay-text').textContent = this.summary(stay);
        const list = byId('stay-events');
        list.replaceChildren(made('li', 'empty', say('loading')));
        if (!byId('stay').open) byId('stay').showModal();
        const query = new URLSearchParams({ box: stay.box, place: stay.place,
            from: new Date(stay.from).toISOString() });
        if (stay.to !== null) query.set('to', new Date(stay.to).toISOString());
        const events = await this.board.feed.json('/v1/stay?' + query);
        const rows = (Array.isArray(events) ? events : []).map(each => this.event(each, stay));
        list.replaceChildren(...(rows.length ? rows : [made('li', 'empty', say('notFound'))]));
    }

    event(each, stay) {
        const json = { ...each.details, kind: each.kind, inferred: each.inferred };
        const told = { json, name: stay.title, utc: Date.parse(each.at),
            fixUTC: Date.parse(json.fix_time), evidence: json.evidence || {} };
        const row = made('li'), now = this.board.now, kind = kindOf(told);
        row.append(made('span', 'glyph ' + kind.look, kind.sign), ' ', made('b', '', headline(told)));
        const facts = [CLOCKS.zone.format(told.utc),
            say('received', { time: whenText(Date.parse(each.received), now) })];
        if (each.inferred) facts.push(say('inferred'));
        if (each.driver) facts.push(each.driver);
        row.append(made('small', '', facts.join(' · ')));
        let why = '';
        // A box may have sent anything.
        try { why = whyText(told); } catch (error) { why = ''; }
        if (why) row.append(made('small', '', why));
        row.append(made('small', '', each.log + ' № ' + each.seq));
        return row;
    }
}
