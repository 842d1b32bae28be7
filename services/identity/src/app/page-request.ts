import { pageOf } from '@parlance/grpc-kit';
import type { PageRequest } from '../domain/ports';

/** Turns a page by number into a part of a list. @throws INVALID on fields page and page_size */
export function sliceOf(page: { page: number; pageSize: number } | null): PageRequest {
  const { skip, size } = pageOf(page);
  return { skip, limit: size };
}
