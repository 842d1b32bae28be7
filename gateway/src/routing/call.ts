import type { Caller } from '@parlance/access';
import type { catalog, translation } from '@parlance/contracts';
import type { FieldProblem } from '@parlance/errors';
import type { CallOptions } from '@parlance/grpc-kit';
import type { IncomingMessage } from 'node:http';
import type { Clients } from '../clients';
import type { ComponentView } from '../directory/component-view';
import type { Directory } from '../directory/directory';
import type { TranslationKey } from '../directory/translation-key';
import type { Body } from '../bodies/body';
import type { BodyReader } from '../bodies/body-reader';
import type { Links } from '../responses/links';
import type { Prepared } from '../responses/prepared';
import type { Site } from '../responses/site';
import type { SetCookie } from '../sessions/cookies';
import type { ShownContents } from './shown-contents';

/** Context of an endpoint's handler. */
export interface Call {
  readonly request: IncomingMessage;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly caller: Caller;
  /**
   * Problems of the request found so far. They are sent with every call to a service, which then makes no change but reports
   * further problems if it can.
   */
  readonly problems: FieldProblem[];
  /** Options of service calls: the caller, the request id, the catalog generation, the problems. */
  readonly options: CallOptions;
  readonly links: Links;
  readonly clients: Clients;
  readonly directory: Directory;
  /** Address of the client. */
  readonly address: string;
  /** Address of the requested resource, without the query. */
  readonly url: string;
  /** Reads the body once. @throws PARSE_ERROR, TOO_LARGE, UNSUPPORTED_MEDIA_TYPE */
  body(): Promise<Body>;
  /** Reads bodies of other content types: from git hosts and git clients. */
  readonly bodyReader: BodyReader;
  /** Object named by the path; present if the path has this parameter. */
  readonly project: catalog.Project__Output;
  readonly component: ComponentView;
  readonly translation: translation.Translation__Output;
  /** Identity of the translation; reads take it from the cache. */
  readonly translationKey: TranslationKey;
  readonly userAgent: string;
  /** Strings, history and counters that the reply shows. */
  readonly contents: ShownContents;
  /** Where the pages of the site are. */
  readonly site: Site;
}

/** A response. `stream` and `text` are sent unchanged; `data` is rendered in the negotiated representation. */
export interface Reply {
  status?: number;
  headers?: Record<string, string>;
  cookies?: readonly SetCookie[];
  data?: unknown;
  /** For endpoints with `cached`: the time until the data changes without a write, in milliseconds. Absent: it does not. */
  keepMs?: number | undefined;
  prepared?: Prepared;
  text?: { type: string; content: string };
  stream?: { type: string; size?: number; chunks: AsyncIterable<Uint8Array> };
}
