// A small map of a large picture: where the blocks are, and the part that one sees. A press in it goes there.

const MAP_FROM = 40;
const MAP = { width: 84, height: 220, pad: 6 };

// How a drawing is squeezed into the map: a long one is squeezed more along than across, so that both can be seen.
export function mapScale(drawn, room) {
  const across = (room.width - 2 * room.pad) / drawn.width;
  const down = (room.height - 2 * room.pad) / drawn.height;
  return { across: Math.min(across, 6 * down), down: Math.min(down, 6 * across) };
}

const minimap = {
  layMap() {
    const canvas = html("canvas", { class: "ssaw-ed-map", "aria-hidden": "true", hidden: true });
    const go = (event) => {
      const corner = canvas.getBoundingClientRect();
      const { across, down } = mapScale(this.state.scene, MAP);
      const x = this.left + ((event.clientX - corner.left - MAP.pad) / across) * this.scale;
      const y = this.top + ((event.clientY - corner.top - MAP.pad) / down) * this.scale;
      this.stage.scrollTo(x - this.stage.clientWidth / 2, y - this.stage.clientHeight / 2);
    };
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      go(event);
      event.preventDefault();
    });
    canvas.addEventListener("pointermove", (event) => event.buttons && go(event));
    this.map = canvas;
    this.mapWanted = true;
    return canvas;
  },

  toggleMap() {
    this.mapWanted = !this.mapWanted;
    this.drawMap();
    this.announce(this.mapWanted ? "Map shown." : "Map hidden.");
  },

  // Draw it at the next frame, however often it was asked for until then.
  drawMapSoon() {
    this.mapFrame ??= requestAnimationFrame(() => {
      this.mapFrame = null;
      this.drawMap();
    });
  },

  drawMap() {
    const { scene } = this.state;
    const { clientWidth, clientHeight, scrollLeft, scrollTop } = this.stage;
    const whole = scene.width * this.scale <= clientWidth && scene.height * this.scale <= clientHeight;
    const shown = this.mapWanted && scene.blocks.length >= MAP_FROM && !whole;
    if (this.map.hidden === shown) this.map.hidden = !shown;
    if (!shown) return;
    const sharp = globalThis.devicePixelRatio || 1;
    const { across, down } = mapScale(scene, MAP);
    const size = [Math.round(MAP.width * sharp), Math.round(MAP.height * sharp)];
    if (this.map.width !== size[0]) [this.map.width, this.map.height] = size;
    const colour = (name) => getComputedStyle(this.root).getPropertyValue(`--ssaw-${name}`);
    const pen = this.map.getContext("2d");
    pen.setTransform(sharp, 0, 0, sharp, 0, 0);
    pen.clearRect(0, 0, MAP.width, MAP.height);
    pen.fillStyle = colour("stroke");
    for (const { x, y, width, height } of scene.blocks) {
      pen.fillRect(MAP.pad + x * across, MAP.pad + y * down, Math.max(2, width * across), Math.max(1, height * down - 0.5));
    }
    const selected = this.selected?.kind === "block" && this.blocks.get(this.selected.key)?.box;
    if (selected) {
      pen.fillStyle = colour("blue");
      pen.fillRect(MAP.pad + selected.x * across - 1, MAP.pad + selected.y * down - 1, Math.max(4, selected.width * across + 2), Math.max(3, selected.height * down + 2));
    }
    const at = (value, start) => (value - start) / this.scale;
    pen.strokeStyle = colour("blue");
    pen.lineWidth = 1.5;
    pen.strokeRect(
      Math.max(1, MAP.pad + at(scrollLeft, this.left) * across),
      Math.max(1, MAP.pad + at(scrollTop, this.top) * down),
      Math.min(MAP.width - 2, (clientWidth / this.scale) * across),
      Math.max(3, (clientHeight / this.scale) * down),
    );
  },
};
