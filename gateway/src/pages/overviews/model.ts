import type { Call, Reply } from '../../routing/call';
import { pageReply } from '../rendering/reply';
import type { ListPage, Project, Statistics } from './api-types';

/** Shares of a bar. */
export type Progress = Pick<Statistics, 'total' | 'translated' | 'translated_percent' | 'fuzzy' | 'fuzzy_percent'>;

export interface Link {
  text: string;
  href: string;
  /** The address was entered by a user. */
  foreign?: boolean;
}

export interface Fact {
  name: string;
  value: string;
  href?: string;
  foreign?: boolean;
  /** Keeps line breaks. */
  block?: boolean;
}

export interface Row extends Link {
  note?: string;
  progress?: Progress;
}

export interface Pager {
  count: number;
  previous: string | undefined;
  next: string | undefined;
}

export interface Table extends Pager {
  title: string;
  /** Text of a table without rows. */
  empty: string;
  /** Whether rows have progress. */
  progress: boolean;
  rows: Row[];
}

export interface Overview {
  title: string;
  trail?: Link[];
  lead?: string;
  progress?: Progress;
  links: Link[];
  facts: Fact[];
  tables: Table[];
  api: string;
  feed?: string;
}

/** Rows of one page of a table. */
export const TABLE_ROWS = 100;

/** Number of the requested page of the page's longest list. */
export const pageNumber = (call: Call): string => call.query.get('page') ?? '1';

/** Addresses of the neighbouring pages; other parameters are kept. */
export function pagerOf(call: Call, { count, next, previous }: Omit<ListPage<unknown>, 'results'>): Pager {
  const number = Number(pageNumber(call));
  const to = (page: number) => {
    const query = new URLSearchParams(call.query);
    query.set('page', String(page));
    return `?${query.toString()}`;
  };
  return { count, previous: previous ? to(number - 1) : undefined, next: next ? to(number + 1) : undefined };
}

export const completeTable = (rows: Row[]): Pager => ({ count: rows.length, previous: undefined, next: undefined });

/** A link to an address that a user entered; undefined unless it is an http(s) address. */
export function foreignLink(text: string, href: string): Link | undefined {
  return /^https?:\/\//i.test(href) ? { text, href, foreign: true } : undefined;
}

/** Facts with a value. */
export const factsOf = (...facts: (Fact | undefined)[]): Fact[] =>
  facts.filter((f): f is Fact => f !== undefined && f.value !== '');

export const timeText = (time: string | null): string =>
  time === null ? '' : `${time.slice(0, 16).replace('T', ' ')} UTC`;

export const overview = (call: Call, model: Overview): Reply => pageReply(call, 'overview', model);

export const overPages = (call: Call) => ({ page: pageNumber(call), page_size: String(TABLE_ROWS) });
/** The maximum of lists that pages show as a whole. */
export const WHOLE_LIST = { page_size: '1000' };

/** Links above a page of something in a project. */
export const projectTrail = (project: Pick<Project, 'name' | 'web_url'>): Link[] => [
  { text: project.name, href: project.web_url },
];
