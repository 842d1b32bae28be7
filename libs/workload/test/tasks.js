// The worker of worker-pool.test.ts.
exports.double = (value) => value * 2;
exports.fail = (message) => {
  throw new Error(message);
};
exports.fillMemory = () => {
  const held = [];
  for (;;) held.push(new Array(100_000).fill({}));
};
exports.spin = () => {
  for (;;);
};
