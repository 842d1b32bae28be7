import type { Call, Reply } from '../routing/call';
import { envelope, fetchPage, readPage, type Page, type PageRule } from './paging';
import { ok } from '../routing/endpoint';

/** Responds with one page of a list: requests it from `fetch` and adds the envelope. */
export async function list<T>(
  call: Call,
  rule: PageRule,
  fetch: (page: { page: number; pageSize: number }) => Promise<Page<T>>,
  present: (items: T[]) => Promise<unknown[]> | unknown[],
): Promise<Reply> {
  const asked = readPage(call.query, rule);
  const page = await fetchPage(asked, fetch);
  return ok(
    envelope(call.url, keptQuery(call.query), page.page, asked.pageSize, page.total, await present(page.items)),
  );
}

/** Query parameters that next and previous keep; the format is not part of a list's address. */
function keptQuery(query: URLSearchParams): URLSearchParams {
  const kept = new URLSearchParams(query);
  kept.delete('format');
  return kept;
}
