/** Maximum length of a formula. The longest one of a known language has about 400 characters. */
export const MAX_FORMULA_LENGTH = 1000;

/** Maximum nesting of parentheses, negations and conditionals. */
export const MAX_FORMULA_DEPTH = 64;

/** Arithmetic is unsigned as in gettext. Results wrap at 2^53, the range of exact integers. */
const WRAP = 2 ** 53;

/** Reason why a plural formula or header is invalid. */
export type PluralFormulaErrorReason = 'syntax' | 'too_long' | 'too_deep' | 'division_by_zero' | 'out_of_range';

/** A plural formula or header is invalid. */
export class PluralFormulaError extends Error {
  override readonly name = 'PluralFormulaError';
  constructor(
    readonly reason: PluralFormulaErrorReason,
    /** 0-based offset in the parsed text. */
    readonly position: number,
    message: string,
  ) {
    super(message);
  }
}

/** A parsed gettext plural expression. */
export interface PluralFormula {
  /** The text it was parsed from. */
  readonly text: string;
  /**
   * The index of the plural form for the number `n`. Truncates fractions and ignores the sign. Never throws: division by zero gives form 0.
   */
  evaluate(n: number): number;
}

type Evaluator = (n: number) => number;

const wrap = (value: number): number => (value >= 0 && value < WRAP ? value : ((value % WRAP) + WRAP) % WRAP);

const binary: Record<string, (left: Evaluator, right: Evaluator) => Evaluator> = {
  '||': (a, b) => (n) => (a(n) !== 0 || b(n) !== 0 ? 1 : 0),
  '&&': (a, b) => (n) => (a(n) !== 0 && b(n) !== 0 ? 1 : 0),
  '==': (a, b) => (n) => (a(n) === b(n) ? 1 : 0),
  '!=': (a, b) => (n) => (a(n) !== b(n) ? 1 : 0),
  '<': (a, b) => (n) => (a(n) < b(n) ? 1 : 0),
  '>': (a, b) => (n) => (a(n) > b(n) ? 1 : 0),
  '<=': (a, b) => (n) => (a(n) <= b(n) ? 1 : 0),
  '>=': (a, b) => (n) => (a(n) >= b(n) ? 1 : 0),
  '+': (a, b) => (n) => wrap(a(n) + b(n)),
  '-': (a, b) => (n) => wrap(a(n) - b(n)),
  '*': (a, b) => (n) => wrap(a(n) * b(n)),
  '/': (a, b) => (n) => {
    const divisor = b(n);
    return divisor === 0 ? 0 : Math.floor(a(n) / divisor);
  },
  '%': (a, b) => (n) => {
    const divisor = b(n);
    return divisor === 0 ? 0 : a(n) % divisor;
  },
};

/** Binary operators from the loosest to the tightest, as in C. */
const LEVELS = [['||'], ['&&'], ['==', '!='], ['<=', '>=', '<', '>'], ['+', '-'], ['*', '/', '%']] as const;

class Parser {
  private position = 0;
  private depth = 0;

  constructor(private readonly text: string) {}

  parse(): Evaluator {
    const result = this.conditional();
    this.skipSpace();
    if (this.position < this.text.length) this.fail(`unexpected "${this.text[this.position]}"`);
    return result;
  }

  private fail(message: string, position = this.position): never {
    throw new PluralFormulaError('syntax', position, `${message} at position ${position}`);
  }

  private skipSpace(): void {
    while (this.position < this.text.length && ' \t\r\n'.includes(this.text[this.position]!)) this.position++;
  }

  private take(token: string): boolean {
    this.skipSpace();
    if (!this.text.startsWith(token, this.position)) return false;
    this.position += token.length;
    return true;
  }

  private nested<T>(read: () => T): T {
    if (++this.depth > MAX_FORMULA_DEPTH) {
      throw new PluralFormulaError('too_deep', this.position, `nested deeper than ${MAX_FORMULA_DEPTH} levels`);
    }
    const result = read();
    this.depth--;
    return result;
  }

  private conditional(): Evaluator {
    const test = this.operators(0);
    if (!this.take('?')) return test;
    const yes = this.nested(() => this.conditional());
    if (!this.take(':')) this.fail('expected ":"');
    const no = this.nested(() => this.conditional());
    return (n) => (test(n) !== 0 ? yes(n) : no(n));
  }

  private operators(level: number): Evaluator {
    const tokens = LEVELS[level];
    if (!tokens) return this.unary();
    let left = this.operators(level + 1);
    for (;;) {
      const token = tokens.find((candidate) => this.take(candidate));
      if (!token) return left;
      const start = this.position;
      const right = this.operators(level + 1);
      if ((token === '/' || token === '%') && /^0+$/.test(this.text.slice(start, this.position).trim())) {
        throw new PluralFormulaError('division_by_zero', start, `division by zero at position ${start}`);
      }
      left = binary[token]!(left, right);
    }
  }

