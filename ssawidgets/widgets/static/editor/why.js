// Why.

const why = {};
