import { machineryDefinitions, readSettings, type SettingsTable, type translation as proto } from '@parlance/contracts';
import { fieldErrors, ServiceError } from '@parlance/errors';
import { denied } from '../../access/access';
import type { Call, Reply } from '../../routing/call';
import { ok, type Endpoint } from '../../routing/endpoint';
import { readValues } from '../../bodies/input';
import { machinerySchema, messageSchema } from './schema';
import { autotranslateSchema } from '../translations/schema';

/** Time that a client waits for an automatic translation before it gets the task's address, in milliseconds. */
const WAIT_MS = 25_000;

/** Queries by the filter names of older clients. */
const filters: Readonly<Record<string, string>> = {
  all: '',
  nottranslated: 'state:empty',
  todo: 'state:<translated',
  translated: 'state:>=translated',
  fuzzy: 'state:needs-editing',
  suggestions: 'has:suggestion',
  nosuggestions: 'state:<translated AND NOT has:suggestion',
  comments: 'has:comment',
  allchecks: 'has:check',
  translated_checks: 'has:check AND state:>=translated',
  dismissed_checks: 'has:dismissed-check',
  approved: 'state:approved',
  approved_suggestions: 'state:approved AND has:suggestion',
  unapproved: 'state:translated',
  readonly: 'state:read-only',
  labels: 'has:label',
  unlabeled: 'NOT has:label',
  context: 'has:context',
  variants: 'has:variant',
  screenshots: 'has:screenshot',
  pluralized: 'has:plural',
};

const autotranslateFields = [
  {
    name: 'mode',
    type: 'string',
    required: true,
    choices: ['suggest', 'translate', 'fuzzy', 'approved'],
    doc: 'How texts are applied; approved requires the permission to review.',
  },
  {
    name: 'auto_source',
    type: 'string',
    required: true,
    choices: ['others', 'mt'],
    doc: 'Other components, or the translation memory and machine translation.',
  },
  {
    name: 'q',
    type: 'string',
    shape: 'query',
    maxLength: 5000,
    doc: 'Strings to translate; default: filter_type, otherwise untranslated strings.',
  },
  {
    name: 'filter_type',
    type: 'string',
    default: 'todo',
    maxLength: 200,
    doc: 'Strings to translate, by the filter names of older clients: all, nottranslated, todo, fuzzy, check:ID, label:NAME and others.',
  },
  {
    name: 'component',
    type: 'string',
    nullable: true,
    default: '',
    maxLength: 500,
    doc: 'Component that texts are copied from: its id, slug, or project/slug; empty: all components of the project.',
  },
  {
    name: 'engines',
    type: 'list',
    nullable: true,
    default: [],
    maxItems: 50,
    doc: 'Engines of the project; the translation memory is weblate-translation-memory.',
  },
  {
    name: 'threshold',
    type: 'integer',
    default: 80,
    min: 1,
    max: 100,
    doc: 'Minimum quality, in percent.',
  },
] as const satisfies SettingsTable;

