const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const image = { name: 'shot.png', bytes: PNG };
const text = { name: 'shot.png', bytes: Buffer.from('no image').toString('base64') };
const form = (fields, files = { image }) => ({ form: fields, files });
const where = { project_slug: '$p', component_slug: 'po', language_code: 'en' };

export const screenshots = [
  ['POST', '/api/screenshots/', form({ name: 'Shot', ...where }), { shot: 'id', shotUrl: 'url' }],
  ['GET', '/api/components/$p/po/screenshots/', undefined, {}],
  ['POST', '/api/screenshots/', form({ name: 'No image', ...where }, {})],
  ['POST', '/api/screenshots/', form({ name: 'Text', ...where }, { image: text })],
  ['POST', '/api/screenshots/', form({ name: '', ...where })],
  ['POST', '/api/screenshots/', form(where)],
  ['POST', '/api/screenshots/', form({ name: 'x'.repeat(300), ...where })],
  ['POST', '/api/screenshots/', form({ name: 'None', ...where, component_slug: 'none' })],
  ['POST', '/api/screenshots/', form({ name: 'None', project_slug: '$p' })],
  ['POST', '/api/screenshots/', form({ name: 'None', ...where, language_code: 'nope' }, {})],
  ['POST', '/api/screenshots/', { name: 'JSON', ...where }],
  ['GET', '$shotUrl'],
  ['PATCH', '$shotUrl', { name: 'Renamed' }],
  ['PATCH', '$shotUrl', { name: '' }],
  ['PATCH', '$shotUrl', { name: null }],
  ['PATCH', '$shotUrl', {}],
  ['PUT', '$shotUrl', {}],
  ['PUT', '$shotUrl', { name: 'Put' }],
  ['POST', '${shotUrl}units/', {}],
  ['POST', '${shotUrl}units/', { unit_id: 'x' }],
  ['POST', '${shotUrl}units/', { unit_id: 999999999 }],
  ['POST', '${shotUrl}units/', { unit_id: '$target' }],
  ['POST', '${shotUrl}units/', { unit_id: '$unit' }],
  ['POST', '${shotUrl}units/', { unit_id: '$unit' }],
  ['GET', '$shotUrl'],
  ['DELETE', '${shotUrl}units/$unit/'],
  ['DELETE', '${shotUrl}units/999999999/'],
  ['POST', '${shotUrl}file/', form({}, {})],
  ['POST', '${shotUrl}file/', form({}, { image: text })],
  ['POST', '${shotUrl}file/', form({})],
  ['POST', '$shotUrl', {}],
  ['DELETE', '$shotUrl'],
  ['GET', '$shotUrl'],
  ['DELETE', '$shotUrl'],
  ['GET', '/api/screenshots/x/'],
];
