// SPDX-License-Identifier: MIT
// Plays a recorded simulation: time, controls, the cursor on the plots and, where there is WebGL, the view of viewer.js.
// #t=0.45 at the end of the address: stands still at that time.
'use strict';
(() => {
  const {data, View, groups, short, CONTACT, LONGEST_WEIGHTS} = simulation;
  const at = id => document.getElementById(id);

  // The last frame that is not after the time, and how far the way to the next one is done.
  function frame_at(time) {
    let low = 0, high = data.frames.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (data.frames[middle][0] <= time) low = middle; else high = middle - 1;
    }
    const next = Math.min(low + 1, data.frames.length - 1), span = data.frames[next][0] - data.frames[low][0];
    return {index: low, next, part: span > 0 ? Math.min(1, (time - data.frames[low][0]) / span) : 0};
  }

  function has_webgl() {
    const probe = document.createElement('canvas');
    return Boolean(probe.getContext('webgl') || probe.getContext('experimental-webgl'));
  }

  class Player {
    constructor() {
      this.time = 0;
      this.playing = false;
      this.cursors = [...document.querySelectorAll('.plot')].map(plot => this.add_cursor(plot));
      if (has_webgl()) this.view = new View(at('stage'));
      else at('stage').innerHTML = '<p>This browser shows no WebGL (switched off, or no graphics driver): no animation. '
        + 'The plots and figures below work without.</p>';
      this.connect();
      this.describe();
      const start = this.time_in_address();
      if (start !== null) this.seek(start);
      else if (matchMedia('(prefers-reduced-motion: reduce)').matches) this.seek(0);
      else this.play();
    }

    connect() {
      at('time').max = data.duration_s;
      at('time').oninput = () => this.seek(Number(at('time').value));
      at('play').onclick = () => this.toggle();
      at('reset').onclick = () => this.view && this.view.fit();
      at('follow-label').hidden = data.base < 0;
      at('show-shapes').onchange = () => this.show();
      at('show-forces').onchange = () => this.show();
      at('show-names').onchange = () => this.show();
      window.addEventListener('hashchange', () => {
        const time = this.time_in_address();
        if (time !== null) this.seek(time);
      });
      document.addEventListener('keydown', event => this.key(event));
    }

    describe() {
      const legend = at('legend'), span_of = (name, text) =>
        Object.assign(document.createElement('span'), {className: name, textContent: text});
      if (data.frames.some(frame => frame[2].length > 0))
        legend.append(
          'Arrows: contact forces on the robot, ', span_of('rests', 'at rest'), ' or ', span_of('slides', 'sliding'),
          `; its weight of ${short(data.weight_N)} N would be ${short(this.view ? 0.4 * this.view.size : 0)} m long, `
          + `${LONGEST_WEIGHTS} weights are the longest; an impact shows until the next frame. `);
      if (data.shapes.some(shape => shape.stand_in))
        legend.append('Pale boxes: links without a shape of their own, boxes about their joints and centres of mass. ');
      if (this.view)
        legend.append(`Grid: ${short(this.view.cell)} m${data.surfaces.length ? '.' : ' at z = 0, nothing to touch.'}`);
    }

    add_cursor(plot) {
      const line = document.createElement('div'), [left, right] = [Number(plot.dataset.left), Number(plot.dataset.right)];
      line.className = 'cursor';
      plot.append(line);
      const point = event => {
        const box = plot.getBoundingClientRect();
        this.seek(((event.clientX - box.left) / box.width - left) / (right - left) * data.duration_s);
      };
      plot.addEventListener('click', point);
      plot.addEventListener('pointermove', event => {
        if (event.buttons === 1 && event.pointerType === 'mouse') point(event);
      });
      return time => { line.style.left = `${100 * (left + (right - left) * time / data.duration_s)}%`; };
    }

    time_in_address() {
      const found = /[#&]t=([0-9.]+)/.exec(location.hash);
      return found ? Number(found[1]) || 0 : null;
    }

    // Elements that use a key themselves keep it.
    key(event) {
      const uses_keys = event.target.matches('select, button, input:not([type=range]), a, textarea');
      const step = {ArrowLeft: -1, ArrowRight: 1}[event.key];
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      if (event.key === ' ' && !uses_keys) this.toggle();
      else if (step && !event.target.matches('select')) this.step(step);
      else return;
      event.preventDefault();
    }

    step(count) {
      const {index, part} = frame_at(this.time), on = count < 0 && part > 0 ? 0 : count;
      this.seek(data.frames[Math.min(Math.max(index + on, 0), data.frames.length - 1)][0]);
    }

    toggle() { if (this.playing) this.pause(); else this.play(); }

    play() {
      if (this.time >= data.duration_s) this.time = 0;
      this.playing = true;
      this.before = performance.now();
      requestAnimationFrame(now => this.tick(now));
      this.show();
    }

    pause() { this.playing = false; this.show(); }

    seek(time) {
      this.playing = false;
      this.time = Math.min(Math.max(time, 0), data.duration_s);
      this.show();
    }

    tick(now) {
      if (!this.playing) return;
      this.time += Math.max(0, now - this.before) / 1000 * Number(at('speed').value);
      this.before = now;
      if (this.time >= data.duration_s) {
        this.time = data.duration_s;
        this.playing = false;
      }
      this.show();
      requestAnimationFrame(later => this.tick(later));
    }

    show() {
      const frame = frame_at(this.time), contacts = groups(data.frames[frame.index][2], CONTACT);
      at('play').textContent = this.playing ? 'Pause' : 'Play';
      at('time').value = this.time;
      at('time').setAttribute('aria-valuetext', `${this.time.toFixed(3)} s`);
      at('clock').textContent = `${this.time.toFixed(3)} s of ${short(data.duration_s)} s`;
      this.cursors.forEach(place => place(this.time));
      const carried = contacts.map(([, , , x, y, z, , name]) =>
        `${data.contact_names[name]} ${Math.hypot(x, y, z).toFixed(1)} N`);
      at('now').textContent = carried.length === 0 ? 'Touches nothing.'
        : `Touches: ${carried.slice(0, 6).join(', ')}${carried.length > 6 ? ' …' : ''}`;
      at('now').hidden = data.contact_names.length === 0;
      if (!this.view) return;
      this.view.solids.forEach(solid => { solid.visible = at('show-shapes').checked; });
      this.view.has_names = at('show-names').checked;
      this.view.show(frame);
    }
  }

  new Player();
})();
