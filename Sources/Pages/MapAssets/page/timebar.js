// The time bar: the speed over time, the events, and where the page is.

/** Methods of the page. */
const pageTimeBar = {
    drawBar() {
        const bar = document.getElementById('bar'), canvas = document.getElementById('profile');
        const drive = this.drive, colours = this.layer.colours;
        const width = bar.clientWidth, height = bar.clientHeight;
        if (!width || !colours.accent) return;
        const ratio = window.devicePixelRatio || 1;
        canvas.width = Math.round(width * ratio);
        canvas.height = Math.round(height * ratio);
        const pen = canvas.getContext('2d');
        pen.setTransform(ratio, 0, 0, ratio, 0, 0);
        const length = Math.max(1, drive.end - drive.begin);
        const place = time => 8 + (time - drive.begin) / length * (width - 16);
        const top = 12, bottom = height - 8;
        const style = getComputedStyle(document.documentElement);
        if (this.profileWidth !== width) this.makeProfile(width);
        pen.fillStyle = style.getPropertyValue('--bar').trim();
        pen.beginPath();
        pen.moveTo(8, bottom);
        this.profile.forEach((share, x) => pen.lineTo(8 + x, bottom - share * (bottom - top)));
        pen.lineTo(width - 8, bottom);
        pen.fill();
        const now = place(this.time);
        pen.fillStyle = colours['track-ahead'];
        pen.fillRect(8, bottom, width - 16, 3);
        pen.fillStyle = colours.accent;
        pen.fillRect(8, bottom, now - 8, 3);
        for (const event of drive.events) {
            const x = place(event.known), look = kindOf(event).look;
            pen.fillStyle = colours[look === 'note' ? 'accent' : look === 'lost' ? 'refused' : look];
            const isDown = look === 'leave' || look === 'lost';
            pen.beginPath();
            pen.moveTo(x - 4, isDown ? 2 : 9);
            pen.lineTo(x + 4, isDown ? 2 : 9);
            pen.lineTo(x, isDown ? 9 : 2);
            pen.fill();
        }
        pen.fillStyle = colours.accent;
        pen.fillRect(now - 6, 5, 12, height - 10);
        const passed = passedText(this.time - drive.begin) + ' / ' + passedText(length);
        document.getElementById('passed').textContent = passed;
        bar.setAttribute('aria-valuemax', Math.round(length / 1000));
        bar.setAttribute('aria-valuenow', Math.round((this.time - drive.begin) / 1000));
        bar.setAttribute('aria-valuetext', passed);
    },

    /** Of the greatest speed, 0…1, for each pixel of the bar. */
    makeProfile(width) {
        const drive = this.drive, most = Math.max(1, drive.speed.reduce(
            (most, speed) => speed > most ? speed : most, 0));
        this.profileWidth = width;
        this.profile = new Float64Array(Math.max(1, width - 16));
        const length = Math.max(1, drive.end - drive.begin);
        for (let x = 0; x < this.profile.length; x++) {
            const fix = drive.fixAt(drive.begin + length * x / this.profile.length);
            this.profile[x] = (drive.speed[fix] || 0) / most;
        }
    },
};
