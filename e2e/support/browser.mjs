// What a browser does with the pages of the product: it keeps cookies, names its origin with forms, and follows no redirect unasked.
import { exchangeByFetch } from './api.mjs';

const page = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

/** @param {string} base address of the site */
export function makeBrowser(base) {
  /** @type {Map<string, string>} */
  const cookies = new Map();

  /**
   * @param {string} method
   * @param {string} path
   * @param {{ body?: any, headers?: Record<string, string> }} [options] an object as body is sent as JSON
   */
  async function send(method, path, { body, headers = {} } = {}) {
    const raw = body === undefined || body instanceof URLSearchParams || body instanceof FormData;
    const {
      status,
      headers: answered,
      bytes,
    } = await exchangeByFetch(path.startsWith('http') ? path : base + path, {
      method,
      headers: {
        ...page,
        ...(cookies.size > 0 ? { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') } : {}),
        ...(method === 'GET' ? {} : { origin: base }),
        ...(raw ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: raw ? body : JSON.stringify(body),
    });
    const set = answered.getSetCookie();
    for (const cookie of set) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value) cookies.set(name, value);
      else cookies.delete(name);
    }
    return { status, headers: answered, set, text: bytes.toString('utf8') };
  }

  /** Values of the hidden fields of a page's form. @param {string} text @param {string} action end of its address */
  function hiddenFields(text, action) {
    const form = text.split('<form').find((part) => new RegExp(`action="[^"]*${action}(#[^"]*)?"`).test(part)) ?? '';
    const inputs = form.split('</form>')[0].matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g);
    return Object.fromEntries([...inputs].map(([, name, value]) => [name, value.replaceAll('&amp;', '&')]));
  }

  /**
   * Opens a page, fills in its form and sends it.
   * @param {string} path @param {Record<string, string>} fields @param {{ action?: string, headers?: Record<string, string> }} [options]
   */
  async function submit(path, fields, { action = path.split('?')[0], headers } = {}) {
    const { text } = await send('GET', path);
    const body = new URLSearchParams({ ...hiddenFields(text, action), ...fields });
    return send('POST', action, { body, headers });
  }

  /** Signs in with a password. @param {string} username @param {string} password @param {string} [next] */
  const signIn = (username, password, next) =>
    submit(`/accounts/login/${next === undefined ? '' : `?${new URLSearchParams({ next })}`}`, { username, password });

  /** The CSRF token of the session. */
  async function csrfToken() {
    const { text } = await send('GET', '/accounts/profile/');
    return hiddenFields(text, '/accounts/logout/').csrf_token ?? '';
  }

  return { base, cookies, send, submit, signIn, csrfToken, hiddenFields };
}
