import { formatOf } from '@parlance/formats';
import { holdBound } from '@parlance/testing';

/** Size of a file whose parse takes about 50 ms on an idle machine. */
const REFERENCE_BYTES = 5 * 1024 * 1024;

/** A gettext file of at least this size, plus the entries of `more`. */
export function largePo(bytes: number, more = ''): Buffer {
  const parts = [`msgid ""\nmsgstr "Language: cs\\nContent-Type: text/plain; charset=UTF-8\\n"\n\n${more}`];
  const words = 'the quick brown fox jumps over the lazy dog while nobody looks at it';
  for (let size = 0, i = 0; size < bytes; i++) {
    const entry = `#: src/file${i % 100}.c:${i}\nmsgid "Line ${i}: ${words}"\nmsgstr "Řádek ${i}: ${words}"\n\n`;
    size += Buffer.byteLength(entry);
    parts.push(entry);
  }
  return Buffer.from(parts.join(''));
}

/** Expects the event loop to have been held for no longer than a parse takes. */
export function expectResponsive({ heldMs }: { heldMs: number }): void {
  expect(heldMs).toBeLessThan(holdBound(() => formatOf('po').parse(largePo(REFERENCE_BYTES))));
}
