/**
 * Judges a report of `npm audit --json`.
 * @param {string} output
 * @returns {{ text: string, isAccepted: boolean, isAudited: boolean }} isAudited is false for a registry without audits, which is accepted
 *   and named
 */
export function verdict(output) {
  const report = JSON.parse(output);
  if (report.error || report.message) {
    // Mirrors of the registry may have no such endpoint. A release requires an answer.
    const { summary, detail } = report.error ?? {};
    const why = [report.message, summary, detail].filter(Boolean).join(' ').trim();
    return { text: `Not audited: the registry does not answer audits (${why}).`, isAccepted: true, isAudited: false };
  }
  const bad = Object.values(report.vulnerabilities).filter(({ severity }) => ['high', 'critical'].includes(severity));
  const lines = bad.map(({ name, severity, range }) => `${name} ${range}: ${severity}`);
  const { dependencies } = report.metadata;
  return {
    text: [`${dependencies.prod} packages, ${bad.length} with a high or critical vulnerability`, ...lines].join('\n'),
    isAccepted: bad.length === 0,
    isAudited: true,
  };
}
