// What the page says of an event: sentences, and a sign and a colour for each kind.

// The table of event kinds, from Sources/Formats/Tables.
/** Colour class and sign of each kind of event. */
const KINDS = {
    'enter': { look: 'inside', sign: '→' },
    'exit': { look: 'leave', sign: '←' },
    'dwell': { look: 'note', sign: '◷' },
    'initial': { look: 'inside', sign: '●' },
    'position-lost': { look: 'lost', sign: '!' },
    'position-regained': { look: 'note', sign: '✓' },
    'advisory': { look: 'hazard', sign: '▲' },
    'urgent': { look: 'lost', sign: '!' },
    'clear': { look: 'inside', sign: '✓' },
    'beacons-lost': { look: 'lost', sign: '!' },
    'beacons-regained': { look: 'note', sign: '✓' },
    'overspeed': { look: 'lost', sign: '!' },
    'overspeed-end': { look: 'inside', sign: '✓' },
    'no-stop': { look: 'lost', sign: '!' },
    'overstay': { look: 'lost', sign: '!' },
    'towed': { look: 'lost', sign: '!' },
    'position-doubtful': { look: 'lost', sign: '!' },
    'position-trusted': { look: 'note', sign: '✓' },
    'fences-lost': { look: 'lost', sign: '!' },
    'fences-back': { look: 'note', sign: '✓' },
    'arriving': { look: 'inside', sign: '✓' },
    'arriving-over': { look: 'leave', sign: '←' },
    'trip': { look: 'note', sign: '◷' },
    'position': { look: 'note', sign: '◷' },
    'log-lost': { look: 'lost', sign: '!' },
};
// The end of the table.

/** Of a kind that this page does not know, too. */
function kindOf(event) {
    return KINDS[event.json.kind] || { look: 'note', sign: '•' };
}

/** "Entered I-80 Nevada, mile 1" */
function headline(event) {
    const key = 'kind' + capitalized(event.json.kind);
    if (Object.hasOwn(WORDS, key)) return say(key, { name: event.name }).trim();
    return (event.json.kind + ' ' + event.name).trim();
}

/** "axle-load" is "AxleLoad" in the name of a text. */
function capitalized(word) {
    return String(word).split(/[- ]/).map(each => each.charAt(0).toUpperCase() + each.slice(1)).join('');
}

/** A word of the daemon in the reader's language, `trouble` or `reason` before it; a new one as it is. */
function wordText(list, word) {
    const key = list + capitalized(word);
    return Object.hasOwn(WORDS, key) ? say(key) : String(word);
}

/** What the driver is told of a hazard, in his language; empty for any other event. */
function saidText(event) {
    const { said, approach } = event.json;
    return String(said || (approach && approach.text) || '');
}

/** One line below it in the list: "certain · -29 m ± 27 m". */
function subline(event) {
    const json = event.json, parts = [];
    if (json.reason) parts.push(wordText('reason', json.reason));
    if (typeof json.distance_m === 'number') {
        let text = metresText(json.distance_m);
        if (typeof json.error_m === 'number') text += ' ± ' + metresText(json.error_m);
        parts.push(text);
    }
    if (json.approach && typeof json.approach.to_go_m === 'number' && json.kind !== 'clear') {
        parts.push(say('within', { distance: toGoText(json.approach.to_go_m) }));
    }
    if (typeof json.stay_s === 'number') parts.push(say('after', { span: spanText(json.stay_s) }));
    if (json.inferred) parts.push(say('inferred'));
    if (json.announced === false) parts.push(say('silent'));
    return parts.join(' · ');
}

/** Why it was told: the rule of the law with its numbers, HANDBOOK section 3 and 8. The rules are written
 * in English alone; in another language there are their words, with the numbers of the event. */
