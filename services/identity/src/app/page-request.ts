import { pageOf } from '@parlance/grpc-kit';
import type { PageRequest } from '../domain/ports';

/** Converts a page number to an offset. @throws INVALID on fields page and page_size */
export function sliceOf(page: { page: number; pageSize: number } | null): PageRequest {
  const { skip, size } = pageOf(page);
  return { skip, limit: size };
}
