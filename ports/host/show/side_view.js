// SPDX-License-Identifier: MIT
// The view of a recorded scene from the side, with its contact forces and their plot over time, from the JSON that
// scene_page.cpp writes. Metres, newtons, seconds; a link is turned counter-clockwise.
'use strict';
kinecast.views.side = (() => {
  const {element, groups} = kinecast;
  const GLOW_S = 0.3;  // an impact lasts a step or two: its arrow stays this long, fading
  const VIEW_PX = 340, PLOT_PX = 130;
  const LEFT_PX = 52, RIGHT_PX = 12;  // beside the plot's axis of time

  const newtons = n => (n >= 100 ? n.toFixed(0) : n >= 10 ? n.toFixed(1) : n.toFixed(2)) + ' N';
  const turned = ([x, y], [ox, oy, turn]) =>
    [ox + x * Math.cos(turn) - y * Math.sin(turn), oy + x * Math.sin(turn) + y * Math.cos(turn)];
  const picture = says => {
    const canvas = element('canvas');
    canvas.setAttribute('role', 'img');
    canvas.setAttribute('aria-label', says);
    return canvas;
  };

  // A canvas that is sharp on every screen; draw(context, width, height) in CSS pixels.
  function sharp(canvas, height, draw) {
    const ratio = window.devicePixelRatio || 1, width = canvas.clientWidth;
    if (width === 0) return;
    canvas.style.height = height + 'px';
    if (canvas.width !== Math.round(width * ratio)) canvas.width = Math.round(width * ratio);
    if (canvas.height !== Math.round(height * ratio)) canvas.height = Math.round(height * ratio);
    const context = canvas.getContext('2d');
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    context.font = '12px sans-serif';
    draw(context, width, height);
  }

  function arrow(c, x, y, dx, dy, thick) {
    const length = Math.hypot(dx, dy);
    if (length < 1) return;
    const head = Math.min(3.2 * thick, length), ux = dx / length, uy = dy / length;
    c.lineWidth = thick;
    c.beginPath();
    c.moveTo(x, y);
    c.lineTo(x + dx - 0.8 * head * ux, y + dy - 0.8 * head * uy);
    c.stroke();
    c.beginPath();
    c.moveTo(x + dx, y + dy);
    c.lineTo(x + dx - head * ux - 0.55 * head * uy, y + dy - head * uy + 0.55 * head * ux);
    c.lineTo(x + dx - head * ux + 0.55 * head * uy, y + dy - head * uy - 0.55 * head * ux);
    c.fill();
  }

  // Contacts at the same place of the picture (the near and the far corner of a box) are one arrow.
  function joined(flat) {
    const out = [];
    for (const [x, y, normal, friction, , slides, right, up] of groups(flat, 8)) {
      const same = out.find(o => Math.hypot(o.x - x, o.y - y) < 1e-3 && o.right * right + o.up * up > 0.99);
      if (same) same.normal += normal, same.friction += friction, same.slides = same.slides || slides > 0;
      else out.push({x, y, normal, friction, right, up, slides: slides > 0});
    }
    return out;
  }

  class SideView {
    constructor(stage, scene) {
      this.scene = scene;
      this.stage = stage;
      this.options = [];
      this.legend = [];
      this.view = picture(`${scene.title}, seen from the side with its contact forces`);
      this.plot = picture(`Normal force of all contacts over time; peak ${newtons(scene.figures.peak_N)}`);
      const axis = element('div', {className: 'axis'});
      axis.style.left = LEFT_PX + 'px';
      axis.style.right = RIGHT_PX + 'px';
      stage.append(this.view, element('div', {className: 'plot'}, this.plot, axis));
      this.find_bounds();
    }

    find_bounds() {
      const points = [...this.scene.mount, [0, 0]];
      for (const [, places] of this.scene.frames)
        groups(places, 3).forEach((place, i) =>
          this.scene.links[i].outline.forEach(p => points.push(turned(p, place))));
      const xs = points.map(p => p[0]), ys = points.map(p => p[1]);
      this.bounds = [Math.min(...xs), Math.max(...xs), Math.max(...ys)].map(
        (v, i) => v + [-0.04, 0.04, 0.03][i]);
      this.largest = this.scene.longest_arrow_N || Math.max(1, ...this.scene.frames.flatMap(
        f => joined(f[2]).map(t => Math.hypot(t.normal, t.friction))));
    }

    // Between two frames the links move straight and turn evenly.
    places({index, next, part}) {
      const [from, to] = [index, next].map(i => groups(this.scene.frames[i][1], 3));
      return from.map((a, i) => a.map((v, k) => {
        let step = to[i][k] - v;
        if (k === 2) step -= 2 * Math.PI * Math.round(step / (2 * Math.PI));
        return v + part * step;
      }));
    }

    says(index) {
      const touches = groups(this.scene.frames[index][2], 8), slide = touches.filter(t => t[5] > 0).length;
      const sum = touches.reduce((s, t) => s + t[2], 0);
      return touches.length === 0 ? 'Nothing touches.'
        : `${touches.length} contact${touches.length > 1 ? 's' : ''}: ` +
          `${touches.length - slide} rest, ${slide} slide` +
          (slide ? ` at up to ${Math.max(...touches.map(t => t[4])).toFixed(3)} m/s` : '') +
          `; normal force ${newtons(sum)} in all`;
    }

    show(frame) {
      const style = getComputedStyle(this.stage);
      this.colour = name => style.getPropertyValue('--' + name).trim();
      sharp(this.view, VIEW_PX, (c, w, h) => this.draw_view(c, w, h, frame));
      sharp(this.plot, PLOT_PX, (c, w, h) => this.draw_plot(c, w, h));
    }

    draw_view(c, width, height, frame) {
      const [left, right, top] = this.bounds, below = 54;
      const scale = Math.min(width / (right - left), (height - below) / top);
      const x0 = (width - scale * (right - left)) / 2 - scale * left, y0 = height - below;
      const at = ([x, y]) => [x0 + scale * x, y0 - scale * y];
      const trace = points => {
        c.beginPath();
        points.forEach((p, i) => i ? c.lineTo(...at(p)) : c.moveTo(...at(p)));
        c.closePath();
      };
      const filled = (fill, alpha) => {
        c.globalAlpha = alpha; c.fillStyle = fill; c.fill();
        c.globalAlpha = 1; c.strokeStyle = this.colour('edge'); c.lineWidth = 1.5; c.stroke();
      };
      // The ground, hatched.
      c.strokeStyle = this.colour('ground');
      c.lineWidth = 1;
      c.beginPath();
      for (let x = -12; x < width; x += 12) { c.moveTo(x, y0 + 10); c.lineTo(x + 10, y0); }
      c.stroke();
      c.lineWidth = 2;
      c.beginPath(); c.moveTo(0, y0); c.lineTo(width, y0); c.stroke();

      trace(this.scene.mount);
      filled(this.colour('ground'), 0.35);
      this.places(frame).forEach((place, i) => {
        const link = this.scene.links[i];
        trace(link.outline.map(p => turned(p, place)));
        filled(this.colour('link'), 0.3);
        const [x, y, r] = link.disc;
        if (r === 0) return;
        c.beginPath();
        c.arc(...at(turned([x, y], place)), scale * r, 0, 2 * Math.PI);
        filled(this.colour('sky'), 0.9);
      });

      // Lengths go with the root of the force, so that weight and impact both show; directions are true.
      const unit = 0.8 * (height - below) / Math.sqrt(this.largest);
      for (const i of this.scene.impacts) {
        const [t, , flat] = this.scene.frames[i], age = frame.time - t;
        if (age < 0 || age >= GLOW_S) continue;
        c.globalAlpha = 0.45 * (1 - age / GLOW_S);
        for (const touch of joined(flat)) this.draw_force(c, at, unit, touch);
        c.globalAlpha = 1 - age / GLOW_S;
        c.fillStyle = this.colour('ink');
        const touches = joined(flat), strongest = touches.reduce((a, b) => a.normal > b.normal ? a : b);
        const [x, y] = at([strongest.x, strongest.y]);
        const total = touches.reduce((s, o) => s + o.normal, 0);
        c.fillText(`impact ${newtons(total)}`, Math.min(x + 10, width - 90), y + 24);
      }
      c.globalAlpha = 1;
      for (const touch of joined(this.scene.frames[frame.index][2])) this.draw_force(c, at, unit, touch);
      this.draw_pushes(c, at, unit, this.scene.frames[frame.index][3]);
      this.draw_scales(c, width, height, scale, unit);
    }

    // Forces from outside end where they push.
    draw_pushes(c, at, unit, flat) {
      c.strokeStyle = c.fillStyle = this.colour('ink');
      for (const [x, y, right, up] of groups(flat, 4)) {
        const size = Math.hypot(right, up), [px, py] = at([x, y]);
        if (size === 0) continue;
        const dx = unit / Math.sqrt(size) * right, dy = -unit / Math.sqrt(size) * up;
        arrow(c, px - dx, py - dy, dx, dy, 4);
        c.textAlign = 'right';
        c.fillText(`push ${newtons(size)}`, px - 8, py + 18);
        c.textAlign = 'left';
      }
    }

    draw_force(c, at, unit, {x, y, normal, friction, right, up, slides}) {
      const [px, py] = at([x, y]), size = Math.hypot(normal, friction);
      const stretch = unit * Math.sqrt(Math.min(size, this.largest)) / size;
      c.strokeStyle = c.fillStyle = this.colour(slides ? 'slides' : 'rests');
      // From below it starts at the contact, from the side it ends there.
      const dx = stretch * normal * right, dy = -stretch * normal * up, before = Math.abs(right) > Math.abs(up) ? 1 : 0;
      arrow(c, px - before * dx, py - before * dy, dx, dy, 4);
      arrow(c, px, py, stretch * friction * up, stretch * friction * right, 3);
      c.beginPath();
      c.arc(px, py, 4.5, 0, 2 * Math.PI);
      c.lineWidth = 2;
      if (slides) { c.fillStyle = this.colour('sky'); }
      c.fill();
      c.stroke();
    }

    draw_scales(c, width, height, scale, unit) {
      const y = height - 8;
      c.strokeStyle = c.fillStyle = this.colour('ink');
      c.lineWidth = 2;
      c.beginPath(); c.moveTo(8, y - 4); c.lineTo(8 + 0.1 * scale, y - 4); c.stroke();
      c.fillText('10 cm', 14 + 0.1 * scale, y);
      let x = 70 + 0.1 * scale;
      for (const force of [1, 10, 100, 1000].filter(f => f <= this.largest).slice(-3)) {
        const length = unit * Math.sqrt(force);
        if (x + length + 50 > width - 120) break;  // a narrow screen
        arrow(c, x, y - 4, length, 0, 3);
        c.fillText(force + ' N', x + length + 6, y);
        x += length + 54;
      }
      for (const [name, text] of [['slides', 'slides'], ['rests', 'rests']]) {
        c.strokeStyle = c.fillStyle = this.colour(name);
        const at = width - (name === 'slides' ? 58 : 112);
        c.lineWidth = 2;
        c.beginPath(); c.arc(at, y - 4, 4.5, 0, 2 * Math.PI); c.stroke();
        if (name === 'rests') c.fill();
        c.fillStyle = this.colour('ink');
        c.fillText(text, at + 9, y);
      }
    }

    draw_plot(c, width, height) {
      const {force, duration_s: duration, figures} = this.scene, low = height - 20, high = 10;
      const x = t => LEFT_PX + (width - LEFT_PX - RIGHT_PX) * t / duration;
      const y = n => low - (low - high) * Math.sqrt(n / Math.max(figures.peak_N, 1));
      c.textBaseline = 'middle';
      c.textAlign = 'right';
      c.fillStyle = this.colour('ink');
      c.strokeStyle = this.colour('faint');
      c.lineWidth = 0.5;
      let free = height;  // labels do not overlap
      for (const tick of [0, 1, 10, 100, 1000, figures.peak_N]) {
        const isPeak = tick === figures.peak_N;
        if (y(tick) > free || (!isPeak && y(tick) < y(figures.peak_N) + 12)) continue;
        free = y(tick) - 12;
        c.beginPath(); c.moveTo(LEFT_PX, y(tick)); c.lineTo(width - RIGHT_PX, y(tick)); c.stroke();
        c.fillText(tick.toFixed(0) + ' N', LEFT_PX - 6, y(tick));
      }
      c.textBaseline = 'alphabetic';
      c.textAlign = 'center';
      for (let t = 0; t <= duration + 1e-9; ++t) c.fillText(t + ' s', Math.min(x(t), width - 12), height - 4);
      c.textAlign = 'left';
      c.strokeStyle = this.colour('link');
      c.lineWidth = 1.3;
      c.beginPath();
      force.peak_N.forEach((n, i) => i ? c.lineTo(x((i + 0.5) * force.bin_s), y(n)) : c.moveTo(x(0), y(n)));
      c.stroke();
      c.textAlign = 'right';
      c.fillText('normal force of all contacts (root scale)', width - RIGHT_PX - 4, high + 16);
      c.textAlign = 'left';
    }
  }

  return SideView;
})();
