// Layers.

const layers = {};
