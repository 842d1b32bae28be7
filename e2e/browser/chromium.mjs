// Finds Chromium for the tests in a browser, or installs it on Debian.
import { canInstallPackages, installPackages } from '../../deploy/engines/packages.mjs';
import { attempt, onPath, run } from '../../deploy/engines/process.mjs';

const SETTING = 'PARLANCE_E2E_CHROMIUM';
const programs = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const HELP = `Install Chromium or Chrome, or set ${SETTING} to the path of its executable.`;

/** The first program that starts; the one named chromium-browser is only a note to install a snap on some systems. */
async function installed() {
  for (const program of programs)
    if ((await onPath(program)) && (await attempt(program, ['--version'], { timeout: 30_000 })))
      return run('sh', ['-c', `command -v ${program}`]);
  return undefined;
}

/**
 * The path of an executable. Throws an Error with instructions if there is none and none can be installed.
 * @returns {Promise<string>}
 */
export async function provideChromium() {
  const given = process.env[SETTING];
  if (given) {
    const complaint = await run(given, ['--version'], { timeout: 30_000 }).then(
      () => '',
      (error) => error.message,
    );
    if (complaint) throw new Error(`${SETTING} is ${JSON.stringify(given)}, which does not start. ${complaint}`);
    return given;
  }
  const found = await installed();
  if (found) return found;
  if (!canInstallPackages()) throw new Error(`The tests in a browser need Chromium, and there is none here. ${HELP}`);
  await installPackages(['chromium', 'fonts-dejavu-core'], 'runs the tests in a browser').catch((error) => {
    throw new Error(`${error.message}\n${HELP}`, { cause: error });
  });
  const fresh = await installed();
  if (!fresh) throw new Error(`The package chromium of this system has no program that starts. ${HELP}`);
  return fresh;
}
