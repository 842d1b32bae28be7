/** A text as one word of a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A curl command for a request with a JSON body; the token comes from the environment. */
export function curlLine(method: string, url: string, body?: unknown): string {
  const lines = [`curl -H "Authorization: Token $TOKEN"`];
  if (method !== 'GET') lines[0] += ` -X ${method}`;
  if (body !== undefined) lines.push(`-H 'Content-Type: application/json' -d ${quoted(JSON.stringify(body))}`);
  lines.push(quoted(url));
  return lines.join(' \\\n  ');
}
