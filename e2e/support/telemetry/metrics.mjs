import { once } from 'node:events';
import http from 'node:http';
import { text } from 'node:stream/consumers';

/**
 * The metrics of a process in the OpenMetrics format. Over a connection of its own: a busy machine may send a request on a kept one in the
 * moment when the process closes it.
 * @param {string} address host:port
 */
export async function metricsOf(address) {
  const [response] = await once(http.get(`http://${address}/metrics`, { agent: false }), 'response');
  return text(response);
}

/**
 * Sum of the samples of a metric whose labels contain all of these.
 * @param {string} text in the OpenMetrics format
 * @param {string} name
 * @param {string[]} labels such as `status="200"`
 */
export function sumOfSamples(text, name, labels = []) {
  return (
    text
      .split('\n')
      .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
      .filter((line) => labels.every((label) => line.includes(label)))
      // An exemplar may follow the value.
      .reduce((sum, line) => sum + Number(line.split(' # ')[0]?.split(' ').at(-1)), 0)
  );
}
