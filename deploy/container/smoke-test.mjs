// Whether an installation works, seen from a client: node smoke-test.mjs URL. PARLANCE_TOKEN is optional. Prints what it asked; exits with 1 at a failure.
import { argv, env } from 'node:process';

const base = argv[2];
const token = env.PARLANCE_TOKEN;
/** @type {Record<string, string>} */
const authorization = token ? { authorization: `Token ${token}` } : {};
let failed = false;

async function expect(path, status, headers = {}) {
  const answer = await fetch(`${base}${path}`, { headers, signal: AbortSignal.timeout(10_000) }).then(
    ({ status: actual }) => actual,
    (error) => error.cause?.code ?? error.message,
  );
  if (answer !== status) failed = true;
  process.stdout.write(`GET ${path}: ${answer}${answer === status ? '' : `, expected ${status}`}\n`);
}

await expect('/healthz', 200);
await expect('/readyz', 200);
await expect('/api/', 200);
// Languages come from the catalog, the numbers of the site from statistics: through gRPC, with the databases behind them.
await expect('/api/languages/?page_size=1', 200);
await expect('/api/metrics/', token ? 200 : 401, authorization);
await expect('/api/users/', 200, authorization);
await expect('/api/projects/', 401, { authorization: 'Token wlu_not-a-token' });
process.exitCode = failed ? 1 : 0;
