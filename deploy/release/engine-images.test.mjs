import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { images } from '../engines/images.mjs';

const read = (path) => readFileSync(join(__dirname, '../..', path), 'utf8');
const expected = Object.fromEntries(Object.entries(images).map(([name, { image }]) => [name, image]));
/** The images of rows that have one. @param {Record<string, { image?: string }>} rows by name */
const imagesOf = (rows) =>
  Object.fromEntries(Object.entries(rows).flatMap(([name, { image }]) => (image ? [[name, image]] : [])));

describe('the images of engines', () => {
  it('the images of engines are those of npm start in compose and in the chart', () => {
    const ofCompose = Object.entries(imagesOf(parse(read('deploy/compose.yaml')).services));
    expect(Object.fromEntries(ofCompose.filter(([, image]) => !image.includes('PARLANCE_IMAGES')))).toEqual(expected);
    expect(imagesOf(parse(read('charts/parlance/values.yaml')).engines)).toEqual(expected);
  });

  it.each(Object.keys(expected))('deploy/README.md names the value that pins the image of %s', (name) => {
    expect(read('deploy/README.md')).toContain(`\`engines.${name}.image\``);
  });
});
