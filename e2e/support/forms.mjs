// Bodies of uploads, and unique words; also outside of tests.

/** A PNG of one pixel. */
export const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** A TrueType font with one character. */
export const font = Buffer.from(
  'AAEAAAAHAAAAAAAAT1MvMgAAAAAAAAB8AAAAYGNtYXAAAAAAAAAA3AAAAChoZWFkAAAAAAAAAQQAAAA2aGhlYQAAAAAAAAE8AAAAJGhtdHgAAAAAAAABYAAAAAhtYXhwAAAAAAAAAWgAAAAGbmFtZQAAAAAAAAFwAAAAOAAEAAABkAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAEAAwAKAAAADAAMAAAAAAAcAAAAAAAAAAEAAABBAAAAQQAAAAEAAQAAAAEAAAAAAABfDzz1AAAD6AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABAAADIP84AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAgAAAAACWAAAAABQAAACAAAAAAACAB4AAwABBAkAAQAMAAAAAwABBAkAAgAOAAwAUwBhAG0AcABsAGUAUgBlAGcAdQBsAGEAcg==',
  'base64',
);

let count = 0;
/** A unique word. */
export const unique = (prefix = 'w') => `${prefix}${process.pid.toString(36)}${Date.now().toString(36)}${count++}`;

/** A multipart form. @param {{ field: string, bytes: Buffer, filename: string }} [file] */
export function form(fields, file) {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  if (file) data.set(file.field, new Blob([file.bytes]), file.filename);
  return data;
}
