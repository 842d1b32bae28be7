import type { Caller } from '@parlance/access';
import type { catalog, translation } from '@parlance/contracts';
import type { FieldProblem } from '@parlance/errors';
import type { CallOptions } from '@parlance/grpc-kit';
import type { IncomingMessage } from 'node:http';
import type { Clients } from '../clients';
import type { Directory } from '../directory/directory';
import type { Body } from '../bodies/body';
import type { BodyReader } from '../bodies/body-reader';
import type { Links } from '../responses/links';

/** A component with what belongs to it. */
export interface ComponentView {
  component: catalog.Component__Output;
  project: catalog.Project__Output;
  sourceLanguage: catalog.Language__Output;
}

/** Everything an endpoint's handler is given. */
export interface Call {
  readonly request: IncomingMessage;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly caller: Caller;
  /**
   * What is wrong with the request, as far as it was found out. It goes with every call to a service, which then carries nothing out
   * but says, where it can, what else is wrong.
   */
  readonly problems: FieldProblem[];
  /** Options for calls to services: the caller's caller, the request's id, the state of the catalog, the problems. */
  readonly options: CallOptions;
  readonly links: Links;
  readonly clients: Clients;
  readonly directory: Directory;
  /** Address of the client. */
  readonly address: string;
  /** Address of the requested resource, without the query. */
  readonly url: string;
  /** Reads the body, once. @throws PARSE_ERROR, TOO_LARGE, UNSUPPORTED_MEDIA_TYPE */
  body(): Promise<Body>;
  /** Reads bodies that are no values of the API: of git hosts and git clients. */
  readonly bodyReader: BodyReader;
  /** What the path names; there whenever the path has such a part. */
  readonly project: catalog.Project__Output;
  readonly component: ComponentView;
  readonly translation: translation.Translation__Output;
  readonly userAgent: string;
  /** Name of the site. */
  readonly siteTitle: string;
}

/** An answer. `stream` and `text` are sent as they are; `data` is rendered as the client likes it. */
export interface Reply {
  status?: number;
  headers?: Record<string, string>;
  data?: unknown;
  /** Compact JSON that is there already, and the data for every other way of answering. */
  prepared?: { json: string; data: () => unknown };
  text?: { type: string; content: string };
  stream?: { type: string; size?: number; chunks: AsyncIterable<Uint8Array> };
}