  private unary(): Evaluator {
    this.skipSpace();
    if (this.text[this.position] === '!') {
      this.position++;
      const operand = this.nested(() => this.unary());
      return (n) => (operand(n) === 0 ? 1 : 0);
    }
    if (this.take('(')) {
      const inner = this.nested(() => this.conditional());
      if (!this.take(')')) this.fail('expected ")"');
      return inner;
    }
    const operand = /^(?:n(?![A-Za-z0-9_])|[0-9]{1,15}(?![A-Za-z0-9_]))/.exec(
      this.text.slice(this.position, this.position + 17),
    )?.[0];
    if (operand === undefined) {
      const found = this.text[this.position];
      this.fail(found === undefined ? 'unexpected end' : `expected a number, "n" or "(" but found "${found}"`);
    }
    this.position += operand.length;
    if (operand === 'n') return (n) => n;
    const value = Number(operand);
    return () => value;
  }
}

const cache = new Map<string, PluralFormula>();
const CACHE_LIMIT = 500;

/**
 * Parses the C expression of a gettext plural rule: `n`, decimal numbers, `?:`, `|| && == != < > <= >= + - * / % !` and
 * parentheses. The expression is never executed as code.
 *
 * @throws {PluralFormulaError} with the offset of the problem
 */
export function parsePluralFormula(text: string): PluralFormula {
  const known = cache.get(text);
  if (known) return known;
  if (text.length > MAX_FORMULA_LENGTH) {
    throw new PluralFormulaError('too_long', MAX_FORMULA_LENGTH, `longer than ${MAX_FORMULA_LENGTH} characters`);
  }
  const run = new Parser(text).parse();
  const formula: PluralFormula = {
    text,
    evaluate: (n) => {
      const whole = Math.trunc(Math.abs(n));
      return run(Number.isFinite(whole) ? wrap(whole) : 0);
    },
  };
  if (cache.size >= CACHE_LIMIT) cache.clear();
  cache.set(text, formula);
  return formula;
}

/** Maximum number of plural forms of a language. */
export const MAX_PLURAL_FORMS = 10;

/** Sample numbers for validating and comparing formulas. */
export const SAMPLE_NUMBERS: readonly number[] = [
  ...Array.from({ length: 1001 }, (_, n) => n),
  1100,
  2000,
  10_000,
  20_000,
  100_000,
  1_000_000,
  2_000_000,
];

/**
 * Validates a formula and the range of its forms.
 *
 * @throws {PluralFormulaError} reason `out_of_range` when some number gets a form outside 0..number-1, or `number` itself is
 *   not within 1..{@link MAX_PLURAL_FORMS}
 */
export function validatePlural(number: number, formula: string): PluralFormula {
  if (!Number.isInteger(number) || number < 1 || number > MAX_PLURAL_FORMS) {
    throw new PluralFormulaError('out_of_range', 0, `the number of plural forms must be 1 to ${MAX_PLURAL_FORMS}`);
  }
  const parsed = parsePluralFormula(formula);
  for (const n of SAMPLE_NUMBERS) {
    const index = parsed.evaluate(n);
    if (index >= number) {
      throw new PluralFormulaError(
        'out_of_range',
        0,
        `form ${index} for the number ${n}, but there are only ${number} forms`,
      );
    }
  }
  return parsed;
}

/** Number of forms, and the form of each number. */
export interface PluralRule {
  number: number;
  formula: string;
}

/**
 * Parses the value of a PO file's `Plural-Forms` header, such as `nplurals=2; plural=n != 1;`.
 *
 * @throws {PluralFormulaError} positions count from the start of `text`
 */
export function parsePluralHeader(text: string): PluralRule {
  const match = /^\s*nplurals\s*=\s*([0-9]{1,3})\s*;\s*plural\s*=/.exec(text.slice(0, MAX_FORMULA_LENGTH));
  if (!match) {
    throw new PluralFormulaError('syntax', 0, 'expected "nplurals=NUMBER; plural=FORMULA;"');
  }
  const start = match[0].length;
  const end = text.indexOf(';', start);
  if (end >= 0 && text.slice(end + 1).trim() !== '') {
    throw new PluralFormulaError('syntax', end + 1, `unexpected text after the formula at position ${end + 1}`);
  }
  const raw = text.slice(start, end < 0 ? undefined : end);
  const formula = raw.trim();
  const number = Number(match[1]);
  try {
    validatePlural(number, formula);
  } catch (error) {
    if (!(error instanceof PluralFormulaError)) throw error;
    const position = start + raw.indexOf(formula) + error.position;
    throw new PluralFormulaError(error.reason, position, error.message);
  }
  return { number, formula };
}

/** The `Plural-Forms` header value for a rule. */
export function formatPluralHeader(rule: PluralRule): string {
  return `nplurals=${rule.number}; plural=${rule.formula};`;
}
