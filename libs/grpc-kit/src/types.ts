import type { ServiceTypes } from '@parlance/contracts';
import type { FieldProblem } from '@parlance/errors';
import type { Caller } from '@parlance/access';

/** Context of a call for its handler. */
export interface CallContext {
  /** The verified caller. */
  caller: Caller;
  /** The signed caller as received, to pass on to other services. */
  callerToken: string;
  /** Id of the public request. */
  requestId: string;
  /**
   * Generation of the catalog that the caller has seen ('' if unknown). A service reloads catalog data that it cached under another
   * generation, so a changed setting takes effect with the next request (read-your-writes).
   */
  catalogGeneration: string;
  /** The same for what the translation service caches about other strings. */
  stringsGeneration: string;
  /** Address of the public client as seen by the gateway, for audit records; '' for internal calls. */
  clientAddress: string;
  /**
   * Validation errors that the caller found. Only `completing` methods receive any; they add their own and reject the request.
   */
  problems: readonly FieldProblem[];
  /** Deadline in milliseconds since the epoch. */
  deadlineMs: number;
  /** Aborted if the caller cancels or the deadline passes. */
  signal: AbortSignal;
}

/** Options of a call. */
export interface CallOptions {
  /** The caller: a context (which also passes its deadline, request id and signal) or a signed caller. */
  as?: CallContext | string;
  /** Time limit in milliseconds; default 15 000, or the remaining time of the context. */
  timeoutMs?: number;
  /**
   * Time limit of one attempt in milliseconds. An attempt without an answer is repeated, on another replica if there is one, until
   * `timeoutMs`. Has no effect on streams and on methods that their contract does not declare idempotent. Default: one attempt.
   */
  attemptMs?: number;
  signal?: AbortSignal;
  requestId?: string;
  /** See CallContext; a context given as `as` passes its own on. */
  catalogGeneration?: string;
  /** See CallContext; a context given as `as` passes its own on. */
  stringsGeneration?: string;
  /** See CallContext; a context given as `as` passes its own on. */
  clientAddress?: string;
  /**
   * Known validation errors. The call is rejected with them and, for `completing` methods, with those that the service adds. It has
   * no effect.
   */
  problems?: readonly FieldProblem[];
}

type Handlers<S extends keyof ServiceTypes> = ServiceTypes[S]['handlers'];
type Definition<S extends keyof ServiceTypes> = ServiceTypes[S]['definition'];
/** The methods themselves: the generated types also have an index signature. */
type Known<T> = keyof { [K in keyof T as string extends K ? never : number extends K ? never : K]: T[K] } & keyof T;
type Call<H> = H extends (call: infer C, ...rest: never[]) => unknown ? C : never;
type Answer<D> = D extends { responseSerialize: (value: infer R) => unknown } ? R : never;
type MethodTypes<D> = D extends {
  requestSerialize: (value: infer Q) => unknown;
  responseDeserialize: (bytes: never) => infer R;
}
  ? { request: Q; response: R }
  : never;

type Implemented<H, D> =
  Call<H> extends { request: infer Q }
    ? Call<H> extends { write(chunk: infer S, ...rest: never[]): unknown }
      ? (request: Q, context: CallContext) => AsyncIterable<S>
      : (request: Q, context: CallContext) => Promise<Answer<D>>
    : Call<H> extends { write(chunk: infer S, ...rest: never[]): unknown; read(): infer Q }
      ? (requests: AsyncIterable<Q>, context: CallContext) => AsyncIterable<S>
      : Call<H> extends { read(): infer Q }
        ? (requests: AsyncIterable<Q>, context: CallContext) => Promise<Answer<D>>
        : never;

/** Implementation of a service: one function per method, in lower camel case. */
export type Implementation<S extends keyof ServiceTypes> = {
  [K in Known<Handlers<S>> & Known<Definition<S>> as K extends string ? Uncapitalize<K> : never]: Implemented<
    Handlers<S>[K],
    Definition<S>[K]
  >;
};

type Called<H, D> =
  Call<H> extends { request: unknown }
    ? Call<H> extends { write(...args: never[]): unknown }
      ? (request: MethodTypes<D>['request'], options?: CallOptions) => AsyncIterable<MethodTypes<D>['response']>
      : (request: MethodTypes<D>['request'], options?: CallOptions) => Promise<MethodTypes<D>['response']>
    : Call<H> extends { write(...args: never[]): unknown }
      ? (
          requests: AsyncIterable<MethodTypes<D>['request']>,
          options?: CallOptions,
        ) => AsyncIterable<MethodTypes<D>['response']>
      : (
          requests: AsyncIterable<MethodTypes<D>['request']>,
          options?: CallOptions,
        ) => Promise<MethodTypes<D>['response']>;

/** Client interface of a service. Failures are ServiceErrors. */
export type Client<S extends keyof ServiceTypes> = {
  [K in Known<Handlers<S>> & Known<Definition<S>> as K extends string ? Uncapitalize<K> : never]: Called<
    Handlers<S>[K],
    Definition<S>[K]
  >;
} & {
  /** Whether the connection is established, for readiness. */
  connected(): Promise<boolean>;
  close(): void;
};
