import type { Component } from '../../domain/component';
import { mergeOptions } from './format-params';

const component = (params: object) =>
  ({ settings: { fileFormatParamsJson: JSON.stringify(params) } }) as unknown as Component;

it.each([
  ['the defaults of the table', {}, {}, { previous: true, noLocation: false, fuzzy: true }],
  [
    'the parameters of the component',
    { po_keep_previous: false, po_no_location: true, po_fuzzy_matching: false, po_line_wrap: -1 },
    {},
    { previous: false, noLocation: true, fuzzy: false, lineWrap: -1 },
  ],
  [
    'the settings of an add-on',
    { po_keep_previous: false, po_fuzzy_matching: true },
    { previous: true, no_location: false, fuzzy: false },
    { previous: true, noLocation: false, fuzzy: false },
  ],
])('files are updated from their template with %s', (_, params, own, wanted) => {
  expect(mergeOptions(component(params), undefined, own)).toEqual(wanted);
});
