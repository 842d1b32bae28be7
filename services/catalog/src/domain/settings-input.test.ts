import { componentSettings, fieldsOf, projectSettings } from '@parlance/contracts';
import { changedSettings, defaultSettings, missingSettings, parseJsonObject, pickSettings } from './settings-input';

describe('missingSettings', () => {
  it('required fields that were not sent are reported by their names in the API', () => {
    const names = missingSettings(projectSettings, { slug: 'web' }).map(({ attr, code }) => `${attr}:${code}`);
    expect(names).toContain('name:required');
    expect(names).not.toContain('slug:required');
    const required = fieldsOf(componentSettings).filter((f) => f.required);
    expect(missingSettings(componentSettings, {}).map(({ attr }) => attr)).toEqual(required.map(({ name }) => name));
  });

  it('empty values were sent; their rules are checked elsewhere', () => {
    expect(missingSettings(projectSettings, { name: '', slug: '', web: '' })).toEqual([]);
  });
});

describe('parseJsonObject', () => {
  const attr = 'file_format_params';
  const invalid = { problem: { attr, code: 'invalid', detail: 'A JSON object is required.' } };

  it('an object is parsed, and no text stands for an empty one', () => {
    expect(parseJsonObject('{"wrap": 77, "nested": {"a": [1]}}', attr)).toEqual({
      value: { wrap: 77, nested: { a: [1] } },
    });
    expect(parseJsonObject('', attr)).toEqual({ value: {} });
  });

  it.each(['[]', 'null', '1', '"text"', '{', 'nonsense', ' '])('%j is reported on its field', (json) => {
    expect(parseJsonObject(json, attr)).toEqual(invalid);
  });

  it('an object that cannot be stored is reported with the reason', () => {
    expect(parseJsonObject('{"a": {"$set": 1}}', attr)).toEqual({
      problem: { attr, code: 'invalid', detail: 'Keys must not begin with $.' },
    });
    expect(parseJsonObject(JSON.stringify({ text: 'x'.repeat(1_000_000) }), attr)).toMatchObject({
      problem: { attr, code: 'max_length' },
    });
  });
});

describe('defaultSettings', () => {
  it('settings have the defaults of the API; an absent reference is 0, and secrets are no settings', () => {
    const values = defaultSettings(projectSettings);
    expect(values).toMatchObject({ accessControl: 0, enableHooks: true, instructions: '', secondaryLanguage: 0 });
    for (const key of ['name', 'slug', 'hookSecret']) expect(values).not.toHaveProperty(key);
  });

  it('an object is stored under its own name, and each call returns its own', () => {
    const first = defaultSettings(componentSettings);
    expect(first).toMatchObject({ fileFormatParams: {}, enforcedChecks: [] });
    expect(first).not.toHaveProperty('fileFormatParamsJson');
    (first['enforcedChecks'] as string[]).push('same');
    expect(defaultSettings(componentSettings)).toMatchObject({ enforcedChecks: [] });
  });
});

describe('pickSettings', () => {
  it('only settings that were sent are picked, with their empty values', () => {
    const message = { name: 'Web', instructions: '', enableHooks: false, web: undefined, id: 5, unknown: 1 };
    expect(pickSettings(projectSettings, message)).toEqual({ name: 'Web', instructions: '', enableHooks: false });
  });
});

describe('changedSettings', () => {
  it('changed settings are named as in the API, compared by value', () => {
    const before = { ...defaultSettings(componentSettings), name: 'Site', fileFormatParams: { wrap: 77 } };
    const same = { ...before, enforcedChecks: [], fileFormatParams: { wrap: 77 }, version: 9 };
    expect(changedSettings(componentSettings, before, same)).toEqual([]);
    const after = { ...before, name: 'Page', fileFormatParams: { wrap: 0 }, enforcedChecks: ['same'] };
    expect(changedSettings(componentSettings, before, after).sort()).toEqual([
      'enforced_checks',
      'file_format_params',
      'name',
    ]);
  });
});
