import { Command } from 'commander';
import { readFile } from 'node:fs/promises';
import { createBackup } from '../backup/create';
import type { BackupDeps } from '../backup/deps';
import type { Manifest } from '../backup/manifest';
import { StoredBackup } from '../backup/read';
import { restoreBackup } from '../backup/restore';
import { restoreProject } from '../backup/restore-project';
import { targetOf } from '../backup/target';
import type { Session } from '../session';
import { seconds } from '../table';
import { readVersion } from '../version';

interface Options {
  project?: string;
  passphraseFile?: string;
  wait?: number;
  json?: boolean;
}

/** JSON form of a backup. */
const toJson = (manifest: Manifest, bytes: number) => ({
  id: manifest.id,
  version: manifest.version,
  started: manifest.started,
  finished: manifest.finished,
  read_only_seconds: manifest.read_only.milliseconds / 1000,
  encrypted: manifest.encryption !== null,
  documents: Object.values(manifest.services)
    .flatMap(({ collections, objects }) => [...Object.values(collections), ...(objects ? [objects] : [])])
    .reduce((sum, { documents }) => sum + documents, 0),
  bytes,
});

const bytesOf = (manifest: Manifest): number =>
  Object.values(manifest.services)
    .flatMap(({ collections, objects }) => [...Object.values(collections), ...(objects ? [objects] : [])])
    .flatMap(({ files, dropped }) => [...files, ...(dropped ? [dropped] : [])])
    .reduce((sum, { size }) => sum + size, 0);

const toText = (value: ReturnType<typeof toJson>): string =>
  `${value.documents} documents in ${(value.bytes / 1024 / 1024).toFixed(1)} MiB, as of ${value.finished}, version ${value.version}.`;

/** Commands that copy all data of the installation. */
export function backupCommand(session: Session): Command {
  return new Command('backup')
    .description('Creates, verifies and restores backups of all data.')
    .addCommand(createCommand(session))
    .addCommand(verifyCommand(session))
    .addCommand(restoreCommand(session));
}

function createCommand(session: Session): Command {
  return withPassphrase(new Command('create'))
    .argument('<target>', 'a new folder, or s3://bucket/prefix')
    .description(
      'Copies all data while the installation is in use. For the last changes, it is read-only: for seconds if it is small, for minutes with a million strings.',
    )
    .option('--wait <seconds>', 'how long to wait for running tasks, before and in the read-only time', seconds, 300)
    .addHelpText(
      'after',
      '\nExample:\n  parlance backup create /backups/2026-05-01 --passphrase-file /etc/parlance/key' +
        '\n  parlance backup create s3://backups/2026-05-01    # in the store of BACKUP_S3_ENDPOINT, with BACKUP_S3_ACCESS_KEY and _SECRET_KEY',
    )
    .action(async (location: string, options: Options) => {
      const passphrase = await passphraseOf(options);
      const manifest = await withDeps(session, (deps) =>
        createBackup(deps, targetOf(location, session.environment.variables), {
          passphrase,
          quietWithinMs: options.wait! * 1000,
          version: readVersion(),
        }),
      );
      session.print(toJson(manifest, bytesOf(manifest)), options, toText);
    });
}

function verifyCommand(session: Session): Command {
  return withPassphrase(new Command('verify'))
    .argument('<source>', 'its folder, or s3://bucket/prefix')
    .description('Reads all of a backup and checks that it is complete and unchanged. Needs no running system.')
    .action(async (location: string, options: Options) => {
      const backup = await StoredBackup.open(
        targetOf(location, session.environment.variables),
        await passphraseOf(options),
      );
      await backup.verify();
      session.print(toJson(backup.manifest, bytesOf(backup.manifest)), options, toText);
    });
}

function restoreCommand(session: Session): Command {
  return withPassphrase(new Command('restore'))
    .argument('<source>', 'its folder, or s3://bucket/prefix')
    .description(
      'Loads a backup into a new installation, which stays read-only until maintenance mode is switched off, or one deleted project into an installation in use.',
    )
    .option('--project <slug>', 'restore only this project, into an installation that no longer has it')
    .option('--wait <seconds>', 'with --project: how long to wait for the end of its deletion', seconds, 300)
    .addHelpText(
      'after',
      '\nThen restart all processes, look at the installation, and run:\n  parlance maintenance off' +
        '\n\nWith --project no process is restarted, and the project is hidden until it is complete. After a failure, run the command again.' +
        '\n  parlance backup restore /backups/2026-05-01 --project website',
    )
    .action(async (location: string, options: Options) => {
      const backup = await StoredBackup.open(
        targetOf(location, session.environment.variables),
        await passphraseOf(options),
      );
      session.environment.err('Checking the backup ...\n');
      await backup.verify();
      if (options.project !== undefined) return restoreOne(session, backup, options.project, options);
      try {
        await withDeps(session, (deps) => restoreBackup(deps, backup));
      } catch (error) {
        const again = 'If the loading had begun, the installation is read-only; restore again to continue.';
        session.environment.err(`Nothing is complete. ${again}\n`);
        throw error;
      }
      session.print(toJson(backup.manifest, bytesOf(backup.manifest)), options, (value) =>
        [
          `Restored: ${toText(value)}`,
          'Restart all processes now. Then look at the installation, and run "parlance maintenance off".',
        ].join('\n'),
      );
    });
}

async function restoreOne(session: Session, backup: StoredBackup, slug: string, options: Options): Promise<void> {
  const restored = await withDeps(session, (deps) => restoreProject(deps, backup, slug, options.wait! * 1000));
  session.print(
    { project: slug, as_of: backup.manifest.finished, ...restored },
    options,
    ({ documents, images }) =>
      `The project ${slug} is restored as of ${backup.manifest.finished}: ${documents} documents, ${images} images.`,
  );
}

const withPassphrase = (command: Command): Command =>
  command
    .option('--passphrase-file <file>', 'file whose first line is the passphrase of the backup')
    .option('--json', 'print JSON');

async function passphraseOf({ passphraseFile }: Options): Promise<string | undefined> {
  if (passphraseFile === undefined) return undefined;
  const [passphrase = ''] = (await readFile(passphraseFile, 'utf8')).split(/\r?\n/, 1);
  if (passphrase === '') throw new Error(`${passphraseFile}: the first line is empty.`);
  return passphrase;
}

/** Runs work that Ctrl-C ends in an orderly way: maintenance mode is switched off and incomplete files are deleted. */
async function withDeps<T>(session: Session, work: (deps: BackupDeps) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const onSignal = () => stop.abort(new Error('Stopped.'));
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  const events = await session.environment.connectEvents();
  try {
    return await work({
      system: session.system,
      events,
      report: (line) => session.environment.err(`${line}\n`),
      signal: stop.signal,
    });
  } finally {
    await events.close();
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  }
}
