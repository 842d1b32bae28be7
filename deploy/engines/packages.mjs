// Installs Debian packages on machines where that is possible without asking: Debian and Ubuntu, as root.
import { readFileSync } from 'node:fs';
import { run, say, sleep, step } from './process.mjs';

const UPDATE_ATTEMPTS = 4;
/** Mirrors that are being changed answer again after some seconds. */
const UPDATE_PAUSE_MS = 3000;

/** ID and ID_LIKE of /etc/os-release, or none elsewhere. */
function systemNames() {
  try {
    const text = readFileSync('/etc/os-release', 'utf8');
    return [...text.matchAll(/^ID(?:_LIKE)?="?([^"\n]*)"?$/gm)].flatMap((match) => match[1].split(' '));
  } catch {
    return [];
  }
}

/** Whether packages can be installed: Debian or a derivative (Ubuntu), as root. */
export const canInstallPackages = () =>
  process.platform === 'linux' &&
  process.getuid?.() === 0 &&
  systemNames().some((name) => name === 'debian' || name === 'ubuntu');

/** Waits for other users of dpkg, and retries downloads. */
const patient = ['-q', '-o', 'DPkg::Lock::Timeout=300', '-o', 'Acquire::Retries=3'];

/**
 * Fetches the package lists. Returns the error of the last attempt if a list is missing: the lists that did arrive may be enough.
 * @param {(line: string) => void} report
 */
async function updateLists(report, pauseMs) {
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  for (let attempt = 1; ; attempt++) {
    try {
      // Without this option, apt-get succeeds although it could not fetch a list.
      await run('apt-get', ['update', ...patient, '-o', 'APT::Update::Error-Mode=any'], { onLine: report, env });
      return undefined;
    } catch (error) {
      if (attempt === UPDATE_ATTEMPTS) return error;
      say(`  ${error.message}\n  Trying again (${attempt} of ${UPDATE_ATTEMPTS - 1}).`);
      await sleep(pauseMs * attempt);
    }
  }
}

/** Installs Debian packages; fetches the package lists first, because a fresh machine has none. */
export async function installPackages(packages, why, { pauseMs = UPDATE_PAUSE_MS } = {}) {
  await step(`Installing ${packages.join(', ')} (${why})`, async (report) => {
    const missing = await updateLists(report, pauseMs);
    const env = { DEBIAN_FRONTEND: 'noninteractive' };
    try {
      await run('apt-get', ['install', '-y', ...patient, '--no-install-recommends', ...packages], {
        onLine: report,
        env,
      });
    } catch (error) {
      throw missing ? new Error(`${error.message}\nBefore that, ${missing.message}`, { cause: error }) : error;
    }
  });
}
