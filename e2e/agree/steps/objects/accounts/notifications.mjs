const list = '/api/users/admin/notifications/';

export const notifications = [
  ['POST', list, { notification: 'RepositoryNotification', scope: 10, frequency: 1 }, { subscription: 'id' }],
  ['POST', list, { notification: 'RepositoryNotification', scope: 99, frequency: 99 }],
  ['POST', list, { notification: '', scope: '', frequency: '' }],
  ['POST', list, { notification: 'RepositoryNotification' }],
  ['POST', list, { notification: null, scope: null, frequency: null }],
  ['GET', `${list}$subscription/`],
  ['PATCH', `${list}$subscription/`, { frequency: 2 }],
  ['PATCH', `${list}$subscription/`, { frequency: 'often' }],
  ['PATCH', `${list}$subscription/`, { frequency: 99, scope: 99 }],
  ['PATCH', `${list}$subscription/`, {}],
  ['PUT', `${list}$subscription/`, {}],
  ['PUT', `${list}$subscription/`, { notification: 'RepositoryNotification', scope: 10, frequency: 3 }],
  ['POST', `${list}$subscription/`, {}],
  ['DELETE', `${list}$subscription/`],
  ['DELETE', `${list}$subscription/`],
  ['GET', `${list}999999/`],
  ['GET', `${list}x/`],
];
