import { field, readRequest, type catalog } from '@parlance/contracts';
import { fieldErrors } from '@parlance/errors';
import type { Call, Reply } from '../../routing/call';
import { ok, type Endpoint } from '../../routing/endpoint';
import { searchSchema } from './schema';
import { z } from 'zod';

/** Maximum number of results of each kind. */
const LIMIT = 5;

const searchFields = z.object({
  q: field.line('Part of a name or slug, case-insensitive.', { maxLength: 150 }).default(''),
});

/** A search result; its address is a web path without scheme and host, as clients expect. */
interface Found {
  url: string;
  name: string;
  category: 'Project' | 'Category' | 'Component' | 'User' | 'Language';
}

async function search(call: Call): Promise<Reply> {
  const given = call.query.has('q') ? { q: call.query.get('q') } : {};
  const { values, problems } = readRequest(searchFields, given, 'create');
  if (problems.length > 0) throw fieldErrors(problems);
  const text = values.q ?? '';
  if (text === '') return ok([]);
  const [structure, { usernames }] = await Promise.all([
    call.clients.catalog.search({ text, limit: LIMIT }, call.options),
    call.clients.identity.searchUsers({ text, limit: LIMIT }, call.options),
  ]);
  const found =
    (category: Found['category'], under: string) =>
    ({ name, path }: catalog.SearchMatch__Output): Found => ({
      url: `/${under}/${path.split('/').map(encodeURIComponent).join('/')}/`,
      name,
      category,
    });
  return ok([
    ...structure.projects.map(found('Project', 'projects')),
    ...structure.categories.map(found('Category', 'projects')),
    ...structure.components.map(found('Component', 'projects')),
    ...usernames.map((name): Found => ({ url: `/user/${encodeURIComponent(name)}/`, name, category: 'User' })),
    ...structure.languages.map(found('Language', 'languages')),
  ]);
}

export const searchEndpoints: Endpoint[] = [
  {
    method: 'GET',
    path: '/api/search/',
    cached: true,
    response: searchSchema,
    access: 'anyone',
    doc: 'Finds projects, categories, components, users and languages by name, five of each.',
    query: searchFields,
    handle: search,
  },
];