function whyText(event) {
    const json = event.json;
    if (!READER.isEnglish) return [saidText(event), subline(event)].filter(Boolean).join(' ');
    if (json.approach) return approachText(event);
    if (BEACON_REASONS.includes(json.reason)) return beaconText(event);
    const depth = Math.round(Math.abs(json.distance_m || 0));
    const error = '± ' + Math.round(json.error_m || 0) + ' m';
    const parts = [];
    switch (json.kind) {
    case 'position-lost':
        return 'No fix has counted since ' + clockText(event.fixUTC) + ' ' + zoneText(event.fixUTC) + '.';
    case 'position-regained':
        return 'A fix has counted again.';
    case 'position-doubtful':
        return 'It has jumped to where the vehicle, which had no reason to move, cannot have come to.';
    case 'position-trusted':
        return json.reason === 'jump' ? 'The vehicle moves, or its fixes have agreed for long: it is there.'
            : 'The vehicle is where it was.';
    case 'fences-lost':
        return 'Fences that were accepted are not here: nobody watches them.';
    case 'fences-back':
        return 'They are here again, or somebody has said that they are not missed.';
    case 'log-lost':
        return 'The log has lost its end: what was told before may be gone.';
    case 'beacons-lost':
        return 'The radio does not listen, which causes no exit.';
    case 'beacons-regained':
        return 'The radio listens again.';
    case 'dwell':
        return 'The stay has lasted as long as the fence asks for.';
    case 'overspeed':
        return 'Faster than ' + speedText(json.speed_limit_kmh, json.speed_unit)
            + ' at every fix for the required time, by more than the error of the speed.';
    case 'overspeed-end':
        return 'Up to ' + speedText(json.max_speed_kmh, json.speed_unit) + ', for ' + spanText(json.length_s) + '.';
    case 'no-stop':
        return 'It was left without the required stop.';
    case 'overstay':
        return 'The stay has lasted longer than the fence allows.';
    case 'arriving':
        return 'It is on its way there, and expected soon.';
    case 'arriving-over':
        return 'It moves away or is late, or the fence was changed.';
    case 'trip':
        return 'Since ' + clockText(Date.parse(json.began), false) + ', ' + metresText(json.way_m) + '.';
    case 'position':
        return 'Where it was in a trip.';
    case 'towed':
        return 'The vehicle has left the place where it was parked, and its ignition is off.';
    case 'initial':
        return json.reason === 'schedule' ? 'Inside when the hours of the fence began.'
            : 'Inside at the first fix that was judged; no crossing was seen.';
    }
    const isExit = json.kind === 'exit';
    switch (json.reason) {
    case 'certain': parts.push(certainText(event, isExit, depth, error)); break;
    case 'path': parts.push(pathText(event, isExit, depth, error)); break;
    case 'settled': parts.push(settledText(event, depth, error)); break;
    case 'initial':
        parts.push('Inside at the first fix that was judged; the fence asks for an enter then.');
        break;
    case 'restart': parts.push('Found so after a restart; the crossing was not seen.'); break;
    case 'jump': parts.push('Found so after a jump of the position, where no path leads.'); break;
    case 'fence-changed': parts.push('The fence was changed.'); break;
    case 'fence-removed': parts.push('The fence was removed.'); break;
    case 'schedule': parts.push('The hours of the fence ' + (isExit ? 'ended.' : 'began.')); break;
    case 'expired': parts.push('The fence has come to its end.'); break;
    default: if (json.reason) parts.push('Reason: ' + json.reason + '.');
    }
    if (Number.isFinite(event.utc) && Number.isFinite(event.fixUTC)) {
        const late = (event.fixUTC - event.utc) / 1000;
        parts.push(late > 0.05
            ? 'Boundary crossed ' + clockText(event.utc, true) + ', proved by the fix of '
                + clockText(event.fixUTC) + ' (' + late.toFixed(1) + ' s later).'
            : 'At the fix of ' + clockText(event.fixUTC) + ' ' + zoneText(event.fixUTC) + '.');
    }
    if (json.inferred) parts.push('Inferred: no fix lies between this crossing and the next one.');
    if (json.announced === false) parts.push('Not announced: the fence asks for silence.');
    return parts.join(' ');
}

/** Numbers of the rule where they are known; where it was met on the way to the fix, its own. */
function certainText(event, isExit, depth, error) {
    const json = event.json, by = event.evidence;
    const bound = Math.max(by.buffer_m || 0, by.proof_bound_m || 0);
    // The fix alone says enough, or the rule was met before it.
    const isByFix = by.distance_m === undefined || (isExit
        ? json.distance_m - json.error_m > bound : json.distance_m + json.error_m <= 0);
    const distance = isByFix ? json.distance_m || 0 : by.distance_m;
    const radius = isByFix ? json.error_m || 0 : by.error_m;
    const isOnWay = !isByFix && Math.abs(by.distance_m - (json.distance_m || 0)) > 1;
    const where = isOnWay ? ' on the way to the fix' : '';
    const far = Math.round(Math.abs(distance)), off = isOnWay ? '± ' + Math.round(radius) + ' m' : error;
    if (!isExit) {
        if (distance + radius <= 0.01) {
            return 'Certain: ' + far + ' m inside' + where + ', deeper than the error of ' + off + '.';
        }
        return 'Certain: ' + far + ' m inside' + where + ', which is deeper than half of the inradius'
            + (by.inradius_m ? ' of ' + Math.round(by.inradius_m) + ' m' : '')
            + ', with an error of ' + off + '.';
    }
    const left = Math.round(distance - radius);
    let text = 'Certain: ' + far + ' m outside' + where + '; less the error of ' + off
        + ' that is ' + left + ' m';
    if (by.buffer_m !== undefined) {
        text += by.proof_bound_m !== undefined && by.proof_bound_m > by.buffer_m
            ? ', more than the ' + Math.round(by.proof_bound_m)
                + ' m to which the stay was proved'
            : ', more than the buffer of ' + Math.round(by.buffer_m) + ' m';
    }
    return text + '.';
}

