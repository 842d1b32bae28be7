import { engineTls, type CertificateFiles } from '@parlance/tls';

/** Servers of a cluster, and the credentials that they share. */
export interface Servers {
  servers: string[];
  user?: string;
  pass?: string;
  token?: string;
  /** Present: the client connects with TLS only. */
  tls?: object;
}

/**
 * Parses `NATS_URL`: comma-separated addresses. The client library ignores credentials in addresses, so they are extracted:
 * `user:password@` or `token@`, percent-encoded. The first address with credentials decides. The library ignores the scheme as well: by
 * default it sends credentials in plaintext to a server that offers no TLS.
 * @param tlsFiles for addresses with `tls://`
 */
export function serversOf(url: string, tlsFiles?: CertificateFiles): Servers {
  const addresses = url.split(',').map((address) => {
    // The URL parser's error would show the address, which may hold a password.
    if (!URL.canParse(address.trim()))
      throw new Error('NATS_URL must be addresses such as nats://host:4222, separated by commas');
    return new URL(address.trim());
  });
  const owner = addresses.find(({ username, password }) => username !== '' || password !== '');
  const servers = addresses.map(({ protocol, host }) => `${protocol}//${host}`);
  const secured = addresses.some(({ protocol }) => protocol === 'tls:');
  // The client passes all of these options to `tls.connect`.
  const tls = secured ? { tls: tlsFiles ? { secureContext: engineTls(tlsFiles).secureContext } : {} } : {};
  if (!owner) return { servers, ...tls };
  const user = decodeURIComponent(owner.username);
  if (owner.password === '') return { servers, token: user, ...tls };
  return { servers, user, pass: decodeURIComponent(owner.password), ...tls };
}
