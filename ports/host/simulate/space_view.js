// SPDX-License-Identifier: MIT
// The three-dimensional view of a recorded simulation, drawn by three.js from the JSON that simulation_data.cpp writes.
// Metres, newtons, seconds; z is up.
'use strict';
kinecast.views.space = (() => {
  const {element, groups, short} = kinecast;
  const LINK = 7;     // numbers of a link in a frame: x, y, z, quaternion w, x, y, z
  const CONTACT = 8;  // numbers of a contact: place, force, slides, index among the contact names
  const LONGEST_WEIGHTS = 1.5;  // an impact's arrow is cut off here and stays in the picture
  const MOST_POINT_STICKS = 8;  // a link with more contact points would be a hedgehog

  const vector = ([x, y, z]) => new THREE.Vector3(x, y, z);
  const turn = ([w, x, y, z]) => new THREE.Quaternion(x, y, z, w);

  // 1, 2 or 5 times a power of ten, not above the value.
  function round_step(value) {
    const power = 10 ** Math.floor(Math.log10(value));
    return power * (value >= 5 * power ? 5 : value >= 2 * power ? 2 : 1);
  }

  // A cylinder of length one from its origin along y, so that span() can lay it between two points.
  const UP = new THREE.Vector3(0, 1, 0);
  const ROD = new THREE.CylinderBufferGeometry(1, 1, 1, 12).translate(0, 0.5, 0);
  const TIP = new THREE.ConeBufferGeometry(1, 1, 16).translate(0, -0.5, 0);
  const BALL = new THREE.SphereBufferGeometry(1, 20, 14);
  function span(rod, from, to, radius) {
    const way = to.clone().sub(from), length = way.length();
    rod.visible = length > 1e-6;
    rod.position.copy(from);
    rod.scale.set(radius, Math.max(length, 1e-6), radius);
    if (rod.visible) rod.quaternion.setFromUnitVectors(UP, way.divideScalar(length));
  }

  function geometry_of(shape) {
    const size = shape.size;
    if (shape.form === 'box') return new THREE.BoxBufferGeometry(...size);
    if (shape.form === 'sphere') return new THREE.SphereBufferGeometry(size[0], 32, 20);
    if (shape.form === 'cylinder')
      return new THREE.CylinderBufferGeometry(size[0], size[0], size[1], 32).rotateX(Math.PI / 2);
    const hull = new THREE.BufferGeometry();
    const corners = shape.triangles.flat().flatMap(corner => shape.corners[corner]);
    hull.setAttribute('position', new THREE.Float32BufferAttribute(corners, 3));
    hull.computeVertexNormals();  // three corners a triangle: flat faces
    return hull;
  }

  // What WebGL draws. switches: checkboxes by name.
  class Space {
    constructor(stage, data, switches) {
      this.stage = stage;
      this.data = data;
      this.switches = switches;
      this.renderer = new THREE.WebGLRenderer({antialias: true});
      this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio || 1));
      this.canvas = this.renderer.domElement;
      this.canvas.tabIndex = 0;
      this.canvas.setAttribute('role', 'img');
      this.canvas.setAttribute('aria-label', `${data.robot}, three-dimensional: drag to orbit, wheel or pinch to zoom`);
      stage.append(this.canvas);
      this.scene = new THREE.Scene();
      this.camera = new THREE.PerspectiveCamera(38, 1, 0.01, 100);
      this.camera.up.set(0, 0, 1);
      this.controls = new THREE.OrbitControls(this.camera, this.canvas);
      this.controls.enableKeys = false;  // the arrow keys step through time
      this.controls.addEventListener('change', () => this.request());
      this.make_materials();
      this.find_bounds();
      this.add_lights();
      this.data.surfaces.forEach(surface => this.add_surface(surface));
      if (this.data.surfaces.length === 0) this.add_grid(new THREE.Group(), 0.35);
      this.add_robot();
      this.add_names();
      this.arrows = [];
      new ResizeObserver(() => this.resize()).observe(stage);
      matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.paint());
      this.paint();
      this.resize();
      this.fit();
    }

    make_materials() {
      const shaded = more => new THREE.MeshLambertMaterial(more);
      const glass = opacity => shaded({transparent: true, opacity, depthWrite: false, side: THREE.DoubleSide});
      this.materials = {
        link: glass(0.45), guess: glass(0.28), obstacle: glass(0.6),
        stick: shaded(), joint: shaded(), rests: shaded(), slides: shaded(),
        edge: new THREE.LineBasicMaterial({transparent: true, opacity: 0.6}),
        floor: new THREE.MeshBasicMaterial(
          {transparent: true, opacity: 0.14, depthWrite: false, side: THREE.DoubleSide}),
        ground: new THREE.LineBasicMaterial({transparent: true, opacity: 0.55}),
      };
    }

    // Colours are the style sheet's, so that light and dark are decided in one place.
    paint() {
      const style = getComputedStyle(this.stage);
      const colour = name => style.getPropertyValue('--' + name).trim();
      for (const name of Object.keys(this.materials))
        this.materials[name].color.set(colour({floor: 'ground', guess: 'link'}[name] || name));
      this.renderer.setClearColor(colour('sky'));
      this.request();
    }

    add_lights() {
      this.scene.add(new THREE.HemisphereLight(0xffffff, 0x9a9a9a, 0.75));
      const sun = new THREE.DirectionalLight(0xffffff, 0.55);
      sun.position.set(1, -2, 4);
      this.scene.add(sun);
    }

    // `size` is the robot's own at the start; `bounds` are those of all its motion, through the `places` that it
    // reaches.
    find_bounds() {
      const local = this.data.links.map(link => [new THREE.Vector3(), vector(link.com)]);
      const first = new THREE.Box3();
      this.places = this.data.base < 0 ? [new THREE.Vector3()] : [];
      for (const point of this.data.points) if (point.link >= 0) local[point.link].push(vector(point.at));
      for (const shape of this.data.shapes) {
        const box = new THREE.Box3().setFromBufferAttribute(geometry_of(shape).attributes.position);
        for (let corner = 0; corner < 8; ++corner) {
          const place = new THREE.Vector3(
            ...['x', 'y', 'z'].map((axis, i) => (corner >> i & 1 ? box.max : box.min)[axis]))
            .applyQuaternion(turn(shape.turn)).add(vector(shape.at));
          if (shape.link >= 0) local[shape.link].push(place); else this.places.push(place);
        }
      }
      const stride = Math.ceil(this.data.frames.length / 100);
      for (let i = 0; i < this.data.frames.length; i += stride)
        groups(this.data.frames[i][1], LINK).forEach((pose, link) => local[link].forEach(point => {
          const place = point.clone().applyQuaternion(turn(pose.slice(3))).add(vector(pose));
          this.places.push(place);
          if (i === 0) first.expandByPoint(place);
        }));
      this.bounds = new THREE.Box3().setFromPoints(this.places);
      this.size = Math.max(0.01, first.getSize(new THREE.Vector3()).length());
      this.reach = Math.max(this.size, this.bounds.getSize(new THREE.Vector3()).length());
    }

    add_grid(group, opacity) {
      const cell = round_step(this.reach / 8), half = Math.ceil(0.9 * this.reach / cell);
      const middle = group.worldToLocal(this.bounds.getCenter(new THREE.Vector3()));
      const [x, y] = [middle.x, middle.y].map(v => Math.round(v / cell) * cell);
      const ends = [];
      for (let i = -half; i <= half; ++i)
        ends.push(x + i * cell, y - half * cell, 0, x + i * cell, y + half * cell, 0,
                  x - half * cell, y + i * cell, 0, x + half * cell, y + i * cell, 0);
      const lines = new THREE.BufferGeometry().setAttribute('position', new THREE.Float32BufferAttribute(ends, 3));
      this.materials.ground.opacity = opacity;
      group.add(new THREE.LineSegments(lines, this.materials.ground));
      this.scene.add(group);
      this.cell = cell;
      return {x, y, edge: 2 * half * cell};
    }

    add_surface(surface) {
      const group = new THREE.Group();
      group.position.copy(vector(surface.at));
      group.quaternion.copy(turn(surface.turn));
      group.updateMatrixWorld();
      if (surface.form === 'half_space') {
        const {x, y, edge} = this.add_grid(group, 0.55);
        const plane = new THREE.PlaneBufferGeometry(edge, edge).translate(x, y, 0);
        const floor = new THREE.Mesh(plane, this.materials.floor);
        floor.renderOrder = -1;
        group.add(floor);
      } else {
        this.add_solid(group, {...surface, at: [0, 0, 0], turn: [1, 0, 0, 0]}, this.materials.obstacle);
        this.scene.add(group);
      }
    }

    add_solid(parent, shape, material) {
      const geometry = geometry_of(shape), solid = new THREE.Group();
      solid.add(new THREE.Mesh(geometry, material),
                new THREE.LineSegments(new THREE.EdgesGeometry(geometry, 25), this.materials.edge));
      solid.position.copy(vector(shape.at));
      solid.quaternion.copy(turn(shape.turn));
      parent.add(solid);
      return solid;
    }

    add_robot() {
      const thick = 0.008 * this.size, thin = 0.5 * thick;
      this.links = this.data.links.map(() => new THREE.Group());
      const owner = link => link < 0 ? this.scene : this.links[link];
      const mesh = (geometry, material, parent) => {
        const made = new THREE.Mesh(geometry, material);
        parent.add(made);
        return made;
      };
      this.sticks = [];
      this.data.links.forEach((link, i) => {
        this.scene.add(this.links[i]);
        if (link.moves) mesh(BALL, this.materials.joint, this.links[i]).scale.setScalar(1.9 * thick);
        if (link.parent >= 0 || !link.floats)
          this.sticks.push({rod: mesh(ROD, this.materials.stick, this.scene), link: i, parent: link.parent, thick});
        span(mesh(ROD, this.materials.stick, this.links[i]), new THREE.Vector3(), vector(link.com), thin);
      });
      const points_of = link => this.data.points.filter(point => point.link === link).length;
      for (const point of this.data.points) {
        if (points_of(point.link) <= MOST_POINT_STICKS)
          span(mesh(ROD, this.materials.stick, owner(point.link)), new THREE.Vector3(), vector(point.at), thin);
        const ball = mesh(BALL, this.materials.stick, owner(point.link));
        ball.position.copy(vector(point.at));
        ball.scale.setScalar(Math.max(point.radius, 0.6 * thick));
      }
      this.solids = this.data.shapes.map(
        shape => this.add_solid(owner(shape.link), shape, this.materials[shape.stand_in ? 'guess' : 'link']));
      this.scene.add(new THREE.AxesHelper(0.35 * this.size));
      this.thick = thick;
    }

    add_names() {
      const name = (text, parent, place) => {
        const label = element('span', {className: 'name', textContent: text, hidden: true});
        this.stage.append(label);
        return {label, parent, place};
      };
      this.names = this.data.links.map((link, i) => name(link.name, this.links[i], new THREE.Vector3()));
      ['x', 'y', 'z'].forEach((axis, i) => this.names.push(
        name(axis, this.scene, new THREE.Vector3().setComponent(i, 0.37 * this.size))));
    }

    place_names() {
      const {clientWidth: width, clientHeight: height} = this.stage;
      for (const {label, parent, place} of this.names) {
        const seen = parent.localToWorld(place.clone()).project(this.camera);
        label.hidden = !this.switches.names.checked || Math.abs(seen.z) > 1;
        label.style.transform =
          `translate(${(seen.x + 1) / 2 * width}px, ${(1 - seen.y) / 2 * height}px) translate(0.5em, -50%)`;
      }
    }

    // An arrow of a weight is 0.4 of the robot's size long.
    arrow(index) {
      while (this.arrows.length <= index) {
        const made = {rod: new THREE.Mesh(ROD), tip: new THREE.Mesh(TIP)};
        this.scene.add(made.rod, made.tip);
        this.arrows.push(made);
      }
      return this.arrows[index];
    }

    show_forces(contacts) {
      this.arrows.forEach(({rod, tip}) => { rod.visible = tip.visible = false; });
      if (!this.switches.forces.checked) return;
      contacts.forEach(([x, y, z, fx, fy, fz, slides], i) => {
        const force = new THREE.Vector3(fx, fy, fz), weights = force.length() / this.data.weight_N;
        if (weights < 1e-3) return;
        const {rod, tip} = this.arrow(i), from = new THREE.Vector3(x, y, z);
        const length = 0.4 * this.size * Math.min(weights, LONGEST_WEIGHTS), head = Math.min(5 * this.thick, length);
        const way = force.normalize(), end = from.clone().addScaledVector(way, length);
        rod.material = tip.material = slides ? this.materials.slides : this.materials.rests;
        span(rod, from, end.clone().addScaledVector(way, -head), 0.75 * this.thick);
        tip.position.copy(end);
        tip.scale.set(0.4 * head, head, 0.4 * head);
        tip.quaternion.setFromUnitVectors(UP, way);
        tip.visible = true;
      });
    }

    show({index, next, part}) {
      const [before, after] = [this.data.frames[index][1], this.data.frames[next][1]].map(flat => groups(flat, LINK));
      this.links.forEach((link, i) => {
        link.position.copy(vector(before[i])).lerp(vector(after[i]), part);
        link.quaternion.copy(turn(before[i].slice(3))).slerp(turn(after[i].slice(3)), part);
      });
      for (const {rod, link, parent, thick} of this.sticks)
        span(rod, parent < 0 ? new THREE.Vector3() : this.links[parent].position, this.links[link].position, thick);
      this.solids.forEach(solid => { solid.visible = this.switches.shapes.checked; });
      this.show_forces(groups(this.data.frames[index][2], CONTACT));
      this.follow();
      this.request();
    }

    follow() {
      if (this.data.base < 0) return;
      const base = this.links[this.data.base].position;
      if (this.switches.follow.checked && this.followed) {
        const moved = base.clone().sub(this.followed);
        this.camera.position.add(moved);
        this.controls.target.add(moved);
        this.controls.update();
      }
      this.followed = base.clone();
    }

    // All of the motion is in the picture, seen from the front right and from above.
    fit() {
      const middle = this.bounds.getCenter(new THREE.Vector3()), toward = new THREE.Vector3(0.62, -1, 0.45).normalize();
      const right = new THREE.Vector3().crossVectors(this.camera.up, toward).normalize();
      const up = new THREE.Vector3().crossVectors(toward, right);
      const tall = Math.tan(THREE.Math.degToRad(this.camera.fov / 2)), wide = tall * this.camera.aspect;
      let distance = 0.5 * this.size;
      for (const place of this.places) {
        const offset = place.clone().sub(middle);
        distance = Math.max(distance, offset.dot(toward) +
          1.15 * Math.max(Math.abs(offset.dot(right)) / wide, Math.abs(offset.dot(up)) / tall));
      }
      this.controls.target.copy(middle);
      this.camera.position.copy(middle).addScaledVector(toward, distance);
      this.camera.near = 0.01 * this.size;
      this.camera.far = 50 * (this.reach + distance);
      this.camera.updateProjectionMatrix();
      this.controls.update();
      this.request();
    }

    resize() {
      const {clientWidth: width, clientHeight: height} = this.stage;
      if (width === 0 || height === 0) return;
      this.renderer.setSize(width, height);
      this.camera.aspect = width / height;
      this.camera.updateProjectionMatrix();
      this.request();
    }

    request() {
      if (this.requested) return;
      this.requested = true;
      requestAnimationFrame(() => {
        this.requested = false;
        this.scene.updateMatrixWorld();
        this.place_names();
        this.renderer.render(this.scene, this.camera);
      });
    }
  }

  function has_webgl() {
    const probe = element('canvas');
    return Boolean(probe.getContext('webgl') || probe.getContext('experimental-webgl'));
  }

  // The space where there is WebGL, its switches and what is said about it.
  return class {
    constructor(stage, data, redraw) {
      this.data = data;
      const box = (name, checked) => element('input', {type: 'checkbox', className: name, checked, onchange: redraw});
      const switches = {
        shapes: box('show-shapes', true), forces: box('show-forces', true), names: box('show-names', false),
        follow: box('follow', false)};
      const label = (input, text) => element('label', {className: `${input.className}-label`}, input, ` ${text}`);
      const follow = label(switches.follow, 'follow the base');
      follow.hidden = data.base < 0;
      this.options = [
        label(switches.shapes, 'shapes'), label(switches.forces, 'forces'), label(switches.names, 'names'), follow,
        element('button', {type: 'button', className: 'reset', textContent: 'Reset view',
          onclick: () => this.space && this.space.fit()})];
      if (has_webgl()) this.space = new Space(stage, data, switches);
      else stage.append(element('p', {}, 'This browser shows no WebGL (switched off, or no graphics driver): '
        + 'no animation. The plots and figures below work without.'));
      this.legend = this.explained();
    }

    explained() {
      const {data, space} = this, out = [];
      const coloured = (name, text) => element('span', {className: name, textContent: text});
      if (data.frames.some(frame => frame[2].length > 0))
        out.push(
          'Arrows: contact forces on the robot, ', coloured('rests', 'at rest'), ' or ', coloured('slides', 'sliding'),
          `; its weight of ${short(data.weight_N)} N would be ${short(space ? 0.4 * space.size : 0)} m long, `
          + `${LONGEST_WEIGHTS} weights are the longest; an impact shows until the next frame. `);
      if (data.shapes.some(shape => shape.stand_in))
        out.push('Pale boxes: links without a shape of their own, boxes about their joints and centres of mass. ');
      if (space)
        out.push(`Grid: ${short(space.cell)} m${data.surfaces.length ? '.' : ' at z = 0, nothing to touch.'}`);
      return out;
    }

    says(index) {
      const {contact_names: names, frames} = this.data;
      const carried = groups(frames[index][2], CONTACT).map(([, , , x, y, z, , name]) =>
        `${names[name]} ${Math.hypot(x, y, z).toFixed(1)} N`);
      if (names.length === 0) return '';
      return carried.length === 0 ? 'Touches nothing.'
        : `Touches: ${carried.slice(0, 6).join(', ')}${carried.length > 6 ? ' …' : ''}`;
    }

    show(frame) { if (this.space) this.space.show(frame); }
  };
})();
