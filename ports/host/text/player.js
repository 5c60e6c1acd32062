// SPDX-License-Identifier: MIT
// Plays recordings: gives every <section class="player" data-view="name"> that player.cpp writes its controls, and
// moves the section's view and the cursors on its plots through time. The JSON in the section has at least duration_s
// and frames, each of which begins with its time. No network.
//
// A view draws one instant of a recording on the stage. It is a class in kinecast.views under its name:
//   constructor(stage, recording, redraw)  fills the empty stage; redraw() asks the player to show the instant again
//   show({index, next, part, time})        draws what is at `part` of the way from frame `index` to frame `next`
//   says(index)                            a sentence about the frame; may be empty
//   options, legend                        elements for a second row of controls, and nodes to read below them
//
// Space plays and pauses, the arrow keys go a frame back or on. #t=0.45 at the end of the address stands still at that
// time.
'use strict';
const kinecast = (() => {
  const views = {};
  const SPEEDS = [0.05, 0.1, 0.25, 0.5, 1, 2];
  const IN_SIGHT = 0.6;  // share of a stage that must be seen before it plays by itself

  const element = (name, properties = {}, ...children) => {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  };
  const groups = (flat, size) =>
    Array.from({length: flat.length / size}, (_, i) => flat.slice(size * i, size * i + size));
  const short = value => Number(value.toPrecision(3)).toString();

  class Player {
    constructor(section) {
      this.section = section;
      this.recording = JSON.parse(section.querySelector('script[type="application/json"]').textContent);
      this.time = 0;
      this.playing = false;
      this.started = false;  // by itself only once
      this.stage = section.querySelector('.stage');
      this.stage.replaceChildren();
      this.view = new views[section.dataset.view](this.stage, this.recording, () => this.show());
      this.add_controls();
      this.cursors = [...section.querySelectorAll('.plot .axis')].map(axis => this.add_cursor(axis));
      this.show();
    }

    add_controls() {
      this.button = element('button', {
        type: 'button', className: 'play', title: 'space bar', onclick: () => this.toggle()});
      this.slider = element('input', {
        type: 'range', className: 'time', min: 0, max: this.recording.duration_s, step: 'any', value: 0,
        title: 'arrow keys: a frame back or on', oninput: () => this.seek(Number(this.slider.value))});
      this.slider.setAttribute('aria-label', 'time in seconds');
      this.clock = element('output', {className: 'clock'});
      this.speed = element('select', {className: 'speed'}, ...SPEEDS.map(
        speed => element('option', {value: speed, textContent: `${speed}×`, selected: speed === 1})));
      this.now = element('p', {className: 'now'});
      const speed = element('label', {}, 'speed ', this.speed), rows = [[this.button, this.slider, this.clock]];
      if (this.view.options.length > 0) rows.push([speed, ...this.view.options]); else rows[0].push(speed);
      this.section.querySelector('.panel').replaceChildren(
        ...rows.map(row => element('div', {className: 'controls'}, ...row)), this.now,
        element('p', {className: 'legend', hidden: this.view.legend.length === 0}, ...this.view.legend));
    }

    // The axis lies over its plot from the time 0 to the end.
    add_cursor(axis) {
      const line = element('div', {className: 'cursor'}), plot = axis.parentElement;
      axis.append(line);
      const point = event => {
        const box = axis.getBoundingClientRect();
        this.seek((event.clientX - box.left) / box.width * this.recording.duration_s);
      };
      plot.addEventListener('click', point);
      plot.addEventListener('pointermove', event => {
        if (event.buttons === 1 && event.pointerType === 'mouse') point(event);
      });
      return time => { line.style.left = `${100 * time / this.recording.duration_s}%`; };
    }

    // The last frame that is not after the time, and how far the way to the next one is done.
    frame() {
      const {frames} = this.recording;
      let low = 0, high = frames.length - 1;
      while (low < high) {
        const middle = Math.ceil((low + high) / 2);
        if (frames[middle][0] <= this.time) low = middle; else high = middle - 1;
      }
      const next = Math.min(low + 1, frames.length - 1), span = frames[next][0] - frames[low][0];
      return {index: low, next, part: span > 0 ? Math.min(1, (this.time - frames[low][0]) / span) : 0, time: this.time};
    }

    toggle() { if (this.playing) this.pause(); else this.play(); }

    play() {
      if (this.time >= this.recording.duration_s) this.time = 0;
      this.playing = this.started = true;
      this.before = performance.now();
      requestAnimationFrame(now => this.tick(now));
      this.show();
    }

    pause() { this.playing = false; this.show(); }

    seek(time) {
      this.playing = false;
      this.started = true;
      this.time = Math.min(Math.max(time, 0), this.recording.duration_s);
      this.show();
    }

    step(count) {
      const {index, part} = this.frame(), on = count < 0 && part > 0 ? 0 : count, {frames} = this.recording;
      this.seek(frames[Math.min(Math.max(index + on, 0), frames.length - 1)][0]);
    }

    tick(now) {
      if (!this.playing) return;
      this.time += Math.max(0, now - this.before) / 1000 * Number(this.speed.value);
      this.before = now;
      if (this.time >= this.recording.duration_s) {
        this.time = this.recording.duration_s;
        this.playing = false;
      }
      this.show();
      requestAnimationFrame(later => this.tick(later));
    }

    show() {
      const frame = this.frame(), end = this.recording.duration_s, says = this.view.says(frame.index);
      this.button.textContent = this.playing ? 'Pause' : this.time >= end ? 'Replay' : 'Play';
      this.slider.value = this.time;
      this.slider.setAttribute('aria-valuetext', `${this.time.toFixed(3)} s`);
      this.clock.textContent = `${this.time.toFixed(3)} s of ${short(end)} s`;
      this.now.textContent = says;
      this.now.hidden = says === '';
      this.cursors.forEach(place => place(this.time));
      this.view.show(frame);
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
  }

  // After the views' scripts.
  document.addEventListener('DOMContentLoaded', () => {
    const players = [...document.querySelectorAll('.player')].map(section => new Player(section));
    const redraw = () => players.forEach(player => player.show());
    window.addEventListener('resize', redraw);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
    document.addEventListener('keydown', event => {
      const player = players.length === 1 ? players[0] : players.find(one => one.section.contains(event.target));
      if (player) player.key(event);
    });
    const stand_still = () => {
      const found = /[#&]t=([0-9.]+)/.exec(location.hash);
      if (found) players.forEach(player => player.seek(Number(found[1]) || 0));
      return found !== null;
    };
    window.addEventListener('hashchange', stand_still);
    // Plays by itself when it comes into sight, once, unless the reader asked for less motion.
    if (stand_still() || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const watch = new IntersectionObserver(entries => entries.forEach(entry => {
      const player = players.find(one => one.stage === entry.target);
      if (entry.isIntersecting && !player.started) player.play();
    }), {threshold: IN_SIGHT});
    players.forEach(player => watch.observe(player.stage));
  });

  return {views, element, groups, short};
})();
