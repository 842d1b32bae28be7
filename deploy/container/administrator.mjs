// Creates the administrator and writes its token to a Secret of the cluster, unless the Secret has one: node administrator.mjs SECRET
// The service account may read and change exactly that Secret.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { argv, env } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';

const ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';
const PAUSE_MS = 2000;
const PATIENCE_MS = 600_000;

/** Sends a request to the Kubernetes API. */
function ask(method, path, body) {
  const options = {
    method,
    path,
    host: env.KUBERNETES_SERVICE_HOST,
    port: env.KUBERNETES_SERVICE_PORT,
    ca: readFileSync(`${ACCOUNT}/ca.crt`),
    headers: {
      authorization: `Bearer ${readFileSync(`${ACCOUNT}/token`, 'utf8')}`,
      'content-type': 'application/merge-patch+json',
    },
  };
  return new Promise((resolve, reject) => {
    const outgoing = request(options, async (answer) => {
      let text = '';
      for await (const chunk of answer.setEncoding('utf8')) text += chunk;
      if (answer.statusCode === 200) resolve(JSON.parse(text));
      else reject(new Error(`${method} ${path}: ${answer.statusCode} ${text}`));
    });
    outgoing.on('error', reject).end(body && JSON.stringify(body));
  });
}

const parlance = (...args) =>
  execFileSync('parlance', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], timeout: 60_000 }).trim();

/** A token of the administrator, who may exist already. */
function createToken() {
  try {
    return parlance('user', 'create', 'admin', '--superuser', '--token');
  } catch (failure) {
    try {
      return parlance('token', 'create', '--user', 'admin');
    } catch {
      throw failure;
    }
  }
}

async function ensureToken(path) {
  const { data } = await ask('GET', path);
  if (data?.token) return 'the Secret has a token already';
  await ask('PATCH', path, { data: { token: Buffer.from(createToken()).toString('base64') } });
  return 'the token of the administrator is in the Secret';
}

const namespace = readFileSync(`${ACCOUNT}/namespace`, 'utf8');
const secret = `/api/v1/namespaces/${namespace}/secrets/${argv[2]}`;
for (const end = Date.now() + PATIENCE_MS; ; await sleep(PAUSE_MS)) {
  try {
    process.stdout.write(`${await ensureToken(secret)}\n`);
    break;
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    if (Date.now() > end) process.exit(1);
  }
}
