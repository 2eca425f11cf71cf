// What the server of the page says: questions with the token, and the stream of what happens.

/** Nothing for this long, ms: the stream is dead, though nobody has closed it. The server says
 * something every second. */
const SILENCE = 15000;
/** Waits before the next attempt, ms. */
const PATIENCE = [500, 1000, 2000, 5000];

/** The token of the address, which nobody else of the machine knows: in its fragment, which is
 * sent to no server, and in a storage that goes with the tab. */
function takeToken() {
    const match = /^#token=([0-9a-f]{32})$/.exec(location.hash);
    if (match) {
        sessionStorage.setItem('token', match[1]);
        history.replaceState(null, '', location.pathname + location.search);
    }
    return sessionStorage.getItem('token') || '';
}

/** Whether the server has too much to do, for a moment. */
function isBusy(answer) { return answer.status === 503 && answer.headers.has('Retry-After'); }

/** Splits a stream of server-sent events: https://html.spec.whatwg.org/#parsing-an-event-stream */
class EventLines {
    constructor(handle) {
        this.handle = handle;
        this.rest = '';
        this.begin();
    }

    begin() {
        this.name = 'message';
        this.id = null;
        this.data = [];
    }

    take(text) {
        const lines = (this.rest + text).split('\n');
        this.rest = lines.pop();
        for (const line of lines) {
            if (line === '') {
                if (this.data.length) this.handle(this.name, this.data.join('\n'), this.id);
                this.begin();
                continue;
            }
            const colon = line.indexOf(':');
            if (colon === 0) continue;
            const field = colon < 0 ? line : line.slice(0, colon);
            const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
            if (field === 'event') this.name = value;
            else if (field === 'data') this.data.push(value);
            else if (field === 'id') this.id = value;
        }
    }
}

class LiveFeed {
    /** `handle(name, json)` for each event, `changed(isConnected, why)` when it comes and goes. */
    constructor(handle, changed) {
        this.token = takeToken();
        this.handle = handle;
        this.changed = changed;
        this.attempt = 0;
        /** The number of the last event of the log: what is asked for after a break. */
        this.seq = null;
    }

    headers(more) {
        const headers = Object.assign({}, more);
        if (this.token) headers.Authorization = 'Bearer ' + this.token;
        return headers;
    }

    /** The answer to a question; null for an error, and for what has not changed. */
    async ask(path, more) {
        const answer = await this.any(path, more);
        return answer && answer.ok ? answer : null;
    }

    /** The answer to a question, which may be a refusal; null for none. */
    async any(path, more) {
        try {
            return await fetch(path, { headers: this.headers(more), cache: 'no-store' });
        } catch (error) {
            return null;
        }
    }

    async json(path) { return (await this.answer(path)).json; }

    /** The status of an answer, 0 for none, whether it may be asked for again soon, and its JSON; null
     * for an error. */
    async answer(path) {
        try {
            const answer = await fetch(path, { headers: this.headers(), cache: 'no-store' });
            return { status: answer.status, isBusy: isBusy(answer),
                json: answer.ok ? await answer.json() : null };
        } catch (error) {
            return { status: 0, isBusy: false, json: null };
        }
    }

    /** Listens until the page goes. */
    async run() {
        for (;;) {
            const why = await this.listen();
            this.changed(false, why);
            const wait = PATIENCE[Math.min(this.attempt, PATIENCE.length - 1)];
            this.attempt += 1;
            await new Promise(resolve => setTimeout(resolve, wait));
        }
    }

    /** Until the stream ends; returns why. */
    async listen() {
        const stop = new AbortController();
        let watch = setTimeout(() => stop.abort(), SILENCE);
        try {
            const more = this.seq === null ? {} : { 'Last-Event-ID': String(this.seq) };
            const answer = await fetch('/v1/live',
                { headers: this.headers(more), cache: 'no-store', signal: stop.signal });
            if (answer.status === 401) return say('needsAddress');
            if (!answer.ok) return say('mapSilent') + ' (' + answer.status + ')';
            const lines = new EventLines((name, data, id) => {
                this.attempt = 0;
                let json;
                try { json = JSON.parse(data); } catch (error) { return; }
                this.handle(name, json);
                // After it was handled: what was not is asked for again.
                if (id !== null) this.seq = Number(id);
            });
            const decoder = new TextDecoder();
            const reader = answer.body.getReader();
            this.changed(true, '');
            for (;;) {
                const { value, done } = await reader.read();
                if (done) return say('mapEnded');
                clearTimeout(watch);
                watch = setTimeout(() => stop.abort(), SILENCE);
                lines.take(decoder.decode(value, { stream: true }));
            }
        } catch (error) {
            return say('noConnection');
        } finally {
            clearTimeout(watch);
            stop.abort();
        }
    }
}
