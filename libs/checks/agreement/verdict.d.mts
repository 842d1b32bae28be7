/** One line of cases.jsonl or context-cases.jsonl. */
export interface AgreementCase {
  check: string;
  /** The peer does not have this check and is not asked about the case. */
  ownCheck?: true;
  lang: string;
  source: string[];
  target: string[];
  flags: string;
  state?: number;
  glossary?: boolean;
  /** Failing ids of the peer; absent if the case cannot be recorded there. */
  peer?: string[];
  ours: string[];
  /** Reason for a differing verdict. */
  reason?: string;
}

export interface DifferenceRow {
  check: string;
  cases: number;
  agreeing: number;
  argued: number;
  reasons: string[];
}

/** Forms and plural formula by language. */
export const PLURALS: Readonly<Record<string, readonly [forms: number, formula: string]>>;

export function verdict(checks: typeof import('../src/index.js'), test: AgreementCase): string[];
export function differences(cases: readonly AgreementCase[]): DifferenceRow[];
