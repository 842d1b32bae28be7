import { addonDefinitions } from './addon-definitions';
import { componentSettings } from './component';
import { machineryDefinitions } from './machinery';
import { projectSettings } from './project';
import { maskSecrets, restoreSecrets, SECRET_MASK } from './secrets';
import { z } from 'zod';
import * as field from './field';
import { fieldsOf, type RequestSchema } from './request';

const schema = z.object({
  url: field.line('', { shape: 'http-url' }).default('https://standard.example/'),
  proxy: field.line('').default(''),
  port: field.integer('').default(443),
  model: field.line('').default(''),
  key: field.line('', { access: 'write-only', secret: { sentTo: ['url', 'proxy', 'port'] } }).optional(),
});
const stored = { url: 'https://api.example/v1/', proxy: '', port: 443, model: 'a', key: 'top-secret' };

describe('masks of secrets', () => {
  it('masks of secrets replace secrets only if they are set', () => {
    expect(maskSecrets(schema, stored)).toEqual({ ...stored, key: SECRET_MASK });
    expect(maskSecrets(schema, { ...stored, key: '' })).toEqual({ ...stored, key: '' });
  });

  it.each([
    [{ ...stored, model: 'b', key: SECRET_MASK }],
    [{ url: 'HTTPS://API.example:443/v1/', key: ` ${SECRET_MASK} ` }],
  ])('masks of secrets keep the stored secret while its destination stays the same: %j', (given) => {
    const answer = restoreSecrets(schema, given, stored);
    expect(answer.problems).toEqual([]);
    expect(answer.given['key']).toBe('top-secret');
  });

  it.each([
    ['url', 'https://evil.example/v1/'],
    ['url', 'https://api.example:8443/v1/'],
    ['url', 'http://api.example/v1/'],
    ['url', 'https://api.example/v2/'],
    ['url', 'https://user@api.example/v1/'],
    ['url', undefined],
    ['proxy', 'http://evil.example'],
    ['port', 8443],
  ])('masks of secrets are rejected when %s changes to %s', (name, value) => {
    const given: Record<string, unknown> = { ...stored, key: SECRET_MASK, [name]: value };
    if (value === undefined) delete given[name];
    const { problems } = restoreSecrets(schema, given, stored);
    expect(problems).toEqual([{ attr: 'key', code: 'invalid', detail: expect.stringContaining(`"${name}"`) }]);
  });

  it('masks of secrets are rejected if no secret is stored, but a new secret is accepted for any destination', () => {
    expect(restoreSecrets(schema, { key: SECRET_MASK }, {}).problems).toMatchObject([{ attr: 'key' }]);
    const given = { url: 'https://other.example/', key: 'new' };
    expect(restoreSecrets(schema, given, stored)).toEqual({ given, problems: [] });
  });
});

describe('definitions of settings', () => {
  const schemas: [string, RequestSchema][] = [
    ['project', projectSettings],
    ['component', componentSettings],
    ...machineryDefinitions.map(({ id, settings }): [string, RequestSchema] => [id, settings]),
    ...addonDefinitions.map(({ name, settings }): [string, RequestSchema] => [name, settings]),
  ];
  const flat = schemas.flatMap(([of, settings]) =>
    fieldsOf(settings).map((setting) => ({ of, settings: fieldsOf(settings), setting })),
  );

  it('definitions of settings declare the destination of each write-only string', () => {
    const silent = flat.filter(({ setting: s }) => s.access === 'write-only' && s.type === 'string' && !s.secret);
    expect(silent.map(({ of, setting }) => `${of}: ${setting.name}`)).toEqual([]);
  });

  it('definitions of settings declare every URL of an engine or add-on as a destination of its secret', () => {
    const wrong = flat.filter(({ of, settings, setting }) => {
      if (!setting.secret || of === 'project') return false;
      const addresses = settings.filter((s) => s.shape === 'http-url').map((s) => s.name);
      return JSON.stringify([...setting.secret.sentTo].sort()) !== JSON.stringify(addresses.sort());
    });
    expect(wrong.map(({ of, setting }) => `${of}: ${setting.name}`)).toEqual([]);
  });
});
