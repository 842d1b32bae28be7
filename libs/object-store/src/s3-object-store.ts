import http, { Agent as HttpAgent } from 'node:http';
import https, { Agent as HttpsAgent } from 'node:https';
import { Readable } from 'node:stream';
import { EngineUnavailableError, histogram, secondsSince, startClientSpan, type Dependency } from '@parlance/telemetry';
import { engineTls, type CertificateFiles } from '@parlance/tls';
import { Client, type BucketItem } from 'minio';
import { checkKey, ObjectMissingError, type ByteSlice, type ObjectInfo, type ObjectStore } from './object-store';

export interface S3Options {
  /** http(s)://host[:port] */
  endpoint: string;
  accessKey: string;
  secretKey: string;
  /** Amazon S3 requires the region of the bucket; most other services accept any value. */
  region: string;
  bucket: string;
  /** Puts the bucket into the host name instead of the path, as Amazon S3 requires. Default false. */
  virtualHosts?: boolean;
  /** Certificates for endpoints with https. */
  engineTls?: CertificateFiles | undefined;
  /** Time without a byte from the store until a request without an answer fails, in milliseconds. Default 15 s. */
  answerMs?: number;
}

const MAX_SOCKETS = 32;
/** Size of the parts of a stream, in bytes. S3 takes 10 000 parts of at least 5 MiB. */
const PART_BYTES = 16 * 1024 * 1024;
/** Idle timeout of a connection without a request, in milliseconds. */
const IDLE_MS = 30_000;
/** Default of {@link S3Options.answerMs}: as long as a gateway waits. */
const ANSWER_MS = 15_000;

const seconds = histogram('parlance_object_store_request_duration_seconds');

const codeOf = (error: unknown): string => String((error as { code?: unknown }).code ?? '');
const isMissing = (error: unknown): boolean => ['NoSuchKey', 'NotFound'].includes(codeOf(error));

/** Objects in an S3-compatible service. */
export class S3ObjectStore implements ObjectStore {
  private client: Client;
  private agent: HttpAgent;
  private readonly bucket: string;
  private readonly region: string;

  constructor(private readonly options: S3Options) {
    [this.client, this.agent] = makeClient(options);
    this.bucket = options.bucket;
    this.region = options.region;
  }

  async ensureBucket(): Promise<void> {
    if (await this.client.bucketExists(this.bucket)) return;
    try {
      await this.client.makeBucket(this.bucket, this.region);
    } catch (error) {
      // Another process created it first.
      if (!['BucketAlreadyOwnedByYou', 'BucketAlreadyExists'].includes(codeOf(error))) throw error;
    }
  }

  async put(key: string, bytes: Uint8Array, { contentType }: { contentType: string }): Promise<void> {
    const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    await measured('put', 'PutObject', this.bucket, () =>
      this.client.putObject(this.bucket, checkKey(key), body, body.length, { 'Content-Type': contentType }),
    );
  }

  /**
   * Stores a stream of any length in parts. The object appears when all of it is stored; after a failure the parts are deleted.
   * @throws failures of the content and of the store
   */
  async putStream(
    key: string,
    content: AsyncIterable<Buffer>,
    { contentType, partBytes = PART_BYTES }: { contentType: string; partBytes?: number },
  ): Promise<void> {
    checkKey(key);
    const { bucket } = this;
    const parts = partsOf(content, partBytes);
    const first = await parts.next();
    const firstBytes = first.done ? Buffer.alloc(0) : first.value;
    if (firstBytes.length < partBytes) return this.put(key, firstBytes, { contentType });
    const uploadID = await this.client.initiateNewMultipartUpload(bucket, key, { 'Content-Type': contentType });
    try {
      const etags: { part: number; etag?: string }[] = [];
      const send = async (bytes: Buffer) => {
        const partNumber = etags.length + 1;
        const headers = { 'Content-Length': bytes.length };
        const part = { bucketName: bucket, objectName: key, uploadID, partNumber, headers };
        const { etag } = await measured('put', 'UploadPart', bucket, () => this.client.uploadPart(part, bytes));
        etags.push({ part: partNumber, etag });
      };
      await send(firstBytes);
      for await (const bytes of parts) await send(bytes);
      await this.client.completeMultipartUpload(bucket, key, uploadID, etags);
    } catch (error) {
      // The store deletes parts without an object after some time as well.
      await this.client.abortMultipartUpload(bucket, key, uploadID).catch(() => undefined);
      throw error;
    }
  }

  async get(key: string, slice?: ByteSlice): Promise<Readable> {
    // S3 has no empty range: a length of 0 means the whole object.
    if (slice?.length === 0) return Readable.from([]);
    try {
      return await measured('get', 'GetObject', this.bucket, () =>
        slice
          ? this.client.getPartialObject(this.bucket, checkKey(key), slice.offset, slice.length)
          : this.client.getObject(this.bucket, checkKey(key)),
      );
    } catch (error) {
      if (isMissing(error)) throw new ObjectMissingError(key);
      throw error;
    }
  }

