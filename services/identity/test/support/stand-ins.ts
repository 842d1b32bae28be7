import { createServer, type AddressInfo, type Socket } from 'node:net';
import { loadService, type ServiceName } from '@parlance/contracts';
import { ServiceError } from '@parlance/errors';
import { serve, type Implementation, type RunningServer } from '@parlance/grpc-kit';
import { serviceSecret } from './running';

/** A gRPC server that implements some methods of a service. */
export function standIn<S extends ServiceName>(name: S, methods: Partial<Implementation<S>>): Promise<RunningServer> {
  const all = Object.keys(loadService(name).client.service).map((method) => method[0]!.toLowerCase() + method.slice(1));
  const missing = () => Promise.reject(new ServiceError('UNAVAILABLE', { message: 'not part of this test' }));
  const implementation = { ...Object.fromEntries(all.map((method) => [method, missing])), ...methods };
  return serve({
    name,
    listen: '127.0.0.1:0',
    serviceSecret,
    implementation: implementation as unknown as Implementation<S>,
  });
}

/** A mail server that accepts every mail. */
export class MailServer {
  readonly mails: string[] = [];
  private waiting: (() => void)[] = [];
  private readonly sockets = new Set<Socket>();
  private readonly server = createServer((socket) => this.talk(socket));

  static async start(): Promise<MailServer> {
    const mailServer = new MailServer();
    await new Promise<void>((resolve) => mailServer.server.listen(0, '127.0.0.1', resolve));
    return mailServer;
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Waits until this many mails have arrived. */
  async received(count: number): Promise<string[]> {
    while (this.mails.length < count) await new Promise<void>((resolve) => this.waiting.push(resolve));
    return this.mails;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private talk(socket: Socket): void {
    this.sockets.add(socket);
    let buffer = '';
    let inData = false;
    socket.setEncoding('utf8').write('220 ready\r\n');
    socket.on('data', (chunk: string) => {
      buffer += chunk;
      for (;;) {
        const end = inData ? buffer.indexOf('\r\n.\r\n') : buffer.indexOf('\r\n');
        if (end < 0) return;
        const text = buffer.slice(0, end);
        buffer = buffer.slice(end + (inData ? 5 : 2));
        if (inData) {
          inData = false;
          this.mails.push(text);
          for (const wake of this.waiting.splice(0)) wake();
          socket.write('250 taken\r\n');
        } else if (/^DATA/i.test(text)) {
          inData = true;
          socket.write('354 go on\r\n');
        } else if (/^QUIT/i.test(text)) socket.end('221 bye\r\n');
        else socket.write('250 ok\r\n');
      }
    });
  }
}
