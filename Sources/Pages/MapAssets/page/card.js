// The card: the selected event, with the reason why it was reported, or the selected fence.

/** What the vehicle is found to a limit; without one of these nothing was compared. */
const FITS = ['fits', 'breaks', 'unknown'];

/** Methods of the page. */
const pageCard = {
    fillCard() {
        const { event, fence } = this;
        if (!event && !fence) return;
        const set = (id, text) => { document.getElementById(id).textContent = text; };
        if (event) {
            set('card-title', headline(event));
            set('card-text', whyText(event));
            set('card-more', say(event.json.fence ? 'eventOfFence' : 'eventNumber',
                { n: event.json.seq, id: event.json.fence }));
        } else {
            set('card-title', fence.name);
            set('card-text', this.fenceText(fence));
            set('card-more', say('fenceId', { id: fence.id }));
        }
        this.drawCard();
    },

    /** "Limit: height 4.1 m · the vehicle does not fit · outside · 2 events." */
    fenceText(fence) {
        const known = this.layer.view.presences.get(fence.index);
        const events = this.drive.events.filter(each => each.region === fence.index);
        const parts = [fence.shapeText];
        const fit = fence.hazard && fence.hazard.fit;
        if (FITS.includes(fit)) parts.push(say('fit' + capitalized(fit)));
        parts.push(known ? say('presence' + capitalized(known.presence))
                + (known.isUncertain ? ', ' + say('uncertain') : '')
            : say(this.layer.view.inWindow.has(fence.index) ? 'presenceOutside' : 'notLookedAt'));
        parts.push(say('eventCount', { n: events.length }));
        return parts.join(' · ') + '.';
    },

    drawCard() {
        const plot = document.getElementById('plot'), event = this.event;
        const hasPlot = Boolean(event && event.plot && event.fix !== undefined
            && event.plot.distance.length > 1 && !event.json.approach);
        plot.hidden = !hasPlot;
        if (!hasPlot) return;
        plot.setAttribute('aria-label', say('plot') + ' ' + whyText(event));
        drawPlot(plot, event, this.drive, this.layer.colours);
    },
};
