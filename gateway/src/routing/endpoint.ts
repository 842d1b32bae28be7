import type { z } from 'zod';
import type { SettingsTable } from '@parlance/contracts';
import type { Access } from '../access/access';
import type { Named } from '../access/rule';
import type { Call, Reply } from './call';
import type { Renderer } from '../responses/negotiation';

/** One row of the table from which routing, Allow, permissions and the API's description are made. */
export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** `/api/projects/:project/`; the parts :project, :component and :language are looked up before the handler runs. */
  path: string;
  access: Access;
  /** Fields of the body that name other objects, and the rights on those that they take. The services check them. */
  named?: readonly Named[];
  /** One sentence for the API's description. */
  doc: string;
  /** Ways to answer beside json, api and csv. */
  renderers?: readonly Renderer[];
  /** What a body can hold: its fields, and the files of a multipart form. Absent: there is none. */
  body?: {
    readonly fields: SettingsTable;
    readonly files?: readonly string[];
    /** The file that a body of another type than JSON and forms is, named by its Content-Disposition. */
    readonly raw?: string;
  };
  /** The JSON of a success. Absent: the response has no body, or is a file. */
  response?: z.ZodType;
  /** Query parameters beside `format` and those of paging. */
  query?: SettingsTable;
  /** The Authorization header may hold what only the handler understands: then the caller is anonymous, not refused. */
  ownCredentials?: boolean;
  /**
   * For reads that are asked for often: work begins before the request is counted, and is thrown away when it is refused. The
   * answer must be no stream.
   */
  eager?: boolean;
  /** A POST that changes nothing: it ends when its client goes away. */
  reads?: true;
  /** The query parameter `format` belongs to the handler (files). */
  ownFormat?: boolean;
  handle(call: Call): Promise<Reply>;
}

export const ok = (data: unknown, headers?: Record<string, string>): Reply => ({
  status: 200,
  data,
  ...(headers ? { headers } : {}),
});
export const created = (data: unknown, location?: string): Reply => ({
  status: 201,
  data,
  ...(location ? { headers: { Location: location } } : {}),
});
export const noContent: Reply = { status: 204 };
