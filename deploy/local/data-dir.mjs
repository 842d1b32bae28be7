// A data directory, besides the engines' own files: secrets, the administrator's token, and the running installation.
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export class DataDir {
  constructor(path = process.env.PARLANCE_DATA_DIR || '.data') {
    this.path = resolve(path);
    /** As the user named it, for messages. */
    this.shown = path;
  }

  make() {
    mkdirSync(this.path, { recursive: true, mode: 0o700 });
  }

  file(...names) {
    return join(this.path, ...names);
  }

  /** Writes atomically, readable only by the owner. */
  write(name, text) {
    const temporary = this.file(`.${name}.new`);
    writeFileSync(temporary, text, { mode: 0o600 });
    renameSync(temporary, this.file(name));
  }

  read(name) {
    return existsSync(this.file(name)) ? readFileSync(this.file(name), 'utf8') : undefined;
  }

  /**
   * {service: signs callers between processes; encryption: 32 bytes in base64, for secrets at rest}. The environment takes precedence;
   * missing secrets are generated once and stored.
   */
  secrets() {
    const kept = JSON.parse(this.read('secrets.json') ?? '{}');
    const secrets = {
      service: kept.service ?? randomBytes(32).toString('base64url'),
      encryption: kept.encryption ?? randomBytes(32).toString('base64'),
    };
    if (!kept.service || !kept.encryption) this.write('secrets.json', `${JSON.stringify(secrets)}\n`);
    return {
      service: process.env.PARLANCE_SERVICE_SECRET || secrets.service,
      encryption: process.env.PARLANCE_ENCRYPTION_KEY || secrets.encryption,
    };
  }

  get lock() {
    return this.file('start.lock');
  }
}
