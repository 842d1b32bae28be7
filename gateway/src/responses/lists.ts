import type { Call, Reply } from '../routing/call';
import { envelope, fetchPage, readPage, type Page, type PageRule } from './paging';
import { ok } from '../routing/endpoint';

/** A list's answer: asks for the page that the query wants and puts it into the envelope. */
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

/** What next and previous keep of a query; the format is not part of a list's address. */
function keptQuery(query: URLSearchParams): URLSearchParams {
  const kept = new URLSearchParams(query);
  kept.delete('format');
  return kept;
}
