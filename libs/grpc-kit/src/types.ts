import type { ServiceTypes } from '@parlance/contracts';
import type { FieldProblem } from '@parlance/errors';
import type { Caller } from '@parlance/access';

/** What a handler knows about its call besides the request. */
export interface CallContext {
  /** Who asks; verified. */
  caller: Caller;
  /** The caller as it came, for passing on to other services. */
  callerToken: string;
  /** Id of the public request. */
  requestId: string;
  /**
   * State of the catalog that the caller has seen ('' when it does not say). What a service caches of the catalog under another
   * value is to be read anew: this is how a changed setting takes effect with the very next request.
   */
  catalogGeneration: string;
  /** Address of the public client as the gateway saw it, for audit records; '' when the call does not come from one. */
  clientAddress: string;
  /**
   * What the caller found wrong with the request. Only methods that are served as `completing` are called with any; they add what
   * else is wrong and refuse.
   */
  problems: readonly FieldProblem[];
  /** When the caller stops waiting, milliseconds since the epoch. */
  deadlineMs: number;
  /** Aborted when the caller went away or the deadline passed. */
  signal: AbortSignal;
}

/** Options of a call. */
export interface CallOptions {
  /** For whom the call is made: a context (whose deadline, request id and signal are passed on too) or a signed caller. */
  as?: CallContext | string;
  /** Milliseconds to wait at most; default 15 000, or what is left of the context's deadline. */
  timeoutMs?: number;
  signal?: AbortSignal;
  requestId?: string;
  /** See CallContext; a context given as `as` passes its own on. */
  catalogGeneration?: string;
  /** See CallContext; a context given as `as` passes its own on. */
  clientAddress?: string;
  /**
   * What is wrong with the request already: the call is refused with that, and with what else the service finds where its method
   * completes it. Nothing is carried out.
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

/** What a service implements: one function a method, named as in the contract but with a small first letter. */
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

/** What callers of a service see. Failures are ServiceErrors. */
export type Client<S extends keyof ServiceTypes> = {
  [K in Known<Handlers<S>> & Known<Definition<S>> as K extends string ? Uncapitalize<K> : never]: Called<
    Handlers<S>[K],
    Definition<S>[K]
  >;
} & {
  /** Whether the connection stands, for readiness. */
  connected(): Promise<boolean>;
  close(): void;
};
