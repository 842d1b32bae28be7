const one = '/api/projects/$p/machinery_settings/';
const deepl = { key: 'secret', url: 'https://api.deepl.com/v2/' };
const libre = { key: '', url: 'https://translate.example.com/' };

export const machinery = [
  ['GET', one],
  ['POST', one, {}],
  ['POST', one, { service: '' }],
  ['POST', one, { service: 'nope' }],
  ['POST', one, { service: 'nope', configuration: {} }],
  ['POST', one, { service: 'deepl', configuration: {} }],
  ['POST', one, { service: 'deepl', configuration: { key: 'secret', url: 'no address' } }],
  ['POST', one, { service: 'weblate', configuration: {} }],
  ['PATCH', one, {}],
  ['PATCH', one, { service: 'nope', configuration: {} }],
  ['PATCH', one, { service: 'deepl', configuration: { key: 'secret' } }],
  ['PATCH', one, { service: 'deepl', configuration: null }],
  ['PUT', one, { nope: {} }],
  ['PUT', one, { deepl: { key: 'secret' } }],
  ['PUT', one, []],
  ['PUT', one, { deepl, libretranslate: libre }],
  ['GET', one],
  ['PATCH', one, { service: 'libretranslate', configuration: null }],
  ['PUT', one, {}],
  ['GET', one],
  ['DELETE', one],
];
