#!/usr/bin/env node
import { connect } from './cli/connect';
import { connectEvents } from './cli/connect-events';
import { run } from './cli/program';

// A pipe to a program that stops reading early, such as head, is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});

void run(process.argv.slice(2), {
  variables: process.env,
  connect: () => connect(process.env),
  connectEvents: () => connectEvents(process.env),
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  input: async () => {
    let text = '';
    for await (const chunk of process.stdin.setEncoding('utf8')) text += chunk as string;
    return text.replace(/\r?\n$/, '');
  },
}).then((code) => {
  // Does not wait for open sockets: the NATS client keeps that of an attempt to connect to a server that accepts it and stays silent.
  process.stderr.write('', () => process.stdout.write('', () => process.exit(code)));
});
