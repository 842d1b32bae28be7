// Requests and figures that several benchmarks share.

/** Languages of the benchmarks' texts. */
export const LANGUAGES = 'cs de fr es it pl pt nl sv da fi hu ro sk sl hr uk bg el tr et lv lt ca'.split(' ');

/** Sends `count` requests, at most `clients` at a time. @param {(i: number) => Promise<unknown>} request */
export async function atOnce(clients, count, request) {
  let next = 0;
  const send = async () => {
    while (next < count) await request(next++);
  };
  await Promise.all(Array.from({ length: clients }, send));
}

/** Whether the server closed a kept-alive connection while a request was in flight. */
export const isClosedConnection = (error) => ['EPIPE', 'ECONNRESET'].includes(error.code);

/** A form with a PO file in which every hundredth singular text is changed, and the number of these. */
export function changedFile(text, round) {
  let seen = 0;
  let changed = 0;
  // The first entry is the header.
  const content = text.replace(/^msgstr "([^"\n]+)"$/gm, (line) => {
    if (seen++ % 100 !== round) return line;
    changed++;
    return `msgstr "Uploaded ${round}, ${changed}"`;
  });
  const form = new FormData();
  form.append('conflicts', 'replace-translated');
  form.append('file', new Blob([content]), 'texts.po');
  return { form, changed };
}

/** For people: three digits, or one after the point. */
export const round = (n) => (n >= 100 ? Math.round(n) : Math.round(n * 10) / 10);
