import { field } from '@parlance/contracts';
import { z } from 'zod';
import type { Endpoint } from '../routing/endpoint';
import type { Body } from './body';
import { bodyOfForm, readBrowserForm, throwIfUnconfirmed, type BrowserForm } from './browser-form';

const fields = z.object({
  name: field.line('Name.').optional(),
  note: field.text('Note.').optional(),
  target: field.list('Texts.').optional(),
  locked: field.boolean('Locked.').optional(),
});

const endpoint = (method: Endpoint['method']) => ({ method, body: { fields } }) as unknown as Endpoint;
const bodyWith = (values: Record<string, unknown>, files: Body['files'] = new Map()): Body => ({
  values,
  form: true,
  files,
});
const formWith = (values: Record<string, unknown>): BrowserForm => readBrowserForm(bodyWith(values))!;
const sent = async (values: Record<string, unknown>) => {
  const form = formWith(values);
  return (await bodyOfForm(form, endpoint(form.method))).values;
};

describe('a form of a page', () => {
  it('a body without a known method is no form of a page', () => {
    expect(readBrowserForm(bodyWith({ name: 'a' }))).toBeUndefined();
    expect(readBrowserForm(bodyWith({ _method: 'TRACE' }))).toBeUndefined();
    expect(readBrowserForm(bodyWith({ _method: 'patch' }))).toBeUndefined();
  });

  it('hidden fields are no part of the request', async () => {
    expect(await sent({ _method: 'POST', _token: ' t ', _confirm: 'yes', name: 'a' })).toEqual({ name: 'a' });
    expect(formWith({ _method: 'POST', _token: ' t ' }).token).toBe('t');
  });

  it('a PATCH contains the changed fields, with the line breaks of the API', async () => {
    const _initial = JSON.stringify({ name: 'a', note: 'one\ntwo', target: ['x', ''], locked: 'true' });
    const same = { name: 'a', note: 'one\r\ntwo', target: ['x', '', ''], locked: 'true' };
    expect(await sent({ _method: 'PATCH', _initial, ...same })).toEqual({});
    expect(await sent({ _method: 'PATCH', _initial, ...same, note: 'one\r\n' })).toEqual({ note: 'one\n' });
    expect(await sent({ _method: 'PATCH', _initial, ...same, name: '' })).toEqual({ name: '' });
    expect(await sent({ _method: 'PATCH', _initial, ...same, target: ['x', 'y', 'z', ''] })).toEqual({
      target: ['x', 'y', 'z'],
    });
  });

  it('a PUT contains unchanged values, and a POST no empty ones', async () => {
    const _initial = JSON.stringify({ name: 'a', note: '' });
    expect(await sent({ _method: 'PUT', _initial, name: 'a', note: '' })).toEqual({ name: 'a' });
    expect(await sent({ _method: 'POST', name: 'a', note: '', target: ['', ''], locked: '' })).toEqual({ name: 'a' });
  });

  it('JSON takes the place of fields, and must be an object', async () => {
    expect(await sent({ _method: 'PUT', _content: '{"note": null}', name: 'a' })).toEqual({ note: null });
    await expect(sent({ _method: 'PUT', _content: '[1]' })).rejects.toMatchObject({ reason: 'INVALID' });
    await expect(sent({ _method: 'PUT', _content: '{' })).rejects.toMatchObject({ reason: 'PARSE_ERROR' });
  });

  it('malformed initial values mean that everything was changed', async () => {
    for (const _initial of ['{', '[]', 'null', '"a"'])
      expect(await sent({ _method: 'PATCH', _initial, name: 'a' })).toEqual({ name: 'a' });
  });

  it('a file that the user did not choose is missing', () => {
    const file = (filename: string, size: number) => ({ name: 'file', filename, type: '', size, chunks: jest.fn() });
    const files = new Map([
      ['none', file('', 0)],
      ['empty', file('a.po', 0)],
    ]);
    expect([...readBrowserForm(bodyWith({ _method: 'POST' }, files))!.files.keys()]).toEqual(['empty']);
  });

  it('only a deletion must be confirmed', () => {
    expect(() => throwIfUnconfirmed(formWith({ _method: 'DELETE' }))).toThrow();
    expect(() => throwIfUnconfirmed(formWith({ _method: 'DELETE', _confirm: 'yes' }))).not.toThrow();
    expect(() => throwIfUnconfirmed(formWith({ _method: 'PATCH' }))).not.toThrow();
  });
});
