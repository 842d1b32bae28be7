import { devNull } from 'node:os';

/** Environment variables of the process that git inherits. It inherits no others. */
const inherited = [
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
 * fsck checks that harmless repositories of old programs fail. A repository that fails another check is refused.
 */
const ignoredFsckChecks = [
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
 * Settings of every command. They are passed with the highest precedence, so no setting of a repository overrides them.
 */
const settings: readonly (readonly [string, string])[] = [
  // No code of a repository is executed.
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
  // GIT_ALLOW_PROTOCOL enables only the protocol of the address.
  ['protocol.allow', 'never'],
  ['protocol.ext.allow', 'never'],
  ['transfer.bundleURI', 'false'],
  ['transfer.fsckObjects', 'true'],
  ...ignoredFsckChecks.map((check) => [`fetch.fsck.${check}`, 'ignore'] as const),
  ['credential.helper', ''],
  ['http.followRedirects', 'false'],
  ['http.lowSpeedLimit', '1000'],
  ['http.lowSpeedTime', '60'],
  // Housekeeping runs on request only, not beside other commands.
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['fetch.writeCommitGraph', 'false'],
  // The process owns the folder, even if another user owns the volume.
  ['safe.directory', '*'],
];

/** Additions of a command to the fixed environment. */
export interface EnvironmentAddition {
  /** Repository of the command. */
  gitDir?: string;
  /** Further settings, for instance the remote's address. The environment hides them from process lists. */
  settings?: readonly (readonly [string, string])[];
  /** Allowed protocol; absent: none. */
  protocol?: string;
  /** Complete ssh command. */
  sshCommand?: string;
  /** Host name for a git:// server if the address holds an IP address. */
  virtualHost?: string;
  /** Folder of the objects, if it is not the repository's own. */
  objectDir?: string;
  /** `Git-Protocol` header of the served client. */
  gitProtocol?: string;
}

/** The whole environment of a git command. */
export function gitEnvironment(home: string, addition: EnvironmentAddition): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const name of inherited) {
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
