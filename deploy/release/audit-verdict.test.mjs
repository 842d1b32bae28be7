import { verdict } from './audit-verdict.mjs';

const report = (...found) =>
  JSON.stringify({
    auditReportVersion: 2,
    vulnerabilities: Object.fromEntries(found.map((each) => [each.name, each])),
    metadata: { dependencies: { prod: 300 } },
  });

describe('an audit', () => {
  it('an audit is rejected with a high or critical vulnerability, which it names', () => {
    const found = { name: 'left-pad', severity: 'critical', range: '<1.3.0' };
    expect(verdict(report(found))).toEqual({
      text: '300 packages, 1 with a high or critical vulnerability\nleft-pad <1.3.0: critical',
      isAccepted: false,
      isAudited: true,
    });
  });

  it('an audit without a high or critical vulnerability is accepted', () => {
    expect(verdict(report({ name: 'left-pad', severity: 'moderate', range: '*' })).isAccepted).toBe(true);
  });

  it('an audit reports that a registry does not answer audits', () => {
    const refused = JSON.stringify({ message: '405 Method Not Allowed', error: { summary: '', detail: '' } });
    expect(verdict(refused)).toEqual({
      text: 'Not audited: the registry does not answer audits (405 Method Not Allowed).',
      isAccepted: true,
      isAudited: false,
    });
  });
});
