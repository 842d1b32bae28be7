export const memory = [
  ['GET', '/api/memory/999999999/'],
  ['DELETE', '/api/memory/999999999/'],
  ['DELETE', '/api/memory/x/'],
  ['POST', '/api/memory/', {}],
  ['PATCH', '/api/memory/999999999/', {}],
  ['PUT', '/api/memory/999999999/', {}],
  ['GET', '/api/memory/?page=0'],
  ['GET', '/api/memory/?page=99999999'],
];
