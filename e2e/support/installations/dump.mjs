// Everything that the API says about a world, for comparisons of two installations.

/**
 * Responses of all readable endpoints for an object of each kind, without the address of the system.
 * @param {Record<string, unknown>} params values of path parameters
 */
async function dump(of, params) {
  const schema = await of.get('/api/schema/?format=json');
  const found = /** @type {Record<string, unknown>} */ ({});
  for (const [path, methods] of Object.entries(schema.paths)) {
    if (!methods.get || /^.hooks|metrics|schema|\/tasks\/$|search/.test(path)) continue;
    const names = [...path.matchAll(/{(\w+)}/g)].map(([, name]) => name);
    if (!names.every((name) => name in params)) continue;
    const actual = path.replace(/{(\w+)}/g, (_, name) => String(params[name]));
    const { status, headers, bytes } = await of.send('GET', `${actual}?page_size=1000`);
    const type = headers.get('content-type') ?? '';
    const text = /zip|image|octet/.test(type)
      ? bytes.toString('base64')
      : bytes
          .toString('utf8')
          .replaceAll(of.base, '<base>')
          // The comparison itself uses the token.
          .replaceAll(/"last_used":"[^"]*"/g, '"last_used":"<time>"');
    found[actual] = { status, text: type.includes('json') && text ? JSON.parse(text) : text };
  }
  return found;
}

/**
 * Objects, histories, files and images of a world as its administrator sees them, and lists of the site.
 * @param {{project: string, params: Record<string, unknown>}} world
 * @returns {Promise<Record<string, unknown>>}
 */
export async function everything(admin, of, world) {
  const found = await dump(of, world.params);
  for (const list of ['users', 'groups', 'roles', 'languages', 'component-lists'])
    found[`all ${list}`] = JSON.parse(
      JSON.stringify(await admin.all(`/api/${list}/?page_size=1000`)).replaceAll(admin.base, '<base>'),
    );
  for (const slug of ['example', 'mono', 'glossary'])
    for (const { language_code: code } of await of.all(`/api/components/${world.project}/${slug}/translations/`)) {
      const path = `/api/translations/${world.project}/${slug}/${code}`;
      found[`${path} units`] = JSON.parse(
        JSON.stringify(await of.all(`${path}/units/?page_size=1000`)).replaceAll(of.base, '<base>'),
      );
      // Glossaries without a repository have no file.
      const { status, bytes } = await of.send('GET', `${path}/file/`, undefined, { accept: '*/*' });
      found[`${path} file`] = `${status} ${bytes.toString('base64')}`.replaceAll(of.base, '<base>');
    }
  found['image'] = (await of.bytes(`/api/screenshots/${String(world.params['screenshot'])}/file/`)).toString('base64');
  return found;
}
