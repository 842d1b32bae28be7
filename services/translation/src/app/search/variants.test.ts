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

it('are strings whose contexts differ by what the expression matches', async () => {
  expect(await found('(_short|_long)$')).toEqual(['title', 'title_short', 'save', 'save_long', 'save_short']);
  expect(await found('_short$')).toEqual(['title', 'title_short', 'save', 'save_short']);
});

it.each(['', 'nothing here', '(a+)+$', '(?<=x)y'])('are none for %j', async (regex) =>
  expect(await found(regex)).toEqual([]),
);