  async head(key: string): Promise<(ObjectInfo & { contentType: string; modified: Date }) | undefined> {
    try {
      const { size, lastModified, metaData } = await measured('head', 'HeadObject', this.bucket, () =>
        this.client.statObject(this.bucket, checkKey(key)),
      );
      return {
        key,
        size,
        modified: lastModified,
        contentType: String((metaData as Record<string, unknown>)['content-type'] ?? ''),
      };
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async delete(key: string): Promise<void> {
    await measured('delete', 'DeleteObject', this.bucket, () => this.client.removeObject(this.bucket, checkKey(key)));
  }

  async *list(prefix = ''): AsyncGenerator<ObjectInfo> {
    for await (const item of this.client.listObjectsV2(this.bucket, prefix, true) as AsyncIterable<BucketItem>) {
      if (item.name !== undefined) yield { key: item.name, size: item.size };
    }
  }

  async reachable(): Promise<boolean> {
    return this.client.bucketExists(this.bucket);
  }

  /** The connections for the watchdog. */
  dependency(): Dependency {
    return {
      check: () => this.reachable(),
      probe: async () => {
        const [client, agent] = makeClient(this.options);
        try {
          return await client.bucketExists(this.bucket);
        } finally {
          agent.destroy();
        }
      },
      reconnect: async () => {
        const { agent } = this;
        [this.client, this.agent] = makeClient(this.options);
        agent.destroy();
      },
    };
  }
}

/** Codes of answers to requests with wrong credentials. The answer to HEAD has no body, and so no code of its own: 403 only. */
const REJECTED = ['AccessDenied', 'InvalidAccessKeyId', 'SignatureDoesNotMatch', 'Forbidden', 'ExpiredToken'];

/** Asks for the bucket, which need not exist. @throws EngineUnavailableError */
export async function checkS3(options: S3Options): Promise<void> {
  const [client, agent] = makeClient(options);
  try {
    await client.bucketExists(options.bucket);
  } catch (error) {
    const rejected = REJECTED.includes(codeOf(error));
    throw new EngineUnavailableError(
      rejected ? 'the S3 store rejects the credentials' : 'the S3 store is unavailable',
      error,
    );
  } finally {
    agent.destroy();
  }
}

/** Joins a stream into parts of one size; the last one may be smaller. */
async function* partsOf(content: AsyncIterable<Buffer>, partBytes: number): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let size = 0;
  for await (const bytes of content) {
    waiting.push(bytes);
    size += bytes.length;
    while (size >= partBytes) {
      const joined = Buffer.concat(waiting);
      yield joined.subarray(0, partBytes);
      waiting = [joined.subarray(partBytes)];
      size = joined.length - partBytes;
    }
  }
  if (size > 0) yield Buffer.concat(waiting);
}

/**
 * Measures and traces a request.
 * @param operation label of the metric
 * @param method the request's name in the API of S3
 */
async function measured<T>(operation: string, method: string, bucket: string, request: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const endSpan = startClientSpan(`S3/${method}`, {
    'rpc.system': 'aws-api',
    'rpc.service': 'S3',
    'rpc.method': method,
    'aws.s3.bucket': bucket,
  });
  const end = (outcome: string, error?: unknown) => {
    seconds.observe({ operation, outcome }, secondsSince(startedAt));
    endSpan(error);
  };
  try {
    const result = await request();
    end('ok');
    return result;
  } catch (error) {
    if (isMissing(error)) end('missing');
    else end('failed', error);
    throw error;
  }
}

/** A resumed session would keep the identity of a replaced certificate, so each connection has a session of its own. */
const tlsOptions = (files: CertificateFiles | undefined) =>
  files ? { secureContext: engineTls(files).secureContext, maxCachedSessions: 0 } : {};

/** Requests that fail when the store accepts them and does not answer. Content may take any time: its reader may be slow. */
function answering({ request }: typeof http | typeof https, { answerMs = ANSWER_MS }: S3Options) {
  const start: typeof https.request = (...args: unknown[]) => {
    const sent = (request as (...all: unknown[]) => http.ClientRequest)(...args);
    sent.setTimeout(answerMs, () => {
      sent.destroy(Object.assign(new Error('the S3 store does not answer'), { code: 'ETIMEDOUT' }));
    });
    return sent.once('response', () => sent.setTimeout(0));
  };
  return { request: start };
}

/** A client and the agent that holds its connections. */
function makeClient(options: S3Options): [Client, HttpAgent] {
  const { protocol, hostname, port, pathname } = new URL(options.endpoint);
  if (!/^https?:$/.test(protocol) || pathname !== '/')
    throw new Error('the endpoint of the object store must have the form http(s)://host[:port]');
  const useSSL = protocol === 'https:';
  const agentOptions = { keepAlive: true, maxSockets: MAX_SOCKETS, timeout: IDLE_MS };
  const agent = useSSL
    ? new HttpsAgent({ ...agentOptions, ...tlsOptions(options.engineTls) })
    : new HttpAgent(agentOptions);
  const client = new Client({
    endPoint: hostname.replace(/^\[|\]$/g, ''),
    port: port ? Number(port) : useSSL ? 443 : 80,
    useSSL,
    accessKey: options.accessKey,
    secretKey: options.secretKey,
    region: options.region,
    pathStyle: !options.virtualHosts,
    transportAgent: agent,
    transport: useSSL ? answering(https, options) : answering(http, options),
  });
  return [client, agent];
}
