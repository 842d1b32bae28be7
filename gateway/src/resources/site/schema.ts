import { z } from 'zod';
import { anyObject, apiUrl, count, flag, id, text, time } from '../../responses/schema';

export const rootSchema = z.record(z.string(), apiUrl('projects/'));

export const changeSchema = z
  .strictObject({
    unit: apiUrl('units/1/').nullable(),
    component: apiUrl('components/app/web/').nullable(),
    translation: apiUrl('translations/app/web/cs/').nullable(),
    user: apiUrl('users/ann/').nullable(),
    author: apiUrl('users/ann/').nullable(),
    timestamp: time.nullable(),
    action: id,
    target: text,
    old: text,
    details: anyObject,
    id,
    action_name: text,
    url: apiUrl('changes/1/'),
  })
  .meta({ id: 'Change' });

export const taskSchema = z
  .strictObject({ completed: flag, progress: count, result: z.unknown(), log: text })
  .meta({ id: 'Task' });

export const metricsSchema = z
  .strictObject({
    units: count,
    units_translated: count,
    users: count,
    changes: count,
    projects: count,
    components: count,
    translations: count,
    languages: count,
    checks: count,
    configuration_errors: count,
    suggestions: count,
    celery_queues: z.record(z.string(), count),
    name: text,
  })
  .meta({ id: 'Metrics' });

export const openApiSchema = anyObject;
