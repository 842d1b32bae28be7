// Users who sign in on pages: for tests and screenshots.
import { unique } from '../support/forms.mjs';
import { parlanceOn } from '../support/system.mjs';

/**
 * A new user with a password.
 * @param {ReturnType<typeof import('../support/api.mjs').makeApi>} api client of a superuser
 * @param {string} dataDir of the system, for the operator's command
 */
export async function makePersonOn(api, dataDir, { superuser = false } = {}) {
  const username = unique('person');
  await api.post('/api/users/', { username, full_name: `Name of ${username}`, email: `${username}@example.com` });
  if (superuser) await api.patch(`/api/users/${username}/`, { is_superuser: true });
  return { username, password: parlanceOn(dataDir, 'user', 'reset-password', username) };
}
