import { matchesChange, subscriptionProblems, type Subscription } from './subscription';

describe('subscriptionProblems', () => {
  const attrs = (given: Parameters<typeof subscriptionProblems>[0]) => subscriptionProblems(given).map((p) => p.attr);

  it('all invalid fields of a subscription are reported together', () => {
    expect(attrs({ url: 'https://example.com/x', events: [2, 5], secret: 'anything' })).toEqual([]);
    expect(attrs({ url: 'ftp://example.com', events: [2, -1, 1.5], secret: 'x'.repeat(256) })).toEqual([
      'webhook_url',
      'events.1',
      'events.2',
      'secret',
    ]);
    for (const url of [
      '',
      'x',
      'javascript:alert(1)',
      'https://user:pw@example.com',
      `https://example.com/${'x'.repeat(2000)}`,
    ])
      expect(attrs({ url })).toEqual(['webhook_url']);
    expect(attrs({ secret: 'whsec_YQ==' })).toEqual(['secret']);
    expect(attrs({ events: new Array(201).fill(1) })).toEqual(['events']);
  });

  it('fields at their limits are valid, and missing fields are not checked', () => {
    const url = `https://example.com/${'x'.repeat(1980)}`;
    const secret = `whsec_${Buffer.alloc(16).toString('base64')}`;
    expect(attrs({ url, secret, events: new Array(200).fill(999) })).toEqual([]);
    expect(attrs({ secret: 'x'.repeat(255) })).toEqual([]);
    expect(attrs({ secret: '' })).toEqual([]);
    expect(attrs({})).toEqual([]);
  });

  it('a host that the installation refuses is a problem, whatever the port and path are', () => {
    const isRefused = (host: string) => host === '10.0.0.1';
    const codes = (url: string) => subscriptionProblems({ url }, isRefused).map(({ attr, code }) => [attr, code]);
    expect(codes('http://10.0.0.1:8080/hook')).toEqual([['webhook_url', 'invalid']]);
    expect(codes('http://10.0.0.2/10.0.0.1')).toEqual([]);
  });
});

describe('matchesChange', () => {
  it('a subscription selects by project, component and action', () => {
    const subscription = { enabled: true, projectId: 1, componentId: 2, events: [5] } as unknown as Subscription;
    const change = { projectId: 1, componentId: 2, action: 5 };
    expect(matchesChange(subscription, change)).toBe(true);
    for (const other of [{ projectId: 9 }, { componentId: 9 }, { action: 9 }])
      expect(matchesChange(subscription, { ...change, ...other })).toBe(false);
    expect(matchesChange({ ...subscription, enabled: false }, change)).toBe(false);
    expect(
      matchesChange(
        { ...subscription, projectId: 0, componentId: 0, events: [] },
        { projectId: 7, componentId: 8, action: 9 },
      ),
    ).toBe(true);
  });
});
