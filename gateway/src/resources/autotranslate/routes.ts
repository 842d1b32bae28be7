import { field, machineryDefinitions, readRequest, type translation as proto } from '@parlance/contracts';
import { fieldErrors, ServiceError } from '@parlance/errors';
import { denied } from '../../access/access';
import type { Call, Reply } from '../../routing/call';
import { ok, type Endpoint } from '../../routing/endpoint';
import { readValues } from '../../bodies/input';
import { machinerySchema, messageSchema } from './schema';
import { autotranslateSchema } from '../translations/schema';
import { z } from 'zod';

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

const autotranslateFields = z.object({
  mode: field.choice('How texts are applied; approved requires the permission to review.', [
    'suggest',
    'translate',
    'fuzzy',
    'approved',
  ]),
  auto_source: field.choice('Other components, or the translation memory and machine translation.', ['others', 'mt']),
  q: field
    .line('Strings to translate; default: filter_type, otherwise untranslated strings.', {
      maxLength: 5000,
      shape: 'query',
    })
    .optional(),
  filter_type: field
    .line(
      'Strings to translate, by the filter names of older clients: all, nottranslated, todo, fuzzy, check:ID, label:NAME and others.',
      { maxLength: 200 },
    )
    .default('todo'),
  component: field
    .line(
      'Component that texts are copied from: its id, slug, or project/slug; empty: all components of the project.',
      { maxLength: 500 },
    )
    .nullable()
    .default(''),
  engines: field
    .list('Engines of the project; the translation memory is weblate-translation-memory.', { maxItems: 50 })
    .nullable()
    .default([]),
  threshold: field.integer('Minimum quality, in percent.', { min: 1, max: 100 }).default(80),
});

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
  const { filter_type: filter = '' } = values;
  const filtered = queryOf(filter);
  const query = values.q ?? filtered;
  if (filtered === undefined && !problems.some(({ attr }) => attr === 'filter_type'))
    problems.push({ attr: 'filter_type', code: 'invalid_choice', detail: `The filter "${filter}" does not exist.` });
  call.problems.push(...problems);
  const answer = await call.clients.translation.autotranslate(
    {
      translationId: call.translation.id,
      mode: values.mode ?? '',
      q: query ?? '',
      autoSource: values.auto_source ?? '',
      component: values.component ?? '',
      engines: values.engines ?? [],
      threshold: values.threshold ?? 0,
      waitMs: WAIT_MS,
    },
    { ...call.options, timeoutMs: WAIT_MS + 30_000 },
  );
  return ok({ details: answer.details, task_url: call.links.api(`tasks/${answer.taskId}/`) });
}

const serviceFields = z.object({
  service: field.line('Id of the engine.', { filled: true, maxLength: 100 }),
  configuration: field
    .object('Settings of the engine. ******** keeps the stored secret unless its destination address changes.')
    .nullable()
    .optional(),
});

/** The engine named by the body. */
async function givenService(call: Call): Promise<proto.MachineryService> {
  const { service, configuration } = (await call.body()).values;
  const given = { service, ...(isNothing(configuration) ? {} : { configuration }) };
  const { values, problems } = readRequest(serviceFields, given, 'create');
  if (problems.length > 0) throw fieldErrors(problems);
  return {
    service: values.service!,
    configurationJson: values.configuration === undefined ? '' : JSON.stringify(values.configuration),
  };
}

/** Settings of all engines by id. */
const allServices = z.object(
  Object.fromEntries(machineryDefinitions.map(({ id, name }) => [id, field.object(`Settings of ${name}.`).optional()])),
);

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
    shows: 'project',
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
    success: [201],
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
    success: [201],
    response: messageSchema,
    access: { any: ['project.edit'] },
    doc: 'Replaces the settings of all machine translation engines of a project.',
    body: { fields: allServices },
    async handle(call) {
      const { values } = await call.body();
      const { problems } = readRequest(allServices, values, 'update');
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
