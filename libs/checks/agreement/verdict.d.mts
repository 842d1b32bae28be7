/** One line of cases.jsonl or context-cases.jsonl. */
export interface AgreementCase {
  check: string;
  lang: string;
  source: string[];
  target: string[];
  flags: string;
  /** Failing ids at the peer; missing where it cannot be asked. */
  peer?: string[];
  ours: string[];
  /** Why ours is right where it differs. */
  reason?: string;
}

export interface DifferenceRow {
  check: string;
  cases: number;
  agreeing: number;
  argued: number;
  reasons: string[];
}

export function verdict(checks: typeof import('../src/index.js'), test: AgreementCase): string[];
export function differences(cases: readonly AgreementCase[]): DifferenceRow[];
