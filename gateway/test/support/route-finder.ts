import type { Request, Response } from 'express';
import { createServer, get, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Endpoint, ResourceRoute } from '../../src/routing/endpoint';
import { makeRouter } from '../../src/routing/resource-routers';

/** The result of routing a path. */
interface FoundRoute {
  pattern: string;
  params: object;
}

export const endpoint = (method: Endpoint['method'], path: string): Endpoint => ({
  method,
  path,
  access: 'anyone',
  doc: 'For a test.',
  handle: () => Promise.resolve({}),
});

const report = (route: ResourceRoute) => (request: Request, response: Response) =>
  void response.end(JSON.stringify({ pattern: route.pattern, params: request.params }));

/** Sends paths to the routers of the endpoints over HTTP, without handlers. */
export class RouteFinder {
  private readonly server: Server;

  constructor(endpoints: readonly Endpoint[]) {
    const router = makeRouter(endpoints, {
      enter: () => (_request, _response, next) => void next(),
      serve: report,
      describe: report,
      methodNotAllowed: report,
    });
    this.server = createServer((request, response) =>
      router(request as Request, response as unknown as Response, () => {
        response.statusCode = 404;
        response.end();
      }),
    );
  }

  listen(): Promise<void> {
    return new Promise((resolve) => this.server.listen(0, '127.0.0.1', resolve));
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  async find(path: string): Promise<FoundRoute | undefined> {
    const { port } = this.server.address() as AddressInfo;
    return new Promise((resolve, reject) => {
      get({ host: '127.0.0.1', port, path, agent: false }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('end', () => resolve(response.statusCode === 200 ? (JSON.parse(text) as FoundRoute) : undefined));
      }).on('error', reject);
    });
  }
}
