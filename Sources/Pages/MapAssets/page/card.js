// The card: the selected event, with the reason why it was reported, or the selected fence.

/** The text about a limit, by the `fit` of its fence; without one nothing was compared. */
const FITS = {
    'fits': 'the vehicle fits', 'breaks': 'the vehicle does not fit',
    'unknown': 'not compared with the vehicle: a number is not known',
};

/** Methods of the page. */
const pageCard = {
    fillCard() {
        const { event, fence } = this;
        if (!event && !fence) return;
        const set = (id, text) => { document.getElementById(id).textContent = text; };
        if (event) {
            set('card-title', headline(event));
            set('card-text', whyText(event));
            set('card-more', 'Event ' + event.json.seq
                + (event.json.fence ? ' of fence ' + event.json.fence : ''));
        } else {
            set('card-title', fence.name);
            set('card-text', this.fenceText(fence));
            set('card-more', 'Fence ' + fence.id);
        }
        this.drawCard();
    },

    /** "Limit: height 4.1 m · the vehicle does not fit · outside · 2 events." */
    fenceText(fence) {
        const known = this.layer.view.presences.get(fence.index);
        const events = this.drive.events.filter(each => each.region === fence.index);
        const parts = [fence.shapeText];
        const fit = fence.hazard && FITS[fence.hazard.fit];
        if (fit) parts.push(fit);
        parts.push(known ? known.presence + (known.isUncertain ? ', uncertain' : '')
            : this.layer.view.inWindow.has(fence.index) ? 'outside' : 'not looked at now');
        parts.push(events.length === 1 ? '1 event' : events.length + ' events');
        return parts.join(' · ') + '.';
    },

    drawCard() {
        const plot = document.getElementById('plot'), event = this.event;
        const hasPlot = Boolean(event && event.plot && event.fix !== undefined
            && event.plot.distance.length > 1 && !event.json.approach);
        plot.hidden = !hasPlot;
        if (!hasPlot) return;
        plot.setAttribute('aria-label', 'Signed distance to the fence over time. ' + whyText(event));
        drawPlot(plot, event, this.drive, this.layer.colours);
    },
};
