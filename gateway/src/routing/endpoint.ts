import type { z } from 'zod';
import type { RequestSchema } from '@parlance/contracts';
import type { GenerationName } from '@parlance/redis';
import type { Access, Named } from '../access/definition';
import type { Call, Reply } from './call';
import type { Renderer } from '../responses/negotiation';

/** An endpoint. Routing, Allow, permissions and the OpenAPI document are derived from the table of endpoints. */
export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** `/api/projects/:project/`; :project, :component and :language are looked up before the handler runs. */
  path: string;
  access: Access;
  /** Body fields that name other objects, and the required permissions on those. The services check them. */
  named?: readonly Named[];
  /** One sentence for the OpenAPI document. */
  doc: string;
  /** Representations besides json, api and csv. */
  renderers?: readonly Renderer[];
  /** Contents of the body: its fields, and the files of a multipart form. Absent: no body. */
  body?: {
    readonly fields: RequestSchema;
    readonly files?: readonly string[];
    /** Field name of a file sent as the body with another content type, named by its Content-Disposition. */
    readonly raw?: string;
  };
  /** JSON of a success. Absent: the response has no body or is a file. */
  response?: z.ZodType;
  /** Statuses of a success. Default: 200 with content, 204 without. */
  success?: readonly number[];
  /** Statuses of failures besides those that the kind of the endpoint implies. */
  failures?: readonly number[];
  /** Content types of a file, without parameters; present with `ownFormat`. */
  produces?: readonly string[];
  /** Content types of a body that the handler reads itself. */
  accepts?: readonly string[];
  /** Query parameters besides `format` and paging. */
  query?: RequestSchema;
  /**
   * Only the handler understands the Authorization header: unknown credentials make the caller anonymous instead of being
   * rejected.
   */
  ownCredentials?: boolean;
  /**
   * A GET whose reply depends only on the caller, the address, and data whose writes change the access or the catalog generation, or the
   * generation named here. The gateway keeps the reply until one of them changes; see `Reply.keepMs`.
   */
  cached?: true | { also: GenerationName };
  /**
   * A GET whose reply depends only on the caller, the address, access, the catalog, and the contents (strings, history, counters, screenshots,
   * fonts, the state of repositories) of this extent. The gateway keeps the reply until the contents change. `unit`, `screenshot`: the
   * component of the one in the path, which the handler names; `project`: of the project and of the components of others that it shows;
   * `memory`: the translation memory.
   */
  shows?: 'site' | 'project' | 'component' | 'unit' | 'screenshot' | 'memory';
  /** With `shows`: the handler keeps parts of the reply itself. */
  keepsParts?: true;
  /** A read that shows the translation of the path; others get only its key, which is cached. */
  showsTranslation?: true;
  /** A GET that may ask engines outside, which cost money: it must not run twice. */
  asksOutside?: true;
  /** A POST without side effects: it is cancelled when the client disconnects. */
  reads?: true;
  /** A form for callers without a session; its handler checks that this site sent it. */
  signInForm?: true;
  /** A GET that writes, because another site sends browsers to it; its handler checks where they come from. */
  writes?: true;
  /** The handler interprets the query parameter `format` (files). */
  ownFormat?: boolean;
  handle(call: Call): Promise<Reply>;
}

/**
 * Whether the handler starts before the request is counted; its result is discarded if the request is rejected or a generation changed.
 * Streams cannot be discarded, and kept replies need no call that could overlap with counting. Outside of /api/, requests are counted for an
 * object, too, and a GET may write.
 */
export function mayStartEarly(endpoint: Endpoint): boolean {
  const { method, path, cached, ownFormat, produces, asksOutside } = endpoint;
  return method === 'GET' && path.startsWith('/api/') && !cached && !ownFormat && !produces && !asksOutside;
}

/** The endpoints of one path. */
export interface ResourceRoute {
  /** `/api/projects/:project/` */
  pattern: string;
  methods: Map<string, Endpoint>;
  /** Value of the Allow header. */
  allow: string;
  /** Patterns of readable resources that this one is below. */
  ancestors: readonly string[];
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