function pathText(event, isExit, depth, error) {
    const by = event.evidence;
    if (isExit) return 'Path: the line between two fixes led out of it again.';
    if (by.run_m === undefined) {
        return 'Path: the line between two fixes ran ' + depth + ' m deep through it; the error is '
            + error + '.';
    }
    const isSmall = by.inradius_m < by.error_m;
    return 'Path: ' + Math.round(by.run_m) + ' m of the way ran inside, ' + depth
        + ' m deep; more than the ' + (isSmall ? 'inradius of ' : 'error of ± ')
        + Math.round(isSmall ? by.inradius_m : by.error_m) + ' m.';
}

function settledText(event, depth, error) {
    const by = event.evidence;
    return 'Settled: no single fix was certain, but all of them agreed'
        + (by.settled_s === undefined ? ' for long enough' : ' for ' + spanText(by.settled_s))
        + '. The last was ' + depth + ' m '
        + ((event.json.distance_m || 0) <= 0 ? 'inside' : 'outside') + ', ' + error + '.';
}

/** Reasons that only beacon fences have. */
const BEACON_REASONS = ['sighted', 'silent', 'coupled', 'manual'];

/** What proved an event of beacons, HANDBOOK section 10. */
function beaconText(event) {
    const json = event.json, by = json.beacon || {}, parts = [];
    const isExit = json.kind === 'exit';
    const number = value => typeof value === 'number' && Number.isFinite(value);
    const along = number(by.way_m) ? ' along ' + metresText(by.way_m) + ' of path' : '';
    switch (json.reason) {
    case 'manual': parts.push('Set by hand.'); break;
    case 'silent':
        parts.push('Silent: nothing was heard'
            + (number(by.silence_s) ? ' for ' + spanText(by.silence_s) : '') + along
            + (number(by.patience_s) ? '; its patience is ' + spanText(by.patience_s) : '') + '.');
        break;
    case 'coupled':
        parts.push(isExit ? 'Another of its group was coupled.' : 'Coupled: heard' + along + '.');
        break;
    default:
        parts.push('Heard' + (number(by.sightings) ? ' ' + by.sightings + ' times' : '') + '.');
    }
    if (typeof by.id === 'string') {
        parts.push((isExit ? 'Heard last: ' : 'Beacon ') + by.id
            + (number(by.rssi_mean) ? ' at ' + Math.round(by.rssi_mean) + ' dBm' : '') + '.');
    }
    if (json.kind === 'initial') parts.push('Found inside when the radio began to listen.');
    if (json.announced === false) parts.push('Not announced: the fence asks for silence.');
    return parts.join(' ');
}

/** Of advisory, urgent and clear: what the driver hears, and by which numbers. */
function approachText(event) {
    const approach = event.json.approach, parts = [];
    if (saidText(event)) parts.push(saidText(event));
    else if (typeof approach.to_escape_m === 'number') {
        parts.push(approach.to_escape_m > 0
            ? 'The last way out is ' + toGoText(approach.to_escape_m) + ' ahead.'
            : 'The last way out is ' + metresText(-approach.to_escape_m) + ' behind.');
    }
    if (event.json.kind === 'clear' && event.json.reason) {
        parts.push('Reason: ' + event.json.reason + '.');
    }
    return parts.join(' ');
}

/** An element with text in it, which is never markup. */
function element(tag, look, text) {
    const made = document.createElement(tag);
    if (look) made.className = look;
    if (text !== undefined) made.textContent = text;
    return made;
}

/** A row of a list: sign, name, value at its end, perhaps a second line. */
function row(look, sign, name, value, more) {
    const made = element('button', 'row');
    made.type = 'button';
    const glyph = element('span', 'glyph ' + look, sign);
    glyph.setAttribute('aria-hidden', 'true');
    made.append(glyph, element('span', 'name', name), element('span', 'value', value));
    if (more) made.append(element('span', 'more', more));
    const item = document.createElement('li');
    item.append(made);
    return { item, button: made };
}

/** The texts of the markup, which is English. */
function translateMarkup() {
    for (const each of document.querySelectorAll('[data-say]')) {
        each.textContent = say(each.dataset.say);
    }
    for (const each of document.querySelectorAll('[data-title]')) {
        each.title = say(each.dataset.title);
    }
    for (const each of document.querySelectorAll('[data-label]')) {
        each.setAttribute('aria-label', say(each.dataset.label));
    }
}
