import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FolderTarget, targetOf } from './target';

let parent: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'parlance-target-'));
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

async function* content(): AsyncGenerator<Buffer> {
  yield await Promise.resolve(Buffer.from('text'));
}

async function textOf(bytes: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const part of bytes) text += part.toString();
  return text;
}

describe('a folder as the target of a backup', () => {
  it('the folder of a backup appears with all files when it is complete', async () => {
    const folder = join(parent, 'backup');
    const target = new FolderTarget(folder);
    await target.begin();
    await target.write('catalog/projects.1', content());
    expect(existsSync(folder)).toBe(false);
    await target.commit();
    await target.discard();
    expect(await textOf(new FolderTarget(folder).read('catalog/projects.1'))).toBe('text');
    expect(readdirSync(parent)).toEqual(['backup']);
  });

  it('a discarded backup leaves no file', async () => {
    const target = new FolderTarget(join(parent, 'backup'));
    await target.begin();
    await target.write('catalog/projects.1', content());
    await target.discard();
    expect(readdirSync(parent)).toEqual([]);
  });

  it('a folder with content, or without a parent, is rejected', async () => {
    await expect(new FolderTarget(join(parent, 'a', 'b')).begin()).rejects.toThrow('cannot be used');
    const target = new FolderTarget(parent);
    await target.write('file', content());
    await expect(target.begin()).rejects.toThrow('is not empty');
  });
});

describe('the location of a backup', () => {
  const env = { BACKUP_S3_ENDPOINT: 'http://127.0.0.1:1', BACKUP_S3_ACCESS_KEY: 'a', BACKUP_S3_SECRET_KEY: 'b' };

  it.each(['s3://', 's3://bucket', 's3://bucket/', 's3:///prefix', 's3://Bucket/prefix', 's3://bucket//prefix'])(
    '%s is refused',
    (location) => {
      expect(() => targetOf(location, env)).toThrow('must be s3://bucket/prefix');
    },
  );

  it('a location in S3 needs the settings of the store', () => {
    expect(() => targetOf('s3://bucket/prefix', {})).toThrow('BACKUP_S3_ENDPOINT is not set');
  });

  it('a location in S3 that does not answer fails with its name and the reason', async () => {
    const target = targetOf('s3://bucket/prefix', env);
    await expect(target.begin()).rejects.toThrow(/^s3:\/\/bucket\/prefix cannot be written: .*ECONNREFUSED/);
    await expect(textOf(target.read('manifest.json'))).rejects.toThrow('s3://bucket/prefix cannot be read');
  });
});
