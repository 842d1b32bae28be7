// An OpenID Connect provider for tests: the certified `oidc-provider`, with a person to sign in as instead of a login form.
// Usage: node oidc-provider.mjs <port> <redirect uri> <client secret>. PUT / sets the claims of the person who uses the browser next.
import { once } from 'node:events';
import { createServer } from 'node:http';
import Provider from 'oidc-provider';

const [port, redirectUri, clientSecret] = process.argv.slice(2);
const issuer = `http://127.0.0.1:${port}`;
/** Claims by subject. @type {Map<string, Record<string, unknown> & { sub: string }>} */
const people = new Map();
let current = '';

const provider = new Provider(issuer, {
  clients: [
    {
      client_id: 'parlance',
      client_secret: clientSecret,
      redirect_uris: [redirectUri],
      response_types: ['code'],
      grant_types: ['authorization_code'],
    },
  ],
  claims: { openid: ['sub'], profile: ['name', 'preferred_username', 'groups'], email: ['email', 'email_verified'] },
  pkce: { required: () => true },
  features: { devInteractions: { enabled: false } },
  interactions: { url: (_, { uid }) => `/interaction/${uid}` },
  findAccount: (_, sub) => ({ accountId: sub, claims: () => people.get(sub) ?? { sub } }),
  async loadExistingGrant({ oidc }) {
    const grant = new provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
    grant.addOIDCScope('openid profile email');
    await grant.save();
    return grant;
  },
});
const respond = provider.callback();

const server = createServer(async (request, response) => {
  if (request.method === 'PUT') {
    let body = '';
    for await (const chunk of request) body += chunk;
    const claims = JSON.parse(body);
    people.set(claims.sub, claims);
    current = claims.sub;
    response.end();
  } else if (request.url?.startsWith('/interaction/')) {
    await provider.interactionFinished(request, response, { login: { accountId: current } });
  } else await respond(request, response);
});
server.listen(Number(port), '127.0.0.1');
await once(server, 'listening');
console.log('ready');
