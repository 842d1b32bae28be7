// Whether an engine responds in its own protocol. An open port is not enough, because the container engine's proxy accepts
// connections before the program inside does.
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sleep } from './process.mjs';

/** Sends `bytes` (if any) to 127.0.0.1:port. Returns whether `isAnswer` accepts the response within 2 s. */
function converse(port, bytes, isAnswer) {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    let received = Buffer.alloc(0);
    const end = (result) => {
      socket.destroy();
      resolve(result);
    };
    socket.setTimeout(2000, () => end(false));
    socket.on('error', () => end(false));
    socket.on('close', () => end(false));
    socket.on('connect', () => bytes && socket.write(bytes));
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (isAnswer(received)) end(true);
    });
  });
}

/** OP_MSG with the command { ping: 1, $db: 'admin' }. */
function mongoPing() {
  const number = (value) => Buffer.from(Int32Array.of(value).buffer);
  const fields = Buffer.concat([
    Buffer.from('\x10ping\0'),
    number(1),
    Buffer.from('\x02$db\0'),
    number(6),
    Buffer.from('admin\0'),
    Buffer.from('\0'),
  ]);
  const body = Buffer.concat([number(0), Buffer.from('\0'), number(fields.length + 4), fields]);
  return Buffer.concat([number(body.length + 16), number(1), number(0), number(2013), body]);
}
const MONGO_OK = Buffer.from([0x01, 0x6f, 0x6b, 0x00, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f]);

const probes = {
  mongo: (port) => converse(port, mongoPing(), (answer) => answer.includes(MONGO_OK)),
  nats: (port) => converse(port, undefined, (answer) => answer.includes('"jetstream":true')),
  redis: (port) => converse(port, 'PING\r\n', (answer) => /\+PONG|-NOAUTH/.test(answer.toString('latin1'))),
  minio: (port) =>
    converse(port, 'GET /minio/health/ready HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n', (answer) =>
      /^HTTP\/1\.\d 200 /.test(answer.toString('latin1')),
    ),
};

/** Waits until the engine responds on 127.0.0.1:port; false after `ms`. */
export async function answers(engine, port, ms) {
  for (const end = Date.now() + ms; ; await sleep(100)) {
    if (await probes[engine](port)) return true;
    if (Date.now() > end) return false;
  }
}

/** Whether host:port accepts connections; retries for `ms`. */
export async function reachable(host, port, ms) {
  const once = () =>
    new Promise((resolve) => {
      const socket = connect({ host, port, timeout: 2000 });
      const end = (result) => {
        socket.destroy();
        resolve(result);
      };
      socket.on('connect', () => end(true));
      socket.on('error', () => end(false));
      socket.on('timeout', () => end(false));
    });
  for (const end = Date.now() + ms; ; await sleep(250)) {
    if (await once()) return true;
    if (Date.now() > end) return false;
  }
}

/** Whether a server can listen on the address. Port 0 tests whether the address belongs to this machine. */
export function canListen(port, address = '127.0.0.1') {
  return new Promise((resolve) => {
    const server = createServer();
    server.on('error', () => resolve(false));
    server.listen(port, address, () => server.close(() => resolve(true)));
  });
}

const RESERVATIONS = join(tmpdir(), `parlance-ports-${process.getuid?.() ?? ''}`);
const RESERVED_MS = 120_000;

/** File of a port's reservation, which counts from its last write. */
function reservationOf(port) {
  mkdirSync(RESERVATIONS, { recursive: true });
  return join(RESERVATIONS, String(port));
}

/** Keeps a port that was chosen elsewhere, and that nothing listens on yet, from the programs that choose with `freePort`. */
export const reservePort = (port) => writeFileSync(reservationOf(port), String(process.pid));

/** Reserves a port. False if another program has it. */
function reserve(port) {
  const file = reservationOf(port);
  try {
    if (Date.now() - statSync(file).mtimeMs > RESERVED_MS) rmSync(file, { force: true });
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * A free port on 127.0.0.1: `preferred` if it is free, else one below the ephemeral port range. The other ports stay reserved for
 * two minutes: a process listens some seconds after its port was chosen, and other systems may start meanwhile.
 */
export async function freePort(preferred) {
  if (preferred && (await canListen(preferred))) return preferred;
  for (;;) {
    const port = 20000 + Math.floor(Math.random() * 10000);
    if (reserve(port) && (await canListen(port))) return port;
  }
}
