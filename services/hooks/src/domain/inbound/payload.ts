import { textProblem } from '@parlance/contracts';

/** An unusable payload. The message names the missing field, for the person who configures the hook. */
export class PayloadError extends Error {}

/** Defensive reader of parsed JSON: providers omit, add and retype fields between versions. */
export class Payload {
  private constructor(
    private readonly value: unknown,
    private readonly path: string,
  ) {}

  static of(value: unknown): Payload {
    return new Payload(value, '');
  }

  /** The value at a path of nested keys. */
  at(...keys: string[]): Payload {
    let value = this.value;
    let path = this.path;
    for (const key of keys) {
      value =
        typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, key)
          ? (value as Record<string, unknown>)[key]
          : undefined;
      path = path ? `${path}.${key}` : key;
    }
    return new Payload(value, path);
  }

  get present(): boolean {
    return this.value !== undefined && this.value !== null;
  }

  /** The text; '' if it is missing, empty or invalid (a NUL or an unpaired surrogate). */
  get text(): string {
    if (typeof this.value !== 'string') return '';
    const text = this.value.slice(0, MAX_TEXT);
    // The cut may have split a surrogate pair.
    const whole = this.value.length > MAX_TEXT && /[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text;
    return textProblem(whole, this.path) ? '' : whole;
  }

  /** The text. @throws PayloadError if it is missing */
  get neededText(): string {
    if (this.text === '') throw new PayloadError(`"${this.path}" is missing from the payload.`);
    return this.text;
  }

  /** The items of a list; empty for other values. */
  get items(): Payload[] {
    if (!Array.isArray(this.value)) return [];
    return this.value.slice(0, MAX_ITEMS).map((item, i) => new Payload(item, `${this.path}.${i}`));
  }

  /** The payload itself. @throws PayloadError if it is missing or not an object */
  needed(): this {
    if (typeof this.value !== 'object' || this.value === null || Array.isArray(this.value))
      throw new PayloadError(`"${this.path}" is missing from the payload.`);
    return this;
  }
}

/** Maximum length of texts, in characters; longer ones are truncated. No address, name or branch is longer. */
const MAX_TEXT = 2000;
/** Maximum number of items read from a list (commits, changed references). */
const MAX_ITEMS = 5000;
