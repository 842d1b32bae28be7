const list = '/api/projects/$p/labels/';

export const labels = [
  ['POST', list, { name: 'one', color: 'red' }, { label: 'id' }],
  ['POST', list, { name: 'two', color: 'navy', description: 'Second' }, { second: 'id' }],
  ['POST', list, { name: 'ONE', color: 'red' }],
  ['POST', list, { name: '', color: '' }],
  ['POST', list, { name: null, color: null }],
  ['POST', list, { name: 'x'.repeat(300), color: 'red' }],
  ['POST', list, { name: [], color: 1 }],
  ['GET', list],
  ['GET', `${list}?page_size=1`],
  ['PATCH', '/api/units/$unit/', { labels: ['$label'] }],
  ['GET', '/api/units/$unit/'],
  ['PATCH', '/api/units/$unit/', { labels: ['$label', '$second'] }],
  ['PATCH', '/api/units/$unit/', { labels: [] }],
  ['PATCH', '/api/units/$unit/', { labels: ['$label', 999999] }],
  ['DELETE', `${list}$label/`],
  ['DELETE', `${list}$label/`],
  ['DELETE', `${list}x/`],
  ['DELETE', list],
  ['PUT', list, {}],
  ['POST', list, { name: 'three' }],
];
