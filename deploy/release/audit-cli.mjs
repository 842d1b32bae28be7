// npm run audit: fails on high and critical vulnerabilities of the packages that run in production.
import { audit } from './audit.mjs';

const { text, isAccepted } = audit();
process.stdout.write(`${text}\n`);
process.exitCode = isAccepted ? 0 : 1;
