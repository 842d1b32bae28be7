import type { Component } from '../../domain/component';
import { variantsOf } from './variants';

const strings = ['title', 'title_short', 'save', 'save_long', 'save_short', 'lonely_short', 'other'].map(
  (context, id) => ({
    id,
    context,
  }),
);
const found = async (variantRegex: string) =>
  (await variantsOf({ variantRegex } as Component, strings)).map((id) => strings[id]!.context);

it('Strings are variants when their contexts differ only by matches of variant_regex', async () => {
  expect(await found('(_short|_long)$')).toEqual(['title', 'title_short', 'save', 'save_long', 'save_short']);
  expect(await found('_short$')).toEqual(['title', 'title_short', 'save', 'save_short']);
});

it.each(['', 'nothing here', '(a+)+$', '(?<=x)y'])('The variant_regex %j groups no strings', async (regex) =>
  expect(await found(regex)).toEqual([]),
);
