import type { MetricDefinition } from '../definition';
import { WORK } from './shared';

export const cacheAndSearchMetrics = {
  parlance_cache_requests_total: {
    type: 'counter',
    help: 'Look-ups in caches.',
    processes: ['gateway', 'translation', 'vcs-worker'],
    labels: {
      cache: [
        'callers',
        'projects',
        'components',
        'languages',
        'users',
        'hidden',
        'component-ids',
        'visible-objects',
        'replies',
        'translations',
        'units',
        'unit-pages',
        'component-settings',
        'downloads',
        'search-blocks',
        'search-dictionaries',
        'search-postings',
        'search-selections',
        'memory-texts',
        'memory-directories',
        'memory-postings',
        'clones',
        'repository-files',
        'other',
      ],
      result: ['hit', 'miss', 'other'],
    },
  },
  parlance_searches: {
    type: 'gauge',
    help: 'Heavy searches that run or wait.',
    processes: ['translation'],
    labels: { state: ['running', 'waiting', 'other'] },
  },
  parlance_searches_refused_total: {
    type: 'counter',
    help: 'Heavy searches that were refused because too many waited.',
    processes: ['translation'],
    labels: { limit: ['caller', 'total', 'time', 'other'] },
  },
  parlance_search_index_total: {
    type: 'counter',
    help: 'Searches by text and reads of deep pages: answered by the search index, or by a scan of the strings.',
    processes: ['translation'],
    labels: { answer: ['index', 'scan', 'other'] },
  },
  parlance_search_index_behind: {
    type: 'gauge',
    help: 'Strings (at most 2000), and newly imported or removed translations, missing from the search index. Searches look at them directly.',
    processes: ['translation'],
    labels: { kind: ['units', 'translations', 'other'] },
  },
  parlance_memory_index_behind: {
    type: 'gauge',
    help: 'Entries of the translation memory (at most 5000) missing from its index. Look-ups compare the newest 5000 of a language pair directly.',
    processes: ['translation'],
  },
  parlance_machinery_requests_total: {
    type: 'counter',
    help: 'Requests to machine translation engines. `temporary`: they failed after their retries, and can succeed later.',
    processes: ['translation'],
    labels: {
      engine: { max: 12, from: '`machineryDefinitions` of `libs/contracts`' },
      outcome: ['ok', 'temporary', 'failed', 'other'],
    },
  },
  parlance_machinery_request_duration_seconds: {
    type: 'histogram',
    help: 'Time of requests to machine translation engines, with their retries.',
    processes: ['translation'],
    labels: { engine: { max: 12, from: '`machineryDefinitions` of `libs/contracts`' } },
    buckets: WORK,
  },
  parlance_machinery_characters_total: {
    type: 'counter',
    help: 'Characters that machine translation engines translated, which most of them charge for. Failed requests are not counted.',
    processes: ['translation'],
    labels: { engine: { max: 12, from: '`machineryDefinitions` of `libs/contracts`' } },
  },
  parlance_machinery_tokens_total: {
    type: 'counter',
    help: 'Tokens that machine translation engines report in their responses. Language models charge for them instead of characters.',
    processes: ['translation'],
    labels: {
      engine: { max: 12, from: '`machineryDefinitions` of `libs/contracts`' },
      direction: ['prompt', 'completion', 'other'],
    },
  },
} as const satisfies Record<string, MetricDefinition>;
