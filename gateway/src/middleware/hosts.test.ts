import { AllowedHosts, isHostEntry } from './hosts';

const allowed = (hosts: AllowedHosts, host: string | undefined): boolean => {
  try {
    hosts.check(host);
    return true;
  } catch (error) {
    expect(error).toMatchObject({ reason: 'INVALID', problems: [{ attr: 'Host', code: 'invalid' }] });
    return false;
  }
};

describe('AllowedHosts', () => {
  const hosts = new AllowedHosts(['a.example', '.b.example', '[2001:db8::1]'], 'https://Public.example:8443/base');

  it.each([
    'a.example',
    'A.EXAMPLE:8080',
    'a.example.',
    'x.b.example',
    'public.example',
    'public.example:1',
    'localhost:8080',
    'x.localhost',
    '127.0.0.1',
    '127.9.9.9:80',
    '[::1]:8080',
    '[2001:db8::1]:8080',
    undefined,
  ])('the host %s is accepted', (host) => expect(allowed(hosts, host)).toBe(true));

  it.each([
    '',
    'evil.example',
    'b.example.evil',
    'xb.example',
    'a.example/x',
    'a.example@evil.example',
    'a.example:99999999',
    '127.evil.example',
    'localhost.evil.example',
    'a.example evil.example',
    `${'x'.repeat(5000)}`,
  ])('the host %s is rejected', (host) => expect(allowed(hosts, host)).toBe(false));

  it('the entry * accepts every well-formed host', () => {
    expect([allowed(new AllowedHosts(['*']), 'evil.example'), allowed(new AllowedHosts(['*']), 'a/b')]).toEqual([
      true,
      false,
    ]);
  });
});

it('entries of allowed hosts are names, addresses, domains with a leading dot, or *', () => {
  for (const entry of ['*', 'a', 'a.example', '.a.example', '10.0.0.1', '[::1]', 'a_b'])
    expect([entry, isHostEntry(entry)]).toEqual([entry, true]);
  for (const entry of ['', '*.a', 'a:80', 'http://a', 'a/b', '..a', 'a.'])
    expect([entry, isHostEntry(entry)]).toEqual([entry, false]);
});
