/** One line of cases.jsonl or context-cases.jsonl. */
export interface AgreementCase {
  check: string;
  lang: string;
  source: string[];
  target: string[];
  flags: string;
  /** Failing ids of the reference; absent if the case cannot be recorded there. */
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

export function verdict(checks: typeof import('../src/index.js'), test: AgreementCase): string[];
export function differences(cases: readonly AgreementCase[]): DifferenceRow[];
