import type { FormPair } from '../check-input';

const URL_PROTOCOLS = new Set(['http:', 'https:', 'ftp:', 'ftps:', 'mailto:']);

export function url({ source, target }: FormPair): boolean {
  const { text } = target;
  if (/\s/.test(text)) return true;
  try {
    const parsed = new URL(text);
    if (parsed.protocol === 'mailto:') return !/^mailto:/i.test(source.text) && /^[a-z]{1,10}:\/\//i.test(source.text);
    return !URL_PROTOCOLS.has(parsed.protocol) || parsed.hostname === '';
  } catch {
    return true;
  }
}
