import { setImmediate } from 'node:timers/promises';
import { ZipFile } from 'yazl';
import { unpackArchive } from './unpack-archive';

it('unpacking an archive of many files leaks no event listeners', async () => {
  const archive = new ZipFile();
  const names = Array.from({ length: 30 }, (_, i) => `po/${i}.po`);
  for (const name of names) archive.addBuffer(Buffer.from(name), name);
  archive.end();
  const chunks: Buffer[] = [];
  for await (const chunk of archive.outputStream) chunks.push(chunk as Buffer);
  const warnings: Error[] = [];
  const note = (warning: Error) => warnings.push(warning);
  process.on('warning', note);
  const files = await unpackArchive(Buffer.concat(chunks));
  // Node emits warnings in the next tick.
  await setImmediate();
  process.off('warning', note);
  expect(files.map((file) => [file.path, file.bytes.toString()])).toEqual(names.map((name) => [name, name]));
  expect(warnings).toEqual([]);
});
