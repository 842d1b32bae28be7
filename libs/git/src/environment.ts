import { devNull } from 'node:os';

/** Variables of the operator that git needs to reach hosts; everything else of the process's environment stays outside. */
const passedOn = [
  'PATH',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'CURL_CA_BUNDLE',
  'HTTPS_PROXY',
  'https_proxy',
  'http_proxy',
  'ALL_PROXY',
  'all_proxy',
  'NO_PROXY',
  'no_proxy',
  'SYSTEMROOT',
];

/**
 * Checks of objects that repositories made by honest but old programs fail. Everything else that git finds wrong with objects
 * refuses the repository.
 */
const forgivenObjects = [
  'zeroPaddedFilemode',
  'badTimezone',
  'missingSpaceBeforeDate',
  'missingSpaceBeforeEmail',
  'badDateOverflow',
  'missingEmail',
  'missingNameBeforeEmail',
  'gitmodulesParse',
];

/**
 * Settings that hold for every command. They come with the highest precedence git knows, so nothing that lies in a repository
 * overrules them.
 */
const settings: readonly (readonly [string, string])[] = [
  // Nothing that comes with a repository is run.
  ['core.hooksPath', devNull],
  ['core.fsmonitor', 'false'],
  ['core.symlinks', 'false'],
  ['core.attributesFile', devNull],
  ['core.excludesFile', devNull],
  ['core.autocrlf', 'false'],
  ['core.protectHFS', 'true'],
  ['core.protectNTFS', 'true'],
  ['core.quotePath', 'false'],
  ['filter.lfs.process', ''],
  ['filter.lfs.smudge', ''],
  ['filter.lfs.clean', ''],
  ['filter.lfs.required', 'false'],
  ['submodule.recurse', 'false'],
  ['fetch.recurseSubmodules', 'false'],
  ['push.recurseSubmodules', 'no'],
  ['commit.gpgSign', 'false'],
  ['tag.gpgSign', 'false'],
  ['push.gpgSign', 'false'],
  // Only the protocol of the address at hand is opened, by GIT_ALLOW_PROTOCOL.
  ['protocol.allow', 'never'],
  ['protocol.ext.allow', 'never'],
  ['transfer.bundleURI', 'false'],
  ['transfer.fsckObjects', 'true'],
  ...forgivenObjects.map((check) => [`fetch.fsck.${check}`, 'ignore'] as const),
  ['credential.helper', ''],
  ['http.followRedirects', 'false'],
  ['http.lowSpeedLimit', '1000'],
  ['http.lowSpeedTime', '60'],
  // Housekeeping runs when it is asked for, not beside other commands.
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['fetch.writeCommitGraph', 'false'],
  // The folder belongs to the process, whoever owns the volume it lies on.
  ['safe.directory', '*'],
];

/** What a single command adds to the fixed environment. */
export interface EnvironmentAddition {
  /** Repository that the command works on. */
  gitDir?: string;
  /** Further settings, for instance the remote's address. They come from the environment so that no process list shows them. */
  settings?: readonly (readonly [string, string])[];
  /** Protocol that may be used; absent: none. */
  protocol?: string;
  /** Complete command for ssh. */
  sshCommand?: string;
  /** Host name that a git:// server is told, where the address names a number. */
  virtualHost?: string;
  /** Folder of the objects, where they are not the repository's own. */
  objectDir?: string;
  /** What a client that is served asked for in the header Git-Protocol. */
  gitProtocol?: string;
}

/** The whole environment of a git command. */
export function gitEnvironment(home: string, addition: EnvironmentAddition): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const name of passedOn) {
    const value = process.env[name];
    if (value !== undefined) environment[name] = value;
  }
  const all = [...settings, ...(addition.settings ?? [])];
  all.forEach(([key, value], index) => {
    environment[`GIT_CONFIG_KEY_${index}`] = key;
    environment[`GIT_CONFIG_VALUE_${index}`] = value;
  });
  return {
    ...environment,
    HOME: home,
    XDG_CONFIG_HOME: home,
    LC_ALL: 'C.UTF-8',
    TZ: 'UTC',
    GIT_CONFIG_COUNT: String(all.length),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_SYSTEM: devNull,
    GIT_CONFIG_GLOBAL: devNull,
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_ALLOW_PROTOCOL: addition.protocol ?? 'none',
    ...(addition.gitDir === undefined ? {} : { GIT_DIR: addition.gitDir }),
    ...(addition.sshCommand === undefined ? {} : { GIT_SSH_COMMAND: addition.sshCommand, GIT_SSH_VARIANT: 'ssh' }),
    ...(addition.virtualHost === undefined ? {} : { GIT_OVERRIDE_VIRTUAL_HOST: addition.virtualHost }),
    ...(addition.objectDir === undefined ? {} : { GIT_OBJECT_DIRECTORY: addition.objectDir }),
    ...(addition.gitProtocol === undefined ? {} : { GIT_PROTOCOL: addition.gitProtocol }),
  };
}
