// A client of the API that authenticates as a browser does: with the cookie of a session and, for unsafe methods, its CSRF token.
import { makeApi } from '../api.mjs';
import { makeBrowser } from '../browser.mjs';
import { checkedExchange } from '../checked-exchange.mjs';

/** @param {string} base address of the site @param {{ username: string, password: string }} user */
export async function signedInClient(base, { username, password }) {
  const browser = makeBrowser(base);
  const { status } = await browser.signIn(username, password);
  if (status !== 303) throw new Error(`${username} could not sign in: ${status}`);
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const proof = { cookie, origin: base, 'x-csrf-token': await browser.csrfToken() };
  return makeApi(base, '', (address, request) =>
    checkedExchange(address, { ...request, headers: { ...request.headers, ...proof } }),
  );
}
