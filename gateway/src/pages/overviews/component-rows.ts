import type { Call } from '../../routing/call';
import { loadCounters } from '../../resources/shared';
import { presentStatistics } from '../../resources/statistics/present';
import type { Component, Statistics } from './api-types';
import type { Row } from './model';

/** Components with their progress. */
export async function componentRows(call: Call, components: readonly Component[]): Promise<Row[]> {
  const sums = await loadCounters(
    call,
    components.map(({ id }) => ({ kind: 'SCOPE_KIND_COMPONENT', id })),
  );
  return components.map((c, i) => ({
    text: c.name,
    href: c.web_url,
    ...(c.is_glossary ? { note: 'Glossary' } : {}),
    progress: presentStatistics(sums[i]!, {}) as Statistics,
  }));
}
