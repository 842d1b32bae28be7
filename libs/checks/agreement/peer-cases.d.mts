import type { AgreementCase } from './verdict.mjs';

export function casesForPeer(cases: readonly AgreementCase[]): (AgreementCase & { context: string })[];
export function forgetVerdicts(cases: readonly AgreementCase[]): void;
