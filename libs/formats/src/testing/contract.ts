import { isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import { FormatError, type FileFormat, type FormatFile, type FormatUnit } from '../format';
import { commonBytes } from '../trial/real-file';
import { listUnits } from '../cli/commands';
import { blankIsUnit, formatInfo } from '../registry';
import {
  anyText,
  attempt,
  beginningOf,
  bytesOf,
  caught,
  FOREIGN,
  hasKeys,
  inAscii,
  isAscii,
  keysOf,
  namesUtf8,
  setOrAdd,
  targetsOf,
  type Sample,
} from './samples';

export interface ContractOptions {
  samples: readonly Sample[];
  /** Files that must be rejected, each with the line of the error. */
  broken?: readonly { name: string; content: string | Buffer; line?: number }[];
  /** Line ends and byte order mark may differ; false for binary formats. Default true. */
  text?: boolean;
  /** Whether removing an added string restores the bytes. Default true. */
  inverse?: boolean;
  /** A new language starts as a copy of the base. */
  copies?: boolean;
  /** Texts that a new language shares with the base. */
  common?: readonly string[];
  /** Content that an independent parser finds after strings were added. Default: the strings. */
  structure?: (text: string) => unknown;
  /** Further files whose strings are added to incomplete files. */
  bases?: readonly Sample[];
  /** Files with entries that have more than a key and a text, and their content according to an independent parser. */
  carries?: { files: readonly Sample[]; whole: (text: string) => unknown };
  /** Key of a new string. */
  newKey?: string;
  /** A text that every string of the format accepts. */
  edited?: string;
  /** Maximum number of changed bytes besides the text. Default 80. */
  slack?: number;
}

/** Contract of all formats: tests the guarantees of the README. */
export function formatContract(format: FileFormat, contract: ContractOptions): void {
  const { samples, text = true, inverse = true, edited = 'Changed text', slack = 80 } = contract;
  const info = formatInfo(format.id);

  describe(`the format ${format.id}`, () => {
    it(`the format ${format.id} is listed in the registry`, () => expect(info?.id).toBe(format.id));

    describe.each(samples)('with the sample $name', ({ content, options = {}, targets, newKey, goesWith }) => {
      const bytes = bytesOf(content);
      const parse = (b: Buffer): FormatFile => format.parse(b, options);

      it(`the format ${format.id} parses the strings`, () => {
        const file = parse(bytes);
        if (targets) expect(targetsOf(file)).toEqual(targets);
        file.units.forEach((unit, i) => {
          expect(unit.index).toBe(i);
          expect(unit.line).toBeGreaterThan(0);
        });
      });

      it(`the format ${format.id} returns the same bytes without a change and with every string set to its own text`, () => {
        const file = parse(bytes);
        expect(file.apply([])).toEqual(bytes);
        const same = file.units.map(({ index, target }) => ({ op: 'set', index, target }) as const);
        expect(file.apply(same)).toEqual(bytes);
      });

      it(`the format ${format.id} changes only the edited string`, () => {
        const file = parse(bytes);
        for (const unit of file.units) {
          const target = unit.target.map((_, i) => (i === 0 ? edited : (unit.target[i] as string)));
          if (target.length === 0) target.push(edited);
          const written = file.apply([{ op: 'set', index: unit.index, target }]);
          const expected = targetsOf(file).with(unit.index, target);
          expect(targetsOf(parse(written))).toEqual(expected);
          if (!text) continue;
          const removed = bytes.length - commonBytes(bytes, written);
          expect(removed).toBeLessThanOrEqual(6 * Buffer.byteLength(unit.target[0] ?? '') * 2 + slack);
        }
      });

      if (!contract.copies) {
        it(`the format ${format.id} lists a string with an empty text`, () => {
          const file = parse(bytes);
          for (const { index, target, state } of file.units) {
            if (state === 'readonly') continue;
            const blank = file.apply([{ op: 'set', index, target: target.length > 0 ? target.map(() => '') : [''] }]);
            const again = parse(blank);
            expect(again.units).toHaveLength(file.units.length);
            if (blankIsUnit(format.id)) expect(listUnits(again)).toHaveLength(file.units.length);
            expect(again.units[index]?.target.join('')).toBe('');
            expect(again.units[index]?.state).toBe('empty');
          }
        });
      }

      it(`the format ${format.id} keeps every text that it accepts`, () => {
        const file = parse(bytes);
        if (file.units.length === 0) return;
        const index = fc.nat({ max: file.units.length - 1 });
        fc.assert(
          fc.property(index, anyText, (at, value) => {
            const unit = file.units[at] as (typeof file.units)[number];
            const target = unit.plural && unit.target.length > 0 ? unit.target.with(-1, value) : [value];
            const written = attempt(() => file.apply([{ op: 'set', index: at, target }]));
            if (written) expect(targetsOf(parse(written))).toEqual(targetsOf(file).with(at, target));
          }),
          { numRuns: 60 },
        );
      });

      if (info?.can.addUnit) {
        it(`the format ${format.id} adds a string`, () => {
          const file = parse(bytes);
          const context = newKey ?? contract.newKey ?? 'parlance_new_key';
          const source = file.metadata.monolingual ? [context] : ['A new source text'];
          const added = file.apply([{ op: 'add', context, source, target: [edited] }]);
          const again = parse(added);
          expect(again.units).toHaveLength(file.units.length + 1);
          const at = again.units.findIndex(
            (unit) => unit.target[0] === edited && (unit.context.endsWith(context) || unit.source[0] === source[0]),
          );
          expect(at).toBeGreaterThanOrEqual(0);
          if (!info.can.removeUnit) return;
          const removed = again.apply([{ op: 'remove', index: at }]);
          if (inverse) expect(removed.toString()).toBe(bytes.toString());
          else expect(targetsOf(parse(removed))).toEqual(targetsOf(file));
        });
      }

      const ascii = text && isUtf8(bytes) ? inAscii(bytes, parse) : undefined;
      if (ascii) {
        it(`the format ${format.id} represents characters outside the declared charset`, () => {
          const file = parse(ascii);
          const holds = (written: Buffer): boolean => isAscii(written) || namesUtf8(written);
          for (const unit of file.units.filter(({ state }) => state !== 'readonly')) {
            const target = unit.target.length === 0 ? [FOREIGN] : unit.target.with(0, FOREIGN);
            const written = file.apply([{ op: 'set', index: unit.index, target }]);
            expect(holds(written)).toBe(true);
            expect(targetsOf(parse(written))).toEqual(targetsOf(file).with(unit.index, target));
          }
          if (!info?.can.addUnit) return;
          const added = attempt(() =>
            file.apply([{ op: 'add', context: FOREIGN, source: [FOREIGN], target: [FOREIGN] }]),
          );
          if (added) expect(holds(added)).toBe(true);
        });
      }

      if (info?.can.removeUnit) {
        it(`the format ${format.id} removes strings individually and together`, () => {
          const file = parse(bytes);
          const writable = file.units.filter((unit) => unit.state !== 'readonly');
          for (const unit of writable) {
            const written = file.apply([{ op: 'remove', index: unit.index }]);
            const left = file.units.filter((other) => other !== unit && !goesWith?.(unit, other));
            expect(targetsOf(parse(written))).toEqual(left.map(({ target }) => target));
          }
          const none = file.apply(file.units.map((unit) => ({ op: 'remove', index: unit.index }) as const));
          expect(parse(none).units).toEqual([]);
        });
      }

      it(`the format ${format.id} creates the file of a new language`, () => {
        const plural = { count: 3, formula: 'n==1 ? 0 : n>=2 && n<=4 ? 1 : 2', names: ['one', 'few', 'other'] };
        const created = format.createTranslation(bytes, { ...options, language: 'cs', plural });
        const file = format.parse(created, { ...options, language: 'cs' });
        if (contract.copies) {
          expect(targetsOf(file)).toEqual(targetsOf(parse(bytes)));
          return;
        }
        const common = contract.common ?? [];
        for (const { state, target } of file.units)
          if (state !== 'readonly') expect(['', ...common]).toContain(target.join(''));
      });

      if (text) {
        it(`the format ${format.id} keeps line ends and byte order marks`, () => {
          if (bytes.includes('\r') || bytes.includes(0)) return;
          const dos = Buffer.from(bytes.toString('latin1').replaceAll('\n', '\r\n'), 'latin1');
          const marked = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]);
          for (const variant of isAscii(bytes) || format.id !== 'properties' ? [dos, marked] : [dos]) {
            const file = parse(variant);
            expect(file.units).toHaveLength(parse(bytes).units.length);
            expect(file.apply([])).toEqual(variant);
            const unit = file.units.find(({ state }) => state !== 'readonly');
            if (!unit) continue;
            const target = unit.target.length === 0 ? [edited] : unit.target.with(0, edited);
            const written = file.apply([{ op: 'set', index: unit.index, target }]);
            if (variant === dos) expect(written.toString('latin1')).not.toMatch(/[^\r]\n/);
            if (variant === marked) expect(written.subarray(0, 3)).toEqual(marked.subarray(0, 3));
          }
        });
      }

      if (text && info?.can.addUnit) {
        const variants: Record<string, (plain: string) => Buffer> = {
          'with carriage returns': (plain) => Buffer.from(plain.replaceAll('\n', '\r\n')),
          'with a byte order mark': (plain) => Buffer.from(`\ufeff${plain}`),
          'in UTF-16': (plain) => Buffer.from(`\ufeff${plain}`, 'utf16le'),
          'without a final line end': (plain) => Buffer.from(plain.trimEnd()),
        };
        it.each(Object.entries(variants))(`the format ${format.id} accepts strings %s`, (_, variant) => {
          if (bytes.includes('\r') || bytes.includes(0) || !isUtf8(bytes)) return;
          const changed = variant(bytes.toString());
          const file = attempt(() => parse(changed));
          if (!file) return;
          expect(targetsOf(file)).toEqual(targetsOf(parse(bytes)));
          expect(file.apply([])).toEqual(changed);
          const context = newKey ?? contract.newKey ?? 'parlance_new_key';
          const source = file.metadata.monolingual ? [context] : ['A new source text'];
          const added = file.apply([{ op: 'add', context, source, target: [edited] }]);
          const { charset, bom, eol } = parse(added).metadata;
          expect({ charset, bom, eol }).toEqual({
            charset: file.metadata.charset,
            bom: file.metadata.bom,
            eol: bytes.includes('\n') ? file.metadata.eol : eol,
          });
          if (eol === '\r\n') expect(added.toString('latin1')).not.toMatch(/[^\r]\n/);
          const again = parse(added);
          const at = again.units.findIndex(
            ({ target }, i) => target[0] === edited && file.units[i]?.target[0] !== edited,
          );
          const removed = info.can.removeUnit ? again.apply([{ op: 'remove', index: at }]) : undefined;
          // The line end that a new entry required before it may remain.
          const trimmed = (b: Buffer): string => b.toString('latin1').replace(/[\r\n\0]+$/, '');
          if (removed && inverse) expect(trimmed(removed)).toBe(trimmed(changed));
          else if (removed) expect(targetsOf(parse(removed))).toEqual(targetsOf(file));
        });
      }

      it(`the format ${format.id} parses damaged files or throws a FormatError`, () => {
        const place = fc.nat({ max: bytes.length });
        fc.assert(
          fc.property(place, fc.nat({ max: 12 }), fc.uint8Array({ maxLength: 6 }), (start, length, junk) => {
            const damaged = Buffer.concat([bytes.subarray(0, start), junk, bytes.subarray(start + length)]);
            const file = attempt(() => parse(damaged));
            if (file) expect(file.apply([])).toEqual(damaged);
          }),
          { numRuns: 150 },
        );
      });
    });

    if (info?.can.addUnit) {
      const bases = [...samples, ...(contract.bases ?? [])].filter((sample) => hasKeys(format, sample));
      if (bases.length > 0)
        it.each(bases)(`the format ${format.id} restores $name from incomplete files, in any order`, (base) => {
          const { content, options = {} } = base;
          const read = (bytes: Buffer): unknown =>
            contract.structure ? contract.structure(bytes.toString()) : keysOf(format.parse(bytes, options));
          const { units } = format.parse(bytesOf(content), options);
          const all = units.map(({ index }) => index);
          const order = fc.shuffledSubarray(all, { minLength: all.length });
          fc.assert(
            fc.property(order, fc.nat({ max: units.length }), fc.boolean(), (chosen, kept, together) => {
              const wanted = chosen.map((index) => units[index] as FormatUnit);
              let written = beginningOf(format, bytesOf(content), options, kept);
              for (const step of together ? [wanted] : wanted.map((unit) => [unit]))
                written = setOrAdd(format.parse(written, options), step);
              expect(read(written)).toEqual(read(bytesOf(content)));
            }),
            { numRuns: 30 },
          );
        });
    }

    if (contract.carries) {
      const { files, whole } = contract.carries;
      it.each(files)(
        `the format ${format.id} adds entries of $name with all their properties`,
        ({ content, options = {} }) => {
          const base = bytesOf(content);
          const { units } = format.parse(base, options);
          const order = fc.shuffledSubarray([...units], { minLength: units.length });
          fc.assert(
            fc.property(order, fc.nat({ max: units.length }), fc.boolean(), (shuffled, kept, together) => {
              // Removing an item in the middle of a list shifts the later ones.
              const removed = shuffled.filter(({ index }) => index >= kept);
              let written = format.parse(base, options).apply(removed.map(({ index }) => ({ op: 'remove', index })));
              for (const step of together ? [removed] : removed.map((unit) => [unit]))
                written = setOrAdd(format.parse(written, options), step, base);
              expect(whole(written.toString())).toEqual(whole(base.toString()));
            }),
            { numRuns: 40 },
          );
        },
      );

      it.each(files)(`the format ${format.id} adds entries of $name with another text`, ({ content, options = {} }) => {
        const base = bytesOf(content);
        const { units } = format.parse(base, options);
        const unit =
          units.findLast(({ target, state }) => target.length === 1 && state === 'translated') ??
          (units.at(-1) as FormatUnit);
        const file = format.parse(format.parse(base, options).apply([{ op: 'remove', index: unit.index }]), options);
        const written = setOrAdd(file, [{ ...unit, target: unit.target.map(() => edited) }], base);
        const set = format.parse(base, options);
        const wanted = set.apply([{ op: 'set', index: unit.index, target: unit.target.map(() => edited) }]);
        expect(whole(written.toString())).toEqual(whole(wanted.toString()));
      });

      it(`the format ${format.id} adds strings if the base is invalid or does not have them`, () => {
        const { content, options = {} } = files[0] as Sample;
        const base = bytesOf(content);
        const { units } = format.parse(base, options);
        const unit = units[0] as FormatUnit;
        const empty = format.parse(base, options).apply(units.map(({ index }) => ({ op: 'remove', index })));
        for (const other of [Buffer.from('\0 <<<{'), empty]) {
          const written = setOrAdd(format.parse(empty, options), [unit], other);
          expect(targetsOf(format.parse(written, options))).toContainEqual(unit.target);
        }
      });
    }

    if (contract.broken) {
      it.each(contract.broken)(`the format ${format.id} rejects $name`, ({ content, line }) => {
        const error = caught(() => format.parse(bytesOf(content)));
        expect(error).toBeInstanceOf(FormatError);
        if (line !== undefined) expect((error as FormatError).line).toBe(line);
        if (line !== undefined) expect((error as FormatError).column).toBeGreaterThan(0);
      });
    }

    it(`the format ${format.id} rejects a file above the size limit`, () => {
      const error = caught(() => format.parse(Buffer.alloc(2048, 'a'), { limits: { maxBytes: 1024 } }));
      expect(error).toMatchObject({ code: 'limit' });
    });

    it(`the format ${format.id} creates a file without a base only if the registry says so`, () => {
      const made = (): Buffer => format.createTranslation(undefined, { language: 'cs' });
      if (info?.newFile === 'built-in') expect(format.parse(made(), { language: 'cs' }).units).toEqual([]);
      else expect(caught(made)).toMatchObject({ code: 'base-required' });
    });
  });
}