/** The query of an older filter name; undefined for unknown names. */
function queryOf(filter: string): string | undefined {
  const known = Object.hasOwn(filters, filter) ? filters[filter] : undefined;
  if (known !== undefined) return known;
  const [, kind, name] = /^(check|label):(.{1,190})$/.exec(filter) ?? [];
  if (kind === 'check' && /^\w+$/.test(name!)) return `check:${name}`;
  if (kind === 'label' && !/["\\]/.test(name!)) return `label:"${name}"`;
  return undefined;
}

async function autotranslate(call: Call): Promise<Reply> {
  if (call.translation.isSource) throw denied(call, 'Source strings cannot be translated automatically.');
  if (call.component.component.locked) throw new ServiceError('LOCKED');
  const { values, problems } = await readValues(call, autotranslateFields, 'create');
  const filter = String(values['filter_type']);
  const filtered = queryOf(filter);
  const query = values['q'] === undefined ? filtered : String(values['q']);
  if (filtered === undefined && !problems.some(({ attr }) => attr === 'filter_type'))
    problems.push({ attr: 'filter_type', code: 'invalid_choice', detail: `The filter "${filter}" does not exist.` });
  call.problems.push(...problems);
  const answer = await call.clients.translation.autotranslate(
    {
      translationId: call.translation.id,
      mode: String(values['mode'] ?? ''),
      q: query ?? '',
      autoSource: String(values['auto_source'] ?? ''),
      component: String(values['component'] ?? ''),
      engines: [...((values['engines'] ?? []) as readonly string[])],
      threshold: Number(values['threshold'] ?? 0),
      waitMs: WAIT_MS,
    },
    { ...call.options, timeoutMs: WAIT_MS + 30_000 },
  );
  return ok({ details: answer.details, task_url: call.links.api(`tasks/${answer.taskId}/`) });
}

const serviceFields = [
  { name: 'service', type: 'string', required: true, filled: true, maxLength: 100, doc: 'Id of the engine.' },
  {
    name: 'configuration',
    type: 'object',
    nullable: true,
    doc: 'Settings of the engine. ******** keeps the stored secret unless its destination address changes.',
  },
] as const satisfies SettingsTable;

/** The engine named by the body. */
async function givenService(call: Call): Promise<proto.MachineryService> {
  const { service, configuration } = (await call.body()).values;
  const given = { service, ...(isNothing(configuration) ? {} : { configuration }) };
  const { values, problems } = readSettings(serviceFields, given, 'create');
  if (problems.length > 0) throw fieldErrors(problems);
  return {
    service: String(values['service']),
    configurationJson: values['configuration'] === undefined ? '' : JSON.stringify(values['configuration']),
  };
}

/** Settings of all engines by id. */
const allServices: SettingsTable = machineryDefinitions.map(({ id, name }) => ({
  name: id,
  type: 'object',
  doc: `Settings of ${name}.`,
}));

const isNothing = (value: unknown): boolean => value === undefined || value === null || value === '';

async function change(
  call: Call,
  kind: 'MACHINERY_CHANGE_ADD' | 'MACHINERY_CHANGE_SET' | 'MACHINERY_CHANGE_REPLACE',
  services: proto.MachineryService[],
): Promise<string[]> {
  const answer = await call.clients.translation.changeMachinerySettings(
    { projectId: call.project.id, change: kind, services },
    { ...call.options, timeoutMs: 120_000 },
  );
  return answer.names;
}

const SETTINGS = '/api/projects/:project/machinery_settings/';

export const autotranslateEndpoints: Endpoint[] = [
  {
    method: 'POST',
    path: '/api/translations/:project/:component/:language/autotranslate/',
    response: autotranslateSchema,
    access: { any: ['translation.auto'] },
    named: [{ field: 'component', needs: 'sight' }],
    doc: 'Translates strings from other components, the memory and machine translation; continues as a task if it takes longer.',
    body: { fields: autotranslateFields },
    handle: autotranslate,
  },
  {
    method: 'GET',
    path: SETTINGS,
    response: machinerySchema,
    access: { any: ['project.edit'] },
    doc: "Shows the settings of a project's machine translation engines with masked secrets.",
    async handle(call) {
      const { services } = await call.clients.translation.getMachinerySettings(
        { projectId: call.project.id },
        call.options,
      );
      return ok(Object.fromEntries(services.map((s) => [s.service, JSON.parse(s.configurationJson) as unknown])));
    },
  },
  {
    method: 'POST',
    path: SETTINGS,
    response: messageSchema,
    access: { any: ['project.edit'] },
    doc: 'Adds a machine translation engine to a project after a test request.',
    body: { fields: serviceFields },
    async handle(call) {
      const given = await givenService(call);
      const [name] = await change(call, 'MACHINERY_CHANGE_ADD', [given]);
      return { status: 201, data: { message: `Service installed: ${name}` } };
    },
  },
  {
    method: 'PATCH',
    path: SETTINGS,
    response: messageSchema,
    access: { any: ['project.edit'] },
    doc: 'Changes a machine translation engine of a project; an empty configuration removes it.',
    body: { fields: serviceFields },
    async handle(call) {
      const given = await givenService(call);
      const [name] = await change(call, 'MACHINERY_CHANGE_SET', [given]);
      return ok({ message: `Service ${given.configurationJson === '' ? 'removed' : 'updated'}: ${name}` });
    },
  },
  {
    method: 'PUT',
    path: SETTINGS,
    response: messageSchema,
    access: { any: ['project.edit'] },
    doc: 'Replaces the settings of all machine translation engines of a project.',
    body: { fields: allServices },
    async handle(call) {
      const { values } = await call.body();
      const { problems } = readSettings(allServices, values, 'update');
      if (problems.length > 0) throw fieldErrors(problems);
      const services = Object.entries(values).map(([service, configuration]) => ({
        service,
        configurationJson: typeof configuration === 'string' ? configuration : JSON.stringify(configuration),
      }));
      const names = await change(call, 'MACHINERY_CHANGE_REPLACE', services);
      return { status: 201, data: { message: `Services installed: ${names.join(', ')}` } };
    },
  },
];
