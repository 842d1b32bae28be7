// Degraded modes: how each kind of request is answered while one part of the system is away. e2e/tests/installations/degraded-modes.e2e.ts takes the
// parts away and compares; docs/degraded-modes.md is generated from it.

/** The requests of the table, by column. */
export const requests = {
  project: 'Read a project',
  unit: 'Read a string',
  search: 'Search strings',
  statistics: 'Read statistics',
  edit: 'Edit a string',
  file: 'Download a file',
  commit: 'Commit to git',
  clone: 'Clone over HTTP',
  hook: 'Hook of a git host',
  image: 'Read a screenshot',
  upload: 'Upload a screenshot',
  user: 'Read a user',
  newcomer: 'First request with a token',
};

/** Answers of all requests. @param {Record<string, string>} others those that differ from `usual` */
const answers = (usual, others = {}) => ({
  ...Object.fromEntries(Object.keys(requests).map((request) => [request, usual])),
  ...others,
});

const OK = 'works';
/** No response, or 503 of a proxy. */
export const NO_ANSWER = 'no answer';
/** HTTP 503 with `Retry-After: 5`. */
const UNAVAILABLE = '503';
/** The same, or 504 if the request has used its time up: several calls in a row looked for the engine or process. */
const LATE = '503 or 504';

/**
 * The parts. `kind`: engines are stopped, processes killed with all their replicas.
 * @type {Record<string, {kind: 'engine' | 'process', title: string, answers: Record<string, string>}>}
 */
export const parts = {
  mongo: { kind: 'engine', title: 'MongoDB', answers: answers(LATE, { project: OK, statistics: OK }) },
  nats: { kind: 'engine', title: 'NATS', answers: answers(OK) },
  redis: { kind: 'engine', title: 'Redis', answers: answers(OK) },
  minio: { kind: 'engine', title: 'S3 (MinIO)', answers: answers(OK, { image: UNAVAILABLE, upload: UNAVAILABLE }) },
  identity: {
    kind: 'process',
    title: 'identity',
    answers: answers(OK, { user: UNAVAILABLE, newcomer: UNAVAILABLE, commit: UNAVAILABLE }),
  },
  catalog: {
    kind: 'process',
    title: 'catalog',
    answers: answers(OK, { commit: LATE, clone: UNAVAILABLE, hook: UNAVAILABLE, upload: UNAVAILABLE }),
  },
  translation: {
    kind: 'process',
    title: 'translation',
    answers: answers(UNAVAILABLE, {
      project: OK,
      statistics: OK,
      clone: OK,
      hook: OK,
      image: OK,
      user: OK,
      newcomer: OK,
    }),
  },
  'vcs-worker': {
    kind: 'process',
    title: 'vcs-worker',
    answers: answers(OK, { file: UNAVAILABLE, commit: UNAVAILABLE, clone: UNAVAILABLE }),
  },
  media: { kind: 'process', title: 'media', answers: answers(OK, { image: UNAVAILABLE, upload: UNAVAILABLE }) },
  statistics: { kind: 'process', title: 'statistics', answers: answers(OK, { statistics: UNAVAILABLE }) },
  hooks: { kind: 'process', title: 'hooks', answers: answers(OK, { hook: UNAVAILABLE }) },
  gateway: { kind: 'process', title: 'gateway', answers: answers(NO_ANSWER) },
};

/** The table as Markdown. */
export function degradedTable() {
  const columns = Object.entries(parts);
  const row = (cells) => `| ${cells.join(' | ')} |`;
  return [
    row(['Request', ...columns.map(([, { title }]) => title)]),
    row(['---', ...columns.map(() => '---')]),
    ...Object.entries(requests).map(([request, title]) =>
      row([title, ...columns.map(([, part]) => part.answers[request])]),
    ),
  ].join('\n');
}
